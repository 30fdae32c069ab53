#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds that under `oshcc --check` every routine with a count or a stride refuses one that overflows.

    count_test.py PROGRAM

PROGRAM is what make_count_test.py wrote. Each of its cases has to end with the routine's own line.
"""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

LINE = r"^skerry: PE 0: {}: (.* reach past the end of any object|nreduce -1: must not be negative|no block)"


def run_case(program, number, routine):
    done = subprocess.run([program, str(number)], capture_output=True, text=True, timeout=60)
    if done.returncode == 1 and re.search(LINE.format(routine), done.stderr, re.MULTILINE):
        return ""
    return f"{routine} (case {number}): exit {done.returncode}, {done.stderr.strip() or 'no line'}"


def main(command):
    if len(command) != 1:
        sys.exit(__doc__)
    routines = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.split()
    with ThreadPoolExecutor(max_workers=2) as pool:
        wrong = [line for line in pool.map(lambda case: run_case(command[0], *case), enumerate(routines)) if line]
    print(*wrong[:20], f"{len(routines)} cases, {len(wrong)} wrong", sep="\n")
    sys.exit(1 if wrong or len(routines) < 1000 else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
