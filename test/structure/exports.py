#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""exports.py FACTS.PY LIBSKERRY.SO: the library exports every routine and its profiling twin, and besides them only names
that begin with skerry_, shmemx_, aos_, or as MPPA's do, so that nothing of it can meet a name of the program's."""

import subprocess
import sys


def words(*command):
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def main():
    facts, library = sys.argv[1:]
    wanted = words(sys.executable, facts, "--names") | words(sys.executable, facts, "--names", "--pshmem")
    listing = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library], capture_output=True, text=True,
                             check=True).stdout
    exported = {line.split()[0] for line in listing.splitlines()}
    missing = sorted(wanted - exported)
    own = ("skerry_", "shmemx_", "aos_", "mppa_", "pcie_", "__k1_", "__bsp_")
    foreign = sorted(name for name in exported - wanted if not name.startswith(own))
    for name in missing:
        print(f"exports: {name} is missing", file=sys.stderr)
    for name in foreign:
        print(f"exports: {name} is exported", file=sys.stderr)
    print(f"exports: {len(wanted)} names wanted, {len(missing)} missing, {len(foreign)} too many")
    sys.exit(1 if missing or foreign or len(wanted) < 1000 else 0)


if __name__ == "__main__":
    main()
