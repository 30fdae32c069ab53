#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the results in docs/measured-mppa.md with what `skerry bench --machine mppa` prints.

figures.py BIN PAGE [--write]

BIN has skerry. The simulated chip takes the same cycles in each run, but a change of the library or of a benchmark moves code,
and packets then meet at other times. So a figure of the page may be off by some units of its last digit, or by some percent. In
the tables of transfers to both DDRs in turn, whole transfers can fall into step, so their figures may differ more. All other text
must be equal. With --write the script writes what was printed into the page.
"""
import re
import subprocess
import sys
from pathlib import Path

BEGIN = "The experiments of Hascoet et al. (2017)"  # of the first line that is printed
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
DIGITS, PART = 3, 0.1  # allowed: units of the last digit, and a part of the value
IN_STEP = ("both DDRs in turn", 0.2)  # the beginning of such a table's title, and the part


def differs(old, new, part):
    last = 10.0 ** -len(new.partition(".")[2])
    return abs(float(old) - float(new)) > max(DIGITS * last, part * float(new)) + 1e-9


def main():
    binaries, page = Path(sys.argv[1]), Path(sys.argv[2])
    run = subprocess.run([binaries / "skerry", "bench", "--machine", "mppa"], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"skerry bench --machine mppa: exit code {run.returncode}: {run.stderr}")
    before, begin, results = page.read_text(encoding="utf-8").partition(BEGIN)
    if not begin or BEGIN not in run.stdout:
        sys.exit(f"no line \"{BEGIN} ...\" in {page.name} or in what was printed")
    printed = run.stdout.partition(BEGIN)[2]
    if sys.argv[3:] == ["--write"]:
        page.write_text(before + begin + printed, encoding="utf-8")
        return
    old, new = results.splitlines(), printed.splitlines()
    if len(old) != len(new):
        sys.exit(f"{page.name} has {len(old)} lines of results, and skerry bench prints {len(new)}; use --write")
    wrong, title, first = 0, "", before.count("\n") + 1
    for number, (page_line, line) in enumerate(zip(old, new), first):
        if line and not line.startswith("|"):
            title = line
        part = IN_STEP[1] if title.startswith(IN_STEP[0]) else PART
        ours, theirs = NUMBER.findall(page_line), NUMBER.findall(line)
        if NUMBER.sub("#", page_line) != NUMBER.sub("#", line) or any(differs(a, b, part) for a, b in zip(ours, theirs)):
            print(f"{page.name}:{number}:\n  page: {page_line}\n  now:  {line}", file=sys.stderr)
            wrong += 1
    if wrong:
        sys.exit(f"{wrong} lines of {page.name} differ; run test/mppa_machine/figures.py with --write, and correct the text")


main()
