#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds that without checks too no routine that is called before shmem_init ends the program without a line, or hangs.

    before_test.py PROGRAM

PROGRAM is what make_before_test.py wrote. Each of its cases ends with 0, or with the library's own line.
"""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

LINE = (r"skerry: PE 0: ({}: called before shmem_init|symmetric memory was accessed \(at \w+\) before shmem_init or aos_init|"
        r"this PE waits for a word before shmem_init or aos_init; no other PE can change it|"
        r"shmem_ctx_destroy: SHMEM_CTX_DEFAULT cannot be destroyed|shmem_clear_lock: lock: must be held by this PE)\n")


def run_case(program, number, routine):
    try:
        done = subprocess.run([program, str(number)], capture_output=True, text=True, check=False, timeout=60)
    except subprocess.TimeoutExpired:
        return f"{routine} (case {number}): hangs"
    if done.returncode == 0 or (done.returncode == 1 and re.fullmatch(LINE.format(routine), done.stderr)):
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
