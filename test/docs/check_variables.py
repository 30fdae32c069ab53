#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_variables.py ROOT: the environment variables that the sources read, the table in src/machine/linux/variables.c, and
the list in docs/index.md have the same names. Without an entry in the table, oshrun takes a correct name for a misspelt
one, and SHMEM_INFO does not list it."""

import pathlib
import re
import sys

NAME = r"(?:SKERRY|SHMEM|SMA)_[A-Z_]+"
READS = re.compile(r'(?:getenv|environment_value|is_switched_on|whole_number|(?:word|number)_setting)\("(' + NAME + r')"')
SHELL = re.compile(r"\$\{(" + NAME + r"):?-")


def main():
    root = pathlib.Path(sys.argv[1])
    table = re.findall(r'\{"(' + NAME + r')", (?:NULL|"(\w+)"), (NULL)?', (root / "src/machine/linux/variables.c").read_text(encoding="utf-8"))
    known = {name for name, _, _ in table} | {older for _, older, _ in table}
    shown = {name for name, _, internal in table if not internal}
    read = set()
    for folder, pattern in (("src", READS), ("launch", READS), ("launch", SHELL), ("toolchain", SHELL)):
        for path in (root / folder).rglob("*"):
            if path.is_file():
                read |= set(pattern.findall(path.read_text(encoding="utf-8", errors="replace")))
    text = (root / "docs/index.md").read_text(encoding="utf-8")
    listed = set(re.findall("`(" + NAME + ")`", text)) | {"SKERRY_OMP_" + word for word in re.findall(r"`\.\.\.?_([A-Z]+)`", text)}
    wrong = [f"{name}: is read, but is not in variables.c" for name in sorted(read - known)]
    wrong += [f"{name}: is in variables.c, but not in docs/index.md" for name in sorted(shown - listed)]
    print(*(f"check_variables: {line}" for line in wrong), sep="\n", file=sys.stderr)
    if wrong or len(read) < 10 or len(shown) < 20:
        sys.exit(f"check_variables: {len(wrong)} wrong, {len(read)} are read, {len(shown)} are shown")


if __name__ == "__main__":
    main()
