#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Records what binutils' assembler and disassembler for Epiphany say, so that the tests need neither.

record.py AS OBJDUMP writes, beside itself:
  encodings.txt     address, encoding and text of every form with its operands at their extremes, as assembled
  disassembly.txt   hashes of objdump's text, 256 at a time, for all short instructions and for many long words
"""
import pathlib
import re
import subprocess
import sys
import tempfile

LONG_FAMILIES = {0x8, 0x9, 0xB, 0xC, 0xD, 0xF}
CONDITIONS = "eq ne gtu gteu lteu ltu gt gte lt lte beq bne blt blte".split()
SHORT = (0, 1, 5, 7)
LONG = (0, 7, 8, 11, 12, 13, 14, 15, 31, 32, 42, 63)
CORE = "config status pc debug iab lc ls le iret imask ilat ilatst ilatcl ipend ctimer0 ctimer1 hstatus".split()
DMA = [f"dma{n}{r}" for n in (0, 1) for r in "config stride count srcaddr dstaddr auto0 auto1 status".split()]
OTHER = "memconfig memstatus memprotect memreserve meshconfig coreid meshmulticast swreset".split()


def walk(*choices):
    """Every choice of every place, the other places at their first; then each place's last at once."""
    seen = []
    for place, options in enumerate(choices):
        for option in options:
            seen.append(tuple(option if k == place else c[0] for k, c in enumerate(choices)))
    seen.append(tuple(c[-1] for c in choices))
    seen.append(tuple(c[len(c) // 2] for c in choices))
    return list(dict.fromkeys(seen))


def forms():
    for name in ["b" + c for c in CONDITIONS] + ["b", "bl"]:
        for offset in (0, 2, 4, 254, -2, -254, -256):
            yield f"{name} .+{offset}"
        for offset in (0, 256, 65536, 0xFFFFFE, -2, -258, -0x1000000):
            yield f"{name}.l .+{offset}"
    for name in ("jr", "jalr"):
        for n in SHORT + LONG:
            yield f"{name} r{n}"
    yield "rts"
    for name in "add sub and orr eor lsl lsr asr fadd fsub fmul fmadd fmsub iadd isub imul imadd imsub".split():
        for d, n, m in walk(SHORT, SHORT, SHORT):
            yield f"{name} r{d},r{n},r{m}"
        for d, n, m in walk(LONG, LONG, LONG):
            yield f"{name}.l r{d},r{n},r{m}"
    for name in "fext fdep lfsr".split():
        for d, n, m in walk(LONG, LONG, LONG):
            yield f"{name} r{d},r{n},r{m}"
    for name in "add sub".split():
        for d, n, i in walk(SHORT, SHORT, (0, 1, 3, -1, -4)):
            yield f"{name} r{d},r{n},{i}"
        for d, n, i in walk(LONG, LONG, (0, 4, 1023, -1, -5, -1024)):
            yield f"{name}.l r{d},r{n},{i}"
    for name in "lsl lsr asr".split():
        for d, n, i in walk(SHORT, SHORT, (0, 1, 16, 31)):
            yield f"{name} r{d},r{n},{i}"
        for d, n, i in walk(LONG, LONG, (0, 1, 16, 31)):
            yield f"{name}.l r{d},r{n},{i}"
    for name in "bitr float fix mov".split() + ["mov" + c for c in CONDITIONS]:
        for d, n in walk(SHORT, SHORT):
            yield f"{name} r{d},r{n}"
        for d, n in walk(LONG, LONG):
            yield f"{name}.l r{d},r{n}"
    for name in "fabs frecip fsqrt".split():
        for d, n in walk(LONG, LONG):
            yield f"{name} r{d},r{n}"
    for d, i in walk(SHORT, (0, 1, 0x80, 0xFF)):
        yield f"mov r{d},{i}"
    for name in "mov.l movt".split():
        for d, i in walk(LONG, (0, 1, 0xFF, 0x100, 0x8000, 0xFFFF)):
            yield f"{name} r{d},{i}"
    for kind in ("ldr", "str"):
        for size in ("b", "h", "", "d"):
            name = kind + size
            short, long = (SHORT, LONG) if size != "d" else ((0, 2, 4, 6), (0, 6, 8, 12, 14, 30, 32, 42, 62))
            for d, n, i in walk(short, SHORT, (0, 1, 4, 7)):
                yield f"{name} r{d},[r{n},{i}]"
            for d, n, m in walk(short, SHORT, SHORT):
                yield f"{name} r{d},[r{n},r{m}]"
                yield f"{name} r{d},[r{n}],r{m}"
            for sign in "+-":
                for d, n, i in walk(long, LONG, (0, 1, 7, 8, 1024, 2047)):
                    yield f"{name}.l r{d},[r{n},{sign}{i}]"
                    yield f"{name}.l r{d},[r{n}],{sign}{i}"
                for d, n, m in walk(long, LONG, LONG):
                    yield f"{name}.l r{d},[r{n},{sign}r{m}]"
                    yield f"{name}.l r{d},[r{n}],{sign}r{m}"
    for name in "testset testsetb testseth".split():
        for sign in "+-":
            for d, n, m in walk(LONG, LONG, LONG):
                yield f"{name} r{d},[r{n},{sign}r{m}]"
    for register in CORE + DMA + OTHER:
        for d in (1, 63):
            yield f"movts {register},r{d}"
            yield f"movfs r{d},{register}"
    yield from "nop snop idle bkpt mbkpt rti wand sync gie gid swi unimpl".split()
    for n in (0, 1, 31, 63):
        yield f"trap {n}"


def assembles(form):
    """False for an access that modifies the very register it moves, which the assembler refuses."""
    access = re.match(r"(?:ldr|str)(d?)\S* r(\d+),\[r(\d+)\],", form)
    return not access or int(access[3]) not in range(int(access[2]), int(access[2]) + (2 if access[1] else 1))


def lines_of(objdump, path, kind):
    out = subprocess.run([objdump, "-D", "-z", "-b", "binary", "-m", "epiphany32", path], check=True, text=True,
                         capture_output=True).stdout
    for line in out.splitlines():
        match = re.match(r" *([0-9a-f]+):\t([0-9a-f ]+?) *\t(.*)$", line)
        if match:
            yield int(match[1], 16), bytes.fromhex(match[2]), match[3].strip()


def record_encodings(assembler, objdump, folder):
    with tempfile.TemporaryDirectory() as scratch:
        source, program, image = (pathlib.Path(scratch, name) for name in ("all.s", "all.o", "all.bin"))
        source.write_text("".join(f" {form}\n" for form in dict.fromkeys(forms()) if assembles(form)))
        subprocess.run([assembler, source, "-o", program], check=True)
        subprocess.run([objdump.replace("objdump", "objcopy"), "-O", "binary", "-j", ".text", program, image], check=True)
        rows = []
        for address, code, text in lines_of(objdump, image, "long"):
            rows.append(f"{address:x} {int.from_bytes(code, 'little'):0{2 * len(code)}x} {text}\n")
    (folder / "encodings.txt").write_text("".join(rows))
    print(len(rows), "encodings")


def mixed(k):
    """Pseudo-random 32 bits of k; disassembly_test.cpp has the same."""
    k = (k + 0x9E3779B9) & 0xFFFFFFFF
    k = ((k ^ k >> 16) * 0x85EBCA6B) & 0xFFFFFFFF
    k = ((k ^ k >> 13) * 0xC2B2AE35) & 0xFFFFFFFF
    return k ^ k >> 16


def long_word(k):
    """A long word: half of them at random, half with the bits that mostly must be zero cleared."""
    families = (0x8, 0x9, 0xB, 0xC, 0xD, 0xF, 0xF, 0xF)
    bits = mixed(k)
    word = (bits & ~0xF) | families[k & 7]
    if k & 8:
        upper = (0x0, 0x2, 0x6, 0x7, 0xA, 0xE, 0x2, 0x7)[k >> 4 & 7]
        word = (word & ~0x030F0000) | upper << 16
        if k & 0x80:
            word &= ~0x00F00000
        elif k & 0x100:
            word &= ~0x00400000
        else:
            word &= ~0x00C00000
    return word


def hashes(objdump, words):
    """FNV-1a over the lines of each 256 words; every word has four bytes of the image to itself."""
    with tempfile.NamedTemporaryFile() as image:
        image.write(b"".join(word.to_bytes(4, "little") for word in words))
        image.flush()
        texts = {address: text for address, _, text in lines_of(objdump, image.name, "any") if address % 4 == 0}
    for first in range(0, len(words), 256):
        value = 0x811C9DC5
        for k in range(first, min(first + 256, len(words))):
            if words[k] & 0x7F == 0x77:
                continue  # objdump prints the short FABS without its operands
            for byte in (texts[4 * k] + "\n").encode():
                value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
        yield value


def record_hashes(objdump, folder):
    short = [k | 0x01A20000 for k in range(65536)]  # NOP behind each; a long family takes it as its upper half
    long = [long_word(k) for k in range(1 << 18)]
    with open(folder / "disassembly.txt", "w") as file:
        for name, words in (("short", short), ("long", long)):
            for block, value in enumerate(hashes(objdump, words)):
                file.write(f"{name} {block} {value:08x}\n")
    print(len(short) + len(long), "words")


if __name__ == "__main__":
    where = pathlib.Path(__file__).resolve().parent
    record_encodings(sys.argv[1], sys.argv[2], where)
    record_hashes(sys.argv[2], where)
