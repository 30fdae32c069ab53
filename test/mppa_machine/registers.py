#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the registers that src/machine/mppa uses with those of the simulator: registers.py ROOT

Each constant SKERRY_MPPA_X of registers.h is compared with the constant x of the simulator's headers. Fails if the values
differ, or if the simulator has no such constant."""

import pathlib
import re
import sys

# Names that differ: the simulator's headers of the two networks have the same word in different namespaces.
NAMES = {"registers": "registers_base", "mode_barrier": "mode_barrier", "mailbox_start": "start_mailbox"}


def main():
    root = pathlib.Path(sys.argv[1])
    simulator = {}
    for header in ("mppa_dma/registers.hpp", "cnoc/registers.hpp"):
        text = (root / "sim" / header).read_text(encoding="utf-8")
        for name, value in re.findall(r"constexpr std::uint32_t (\w+) =\s*([^;]*);", text):
            number = re.fullmatch(r"0x[0-9a-fA-F]+|\d+", value.strip())
            if number:
                simulator[name] = int(value, 0)
    simulator["mailboxes_base"] = simulator["control_base"]
    failures = 0
    text = (root / "src/machine/mppa/registers.h").read_text(encoding="utf-8")
    constants = re.findall(r"#define SKERRY_MPPA_(\w+) (0x[0-9a-fA-F]+|\d+)u", text)
    for name, value in constants:
        other = NAMES.get(name.lower(), name.lower())
        if simulator.get(other) != int(value, 0):
            failures += 1
            print(f"registers.py: SKERRY_MPPA_{name} is {value}, and the simulator's {other} is {simulator.get(other)}",
                  file=sys.stderr)
    if len(constants) < 30:
        sys.exit(f"registers.py: only {len(constants)} constants found")
    sys.exit(failures != 0)


main()
