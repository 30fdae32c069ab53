#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""symbols.py OUR-LIBRARY SYSTEM-LIBRARY LEFT_OUT.TXT: every name that the system's libgomp exports ours exports with the same version,
or left_out.txt says why it does not; and each pattern there is about some name."""

import fnmatch
import pathlib
import subprocess
import sys


def exported(library):
    listing = subprocess.run(["nm", "-D", "--with-symbol-versions", "--defined-only", library], capture_output=True, text=True,
                             check=True).stdout
    return {line.split()[2].replace("@@", "@") for line in listing.splitlines() if len(line.split()) == 3}


def main():
    ours, system, left_out = sys.argv[1:]
    patterns = {line.split()[0]: 0 for line in pathlib.Path(left_out).read_text(encoding="utf-8").splitlines()
                if line and not line.startswith("#")}
    own, wanted, failures = exported(ours), exported(system), 0
    for name in sorted(wanted - own):
        pattern = next((each for each in patterns if fnmatch.fnmatchcase(name, each)), None)
        if pattern:
            patterns[pattern] += 1
            continue
        failures += 1
        print(f"symbols: {name} is missing, and left_out.txt does not say why", file=sys.stderr)
    for pattern in (each for each, names in patterns.items() if not names):
        failures += 1
        print(f"symbols: left_out.txt: {pattern} is about no name", file=sys.stderr)
    print(f"symbols: {len(wanted)} names, {len(wanted & own)} here, {len(wanted - own)} left out; {len(own - wanted)} more here")
    sys.exit(1 if failures or len(wanted) < 300 else 0)


if __name__ == "__main__":
    main()
