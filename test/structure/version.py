#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that files which repeat the version have that of CMakeLists.txt: version.py ROOT VERSION

The other places (messages, the library's name, the package) get the version from CMake. shmem.h must have it as text,
because a user's compiler reads that file as it is.
"""

import pathlib
import re
import sys

failures = 0


def check(path, pattern, expected):
    """Checks that `pattern` matches in the file, and that the group of each match is `expected`."""
    global failures
    found = re.findall(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)
    for text in found or ["no version"]:
        if text != expected:
            failures += 1
            print(f"{path}: has {text}, must have {expected} (project() in CMakeLists.txt)", file=sys.stderr)


def main():
    root, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    soname = ".".join(version.split(".")[:2])
    check(root / "include/shmem.h", r'^#define SHMEM_VENDOR_STRING "Skerry ([^"]*)"', version)
    check(root / "docs/guide/troubleshooting.md", r"libskerry\.so\.([0-9.]*[0-9])", soname)
    newest = re.search(r"^## (?:.|\n)*?(?=^## |\Z)", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[0]
    if not newest.startswith(f"## {version},"):
        sys.exit(f"{root}/CHANGELOG.md: the first version is not {version} (project() in CMakeLists.txt)")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
