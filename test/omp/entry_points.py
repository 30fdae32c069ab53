#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""entry_points.py LIBGOMP.SO LIST-OF-OBJECTS: every entry point that the library exports is called by some test. A name
that the compiler's own library may lack is looked up by dlsym in the test, and so stands in its object as a string."""

import pathlib
import re
import subprocess
import sys

ENTRY = re.compile(r"^(GOMP_(?!PLUGIN_)[a-z]\w*|omp_[a-z]\w*)")


def names(*arguments):
    listing = subprocess.run(["nm", "--format=posix", *arguments], capture_output=True, text=True, check=True).stdout
    return {line.split()[0].split("@")[0] for line in listing.splitlines() if line and not line.endswith(":")}


def main():
    library, objects_list = sys.argv[1:]
    exported = {name for name in names("--dynamic", "--defined-only", library) if ENTRY.match(name)}
    objects = pathlib.Path(objects_list).read_text(encoding="utf-8").split()
    called = names("--undefined-only", *objects)
    for path in objects:
        called |= {text.decode() for text in re.findall(rb"\0((?:GOMP|omp)_[a-z]\w*)(?=\0)", pathlib.Path(path).read_bytes())}
    never = sorted(exported - called)
    for name in never:
        print(f"entry_points: no test calls {name}", file=sys.stderr)
    print(f"entry_points: {len(exported)} exported, {len(never)} that no test calls")
    sys.exit(1 if never or len(exported) < 200 else 0)


if __name__ == "__main__":
    main()
