#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""layout.py LINKER_SCRIPT ARCHIVE NM CONFIGURATION: each function that the linker script places by its name is in the library. A function that
is renamed, or that the compiler inlines everywhere, would leave its place without a message, and others would replace it in
a core's instruction cache. Besides, the least system memory in the linker script is that of src/config/mppa.h, into which a static
assertion fits the words of the shared heap."""
import re
import subprocess
import sys

script, archive, nm, configuration = sys.argv[1:]
with open(script, encoding="utf-8") as file:
    text = file.read()
placed = set(re.findall(r"\.text\.([A-Za-z_][A-Za-z0-9_]*)", text[text.index("skerry_library_code") :]))
symbols = subprocess.run([nm, "--defined-only", archive], check=True, capture_output=True, text=True).stdout
functions = {line.split()[2] for line in symbols.splitlines() if re.match(r"[0-9a-f]+ [tTwW] ", line)}
missing = sorted(placed - functions)
if len(placed) < 10 or missing:
    sys.exit(f"layout.py: {script} places {len(placed)} functions, and these are not in the library: {' '.join(missing)}")
with open(configuration, encoding="utf-8") as file:
    least = re.search(r"#define SKERRY_SYSTEM_BYTES_MIN (\w+)", file.read()).group(1)
if f"DEFINED(skerry_team_world) ? 0x24000 : {least})" not in text:
    sys.exit(f"layout.py: {script} has not the SKERRY_SYSTEM_BYTES_MIN of {configuration}, {least}")
