#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the results of cxx_math.cpp on simulated clusters with those on this computer, in C++11 and C++20.
Usage: cxx_math.py FOLDER SOURCES COMPILER; FOLDER has oshc++ and oshrun, and COMPILER compiles C++ for this computer."""
import os
import subprocess
import sys
import tempfile

folder, sources, compiler = sys.argv[1:]
source = os.path.join(sources, "test/mppa_machine/cxx_math.cpp")
machines = {"mppa": ["-n", "1"], "mppa-cluster": [], "smp-16": []}


def output(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout[-3000:]}")
    return [line.split() for line in done.stdout.splitlines()]


def place(bits):
    """Returns the number of a floating-point number in their order, counted from zero."""
    number = int(bits, 16)
    half = 1 << (4 * len(bits) - 1)
    return number if number < half else half - number


def agree(wanted, found):
    if wanted[:2] != found[:2]:
        return False
    if wanted[2] == found[2]:
        return True
    allowed = int(wanted[1])
    any_zero = wanted[0] in ("fmax", "fmaxf", "fmin", "fminf")  # of two zeros, either one is right
    return (allowed > 0 or any_zero) and abs(place(wanted[2]) - place(found[2])) <= allowed


differences = {}
with tempfile.TemporaryDirectory() as work:
    for standard in ("11", "20"):
        options = ["-std=c++" + standard, "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", source, "-o"]
        host = os.path.join(work, "host")
        output([compiler, *options, host])
        wanted = output([host])
        for machine, more in machines.items():
            chip = os.path.join(work, machine)
            output([os.path.join(folder, "oshc++"), "--machine", machine, *options, chip])
            found = output([os.path.join(folder, "oshrun"), "--machine", machine, "--quiet", "--max-cycles", "400000000", *more, chip])
            if len(found) != len(wanted):
                sys.exit(f"{machine}, C++{standard}: {len(found)} results, not {len(wanted)}: {found[-1]}")
            for number, pair in enumerate(zip(wanted, found)):
                if not agree(*pair):
                    differences.setdefault((machine, standard, pair[0][0]), []).append(f"result {number}: {pair[1]}, here {pair[0]}")
for where, lines in differences.items():
    print(*where, lines[:4], f"and {len(lines) - 4} more" if len(lines) > 4 else "")
sys.exit(1 if differences else 0)
