# SPDX-License-Identifier: BSD-3-Clause
"""ELF files small enough to be written by hand, so that the tests need no cross tools."""
import struct
from pathlib import Path

CODE = 0x100
# As the assembler encodes them; see test/sim/core/programs.s.
EXITS = [0x00E3, 0x0FE2]  # mov r0,7; trap 3
SPIN = [0x00E8, 0x0000]  # b .
READS = [0x0003, 0x200B, 0x0202, 0x4083, 0x07E2]  # mov r0,0; mov r1,0x2000; mov r2,4; trap 1: read(0, 0x2000, 4)
ADDS = [0x2493, 0x4893, 0x6D1A, 0x8D1A]  # four additions
OPENS = [0x2003, 0x4CC3, 0x600B, 0x0202, 0x4C14, 0x000B, 0x0202, 0x0BE2, 0x0FE2]  # mov r1,0; strb 'f',[0x2000]; exit(open("f", 0))
WRITES = [0x0023, 0x2003, 0x400B, 0x0402, 0x03E2, 0xFBE0]  # for ever: write(1, 0, 0x4000)


def write_elf(path, words, name="main"):
    """A program of these half words at CODE, with one function symbol as the compiler would name it."""
    code = struct.pack(f"<{len(words)}H", *words)
    names = b"\0_" + name.encode() + b"\0"
    symbols = bytes(16) + struct.pack("<IIIBBH", 1, CODE, len(code), 0x12, 0, 1)
    offset = 52 + 32
    sections = offset + len(code) + len(symbols) + len(names)
    header = b"\x7fELF\1\1\1" + bytes(9) + struct.pack("<HHIIIIIHHHHHH", 2, 0x1223, 1, CODE, 52, sections, 0, 52, 32, 1, 40, 3, 0)
    program = struct.pack("<8I", 1, offset, CODE, CODE, len(code), len(code), 5, 8)
    table = bytes(40)
    table += struct.pack("<10I", 0, 2, 0, 0, offset + len(code), len(symbols), 2, 1, 4, 16)
    table += struct.pack("<10I", 0, 3, 0, 0, offset + len(code) + len(symbols), len(names), 0, 0, 1, 0)
    Path(path).write_bytes(header + program + code + symbols + names + table)
    return str(path)
