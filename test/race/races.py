#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""races.py SOURCE COMMAND...: runs the command, which checks a program for races. The lines of SOURCE with the comment `// race` must be
exactly those that the reports name. Each report has two accesses, at least one of which stores, by two cores, by a core and its
copy unit, or by a task and another task or its maker. Without such lines there must be no report, and the exit code must be 0."""

import pathlib
import re
import subprocess
import sys

RACE = re.compile(r"skerry-sim: race on (\d+) bytes? at 0x[0-9a-f]+.*\n(  core .*\n)(  core .*\n)")
ACCESS = re.compile(r"  (core \(\d+,\d+\) 0x[0-9a-f]+(?:'s copy)?) (loads|stores|changes atomically) at (\S+):(\d+) in (\S+)(?: \(omp (.+)\))?, cycle \d+\n")


def main():
    source = pathlib.Path(sys.argv[1])
    marked = {n for n, line in enumerate(source.read_text(encoding="utf-8").split("\n"), 1) if line.rstrip().endswith("// race")}
    run = subprocess.run(sys.argv[2:], capture_output=True, text=True, check=False)
    found = set()
    for _, *accesses in RACE.findall(run.stderr):
        both = [ACCESS.fullmatch(access) for access in accesses]
        if not all(both):
            sys.exit(f"not the text of two accesses: {accesses}")
        first, second = both
        of_tasks = "task" in (first[6], second[6])
        if (first[1] == second[1] and not of_tasks) or "stores" not in (first[2], second[2]):
            sys.exit(f"no race: {accesses}")
        if any(pathlib.Path(access[3]).name != source.name or "_omp_fn" in access[5] and not access[6] for access in both):
            sys.exit(f"not the file or the construct: {accesses}")
        found |= {int(access[4]) for access in both}
    if found != marked or run.returncode != (123 if marked else 0) or ("race" in run.stderr) != bool(marked):
        sys.exit(f"exit code {run.returncode}, lines {sorted(found)}, and not {sorted(marked)}:\n{run.stdout}{run.stderr}")


if __name__ == "__main__":
    main()
