#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""list_texts.py ROOT [--write]: compares texts.txt beside this file with every text of three words or more in the sources of the library,
the launcher, the simulator and the driver of the measurements: messages, help and reports. A reader can go through all that a user can see
in one place, and a change of a text shows in its review. --write writes the list."""

import pathlib
import re
import subprocess
import sys

FOLDERS = ("src", "launch", "sim", "bench/driver")
TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|\\.)*'|R"\((?P<raw>.*?)\)"|"(?P<text>(?:[^"\\\n]|\\.)*)"|\s+|\\\n|.""", re.S)
ASSEMBLY = re.compile(r"\\t[a-z]|%r[0-9a-z]|^\.[a-z]|\.cfi_")


def texts_of(source):
    """The literals of a source, those that stand side by side as one."""
    current = None
    for token in TOKEN.finditer(source):
        if token["text"] is not None or token["raw"] is not None:
            current = (current or "") + (token["text"] if token["text"] is not None else token["raw"])
        elif not token[0].isspace() and not token[0].startswith(("//", "/*", "\\\n")):
            if current is not None:
                yield current
            current = None
    if current is not None:
        yield current


def is_shown(text):
    return len(re.findall(r"[A-Za-z]{2,}", text)) >= 3 and " " in text and not ASSEMBLY.search(text)


def listing(root):
    files = subprocess.run(["git", "-C", root, "ls-files", *FOLDERS], capture_output=True, text=True, check=True).stdout.split()
    lines = []
    for name in sorted(name for name in files if name.endswith((".c", ".h", ".cpp", ".hpp"))):
        texts = [text for text in texts_of((root / name).read_text(encoding="utf-8")) if is_shown(text)]
        if texts:
            lines += [f"== {name}", *dict.fromkeys(texts), ""]
    return "\n".join(lines)


def main():
    root, here = pathlib.Path(sys.argv[1]), pathlib.Path(__file__).parent
    if not (root / ".git").exists():
        print("list_texts: skipped: not a git checkout")
        sys.exit(77)
    found, kept = listing(root), here / "texts.txt"
    if "--write" in sys.argv:
        kept.write_text(found, encoding="utf-8")
        return
    known = kept.read_text(encoding="utf-8").splitlines()
    added = [line for line in found.splitlines() if line not in known]
    gone = [line for line in known if line not in found.splitlines()]
    for mark, lines in (("+", added), ("-", gone)):
        print(*(f"list_texts: {mark} {line}" for line in lines), sep="\n", file=sys.stderr)
    if found.splitlines() != known:
        sys.exit("list_texts: read the changed texts again, then run test/docs/list_texts.py . --write")
    print(f"list_texts: {sum(bool(line) and not line.startswith('== ') for line in known)} texts")


if __name__ == "__main__":
    main()
