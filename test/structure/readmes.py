#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""readmes.py ROOT: each folder of the product has a README.md that names each of the folder's units. A unit is a file without its
extension, or a folder. A README names it in backquotes, as `name`, `name.c`, `name.*`, `folder/` or by a pattern such as `chip_*`.
In test/ the units are the folders and the files that tests include: the name of a test says what it tests."""

import collections
import fnmatch
import pathlib
import re
import subprocess
import sys

ROOTS = ("src", "sim", "launch", "bench", "toolchain", "scripts", "cmake", "include", "docs", "examples", "test")
INCLUDED = {".h", ".hpp", ".inc"}
NOT_UNITS = {"README", "CMakeLists"}
# Folders of files that only define names of somebody else's interface.
WITHOUT = ("include/mpp", "include/mppa/")


def units_of_folders(root):
    listing = subprocess.run(["git", "-C", root, "ls-files", *ROOTS], capture_output=True, text=True, check=True).stdout
    units = collections.defaultdict(set)
    for path in map(pathlib.PurePosixPath, listing.split()):
        is_unit = path.parts[0] != "test" or path.suffix in INCLUDED or path.stem == "common"
        if path.stem not in NOT_UNITS and is_unit:
            units[path.parent].add(path.name.split(".")[0])
        for parent in path.parents:
            if parent.parent != parent and parent.parent.name:
                units[parent.parent].add(parent.name)
    return units


def names_in(text):
    """What stands in backquotes: without a leading folder's name, a slash at the end, and an extension."""
    for quoted in re.findall(r"`([^`\n]+)`", text):
        for word in re.split(r"[\s,]+", quoted):
            word = word.rstrip("/").rsplit("/", 1)[-1]
            yield word.split(".")[0] or word
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        yield pathlib.PurePosixPath(target.rstrip("/")).name.split(".")[0]


def faults(root):
    for folder, units in sorted(units_of_folders(root).items()):
        if str(folder).startswith(WITHOUT):
            continue
        readme = root / folder / "README.md"
        if not readme.exists():
            yield f"{folder}: no README.md"
            continue
        names = set(names_in(readme.read_text(encoding="utf-8")))
        for unit in sorted(units):
            if not any(fnmatch.fnmatchcase(unit, name) for name in names):
                yield f"{folder}/README.md does not name `{unit}`"


def main():
    root = pathlib.Path(sys.argv[1])
    if not (root / ".git").exists():
        print("readmes: skipped: not a git checkout")
        sys.exit(77)
    found = list(faults(root))
    print(*(f"readmes: {fault}" for fault in found), sep="\n", file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
