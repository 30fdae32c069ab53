#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""exercised.py FACTS.PY LIST-OF-OBJECTS: every routine of the specification and of <shmemx.h> is called by some test of its
behaviour. The objects are those tests, compiled so that each routine they use is a reference."""

import pathlib
import re
import subprocess
import sys


def names_beyond(root):
    """The routines that <shmemx.h> declares."""
    texts = (path.read_text(encoding="utf-8") for path in sorted((root / "src").glob("[a-z]*/*.h")))
    return {name for text in texts for name in re.findall(r"^SKERRY_(?:DECLARE|INLINE|LIBRARY)\([^,]+,\s*(shmemx_\w+)\b", text, re.M)}


def main():
    facts, objects_list = sys.argv[1:]
    names = set(subprocess.run([sys.executable, facts, "--names"], capture_output=True, text=True, check=True).stdout.split())
    beyond = names_beyond(pathlib.Path(facts).resolve().parents[2])
    if len(beyond) < 15:
        sys.exit(f"exercised: only {len(beyond)} routines of <shmemx.h> found")
    names |= beyond
    objects = pathlib.Path(objects_list).read_text(encoding="utf-8").split()
    listing = subprocess.run(["nm", "--undefined-only", "--format=posix", *objects], capture_output=True, text=True,
                             check=True).stdout
    used = {line.split()[0] for line in listing.splitlines() if " U" in line}
    never = sorted(names - used)
    for name in never:
        print(f"exercised: no test calls {name}", file=sys.stderr)
    print(f"exercised: {len(names)} routines, {len(never)} that no test calls")
    sys.exit(1 if never or len(names) < 1000 else 0)


if __name__ == "__main__":
    main()
