#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""all.py BUILD [PATTERN]: runs the tests of OpenMP on simulated machines (smp.omp.*, cluster.omp.*, sarc.omp.*) with --check-races, and prints those for
which a race is reported. Exit code 0 if there are none. The build folder must have the programs (make tests)."""

import json
import subprocess
import sys


def main():
    pattern = sys.argv[2] if len(sys.argv) > 2 else r"^(smp|cluster|sarc)\.omp\."
    listing = subprocess.run(["ctest", "--test-dir", sys.argv[1], "--show-only=json-v1", "-R", pattern],
                             capture_output=True, text=True, check=True).stdout
    racing, tests = 0, json.loads(listing)["tests"]
    for test in tests:
        command = test["command"]
        at = command.index("--machine") + 2
        run = subprocess.run([*command[:at], "--check-races", *command[at:]], capture_output=True, text=True, check=False)
        if run.returncode != 0:
            racing += 1
            print(f"{test['name']}: exit code {run.returncode}\n{run.stdout}{run.stderr}", flush=True)
    print(f"{racing} of {len(tests)} tests")
    sys.exit(racing != 0)


if __name__ == "__main__":
    main()
