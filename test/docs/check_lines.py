#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The lines that the guides quote in tables are those that the library and the launcher print.

A line is cut at everything that varies (names of routines, numbers, addresses, capitals that stand for something, texts of
the system) and where lines are put together, and each piece of some length must stand in a string of the sources.
"""
import re
import sys
from pathlib import Path

QUOTING = {"checking.md": "src/shmem src/rpc src/aos src/primitive src/machine launch",
           "launching.md": "src/machine launch", "openmp.md": "src/omp src/machine/linux/threads",
           "troubleshooting.md": "src launch"}
OF_THE_SYSTEM = ("Segmentation fault|Bus error|Cannot allocate memory|Invalid argument|Resource temporarily unavailable|/dev/shm|"
                 "oshcc: command not found|setup: |missing here")
VARIES = re.compile(OF_THE_SYSTEM + r"|; |: |, | in\b|\.\.\.|p?shmem_\w+|SHMEM_\w+|0x[0-9a-f.]*|-?\b\d+\b|\b[A-Z]{1,}\b(?!\w)|[a-z]+_[a-z]+|\bPEs?\b|[{}#@%]\w*")
SHORTEST = 8
LEADING = re.compile(r"^(oshrun|skerry): ")


def strings_of(root, folders):
    """All string literals below the folders, adjacent ones joined, and the words in files elf-machine, which oshrun prints."""
    text = ""
    for folder in folders.split():
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".c", ".h", ".cpp", ".hpp"):
                text += path.read_text(encoding="utf-8") + "\n"
    text = re.sub(r'"\s*\n\s*"', "", text)
    words = [path.read_text(encoding="utf-8") for folder in folders.split() for path in (root / folder).rglob("elf-machine")]
    return "\n".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', text) + words)


def quoted_lines(text):
    """Code in tables that reads like a line of ours: it has several words."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("|"):
            for code in re.findall(r"`([^`]+)`", line):
                if code.count(" ") >= 3 and re.search(r"^(oshrun|skerry|PE \d|\w+): |; job stopped|killed by|^PE ", code):
                    yield number, LEADING.sub("", code)


def missing_pieces(line, strings):
    for piece in VARIES.split(line):
        piece = piece.strip(" :;,()")
        if len(piece) >= SHORTEST and piece not in strings:
            yield piece


def main():
    root = Path(sys.argv[1])
    count, wrong = 0, 0
    for name, folders in QUOTING.items():
        strings = strings_of(root, folders)
        for number, line in quoted_lines((root / "docs/guide" / name).read_text(encoding="utf-8")):
            count += 1
            for piece in missing_pieces(line, strings):
                print(f"docs/guide/{name}:{number}: nothing prints \"{piece}\"", file=sys.stderr)
                wrong += 1
    print(f"{count} lines quoted, {wrong} pieces not found")
    return 1 if wrong or count < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
