#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""format.py ROOT: all sources of C and C++ are formatted as .clang-format says, by version 14 of clang-format. Other versions format
some lines in another way; with them, and without clang-format, the test is skipped."""

import re
import shutil
import subprocess
import sys

VERSION = "14"


def main():
    root = sys.argv[1]
    tool = shutil.which(f"clang-format-{VERSION}") or shutil.which("clang-format")
    version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout if tool else ""
    listing = subprocess.run(["git", "-C", root, "ls-files", "*.c", "*.h", "*.cpp", "*.hpp"], capture_output=True, text=True, check=False)
    if not re.search(rf"version {VERSION}\.", version) or listing.returncode != 0:
        print(f"format: skipped: no clang-format {VERSION}, or no git checkout")
        sys.exit(77)
    # The names of another interface, as its users write them.
    files = [name for name in listing.stdout.split() if not name.startswith("include/mppa/")]
    sys.exit(subprocess.run([tool, "--dry-run", "-Werror", *files], cwd=root, check=False).returncode)


if __name__ == "__main__":
    main()
