#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""large.py BIN TOOLS ROOMY PROGRAMS: what large.txt says of each program is so, and none of them would fit a core.

Image and static data are taken from the programs as the tests run them, on the machine ROOMY; the heap by a run with 3 PEs."""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

CORE = 32768
STACK = 4096  # __skerry_stack_bytes of epiphany.ld
TOLERANCE = 512
PES = 3
WRAPPED = ["shmem_malloc", "shmem_calloc", "shmem_align", "shmem_realloc", "shmem_finalize"]
HERE = Path(__file__).resolve().parent
SHMEM = HERE.parent / "shmem"


def output(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr[-300:] or done.stdout[-300:]}")
    return done.stdout


def listed():
    """NAME: image, static, heap, as large.txt has them."""
    rows = {}
    for line in (HERE / "large.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        row = re.fullmatch(r"([a-z]\w*) +(\d+) +(\d+) +(\d+) +(\S.*)", line)
        if not row:
            sys.exit(f"large.txt: not NAME IMAGE STATIC HEAP WHY: {line}")
        rows[row[1]] = tuple(int(row[i]) for i in (2, 3, 4))
    return rows


def measure(name, tools, machine, programs, bins, folder):
    """Image, static data and heap in bytes, and the work area that programs with reductions have."""
    program = programs / f"{name}.roomy.elf"
    symbols = output(tools / "epiphany-elf-nm", program)
    image = int(re.search(r"^([0-9a-f]+) . _skerry_heap_begin$", symbols, re.MULTILINE)[1], 16)
    sections = output(tools / "epiphany-elf-size", "-A", program)
    static = sum(int(n) for n in re.findall(r"^\.(?:data|bss) +(\d+)", sections, re.MULTILINE))
    work = 1024 if re.search(r" _skerry_(reduce|scan)_writing$", symbols, re.MULTILINE) else 0
    wrapped = folder / f"{name}.elf"
    output(bins / "oshcc", "--machine", machine, "-std=gnu11", "-Os", "-Wl,--defsym=__skerry_stack_bytes=0x10000",
           *[f"-Wl,--wrap={routine}" for routine in WRAPPED], SHMEM / f"{name}.c", HERE / "heap_use.c", "-o", wrapped)
    said = output(bins / "oshrun", "--machine", machine, "-n", str(PES), "--quiet", "--max-cycles", "500000000", wrapped)
    return image, static, int(re.search(r"^heap (\d+)$", said, re.MULTILINE)[1]), work


def problems_of(name, said, is_now):
    image, static, heap, work = is_now
    for what, number, right in zip(("image", "static", "heap"), said, is_now):
        if abs(number - right) > TOLERANCE:
            yield f"{name}: {what} is {right} bytes, large.txt has {number}"
    if image + heap + work + STACK <= CORE:
        yield f"{name} would fit: {image} of image, {heap} of heap, {work} of work area, {STACK} of stack"


def counts_problem(large):
    """README and guide say how many programs run where."""
    for path in ("README.md", "docs/guide/chip.md"):
        text = (HERE.parent.parent / path).read_text()
        said = re.search(r"(\d+) programs of `test/shmem` suit a chip\. Of these, (\d+) run in [^.;]*\. The other (\d+)", text)
        if not said or int(said[3]) != large or int(said[1]) - int(said[2]) != large:
            yield f"{path}: {said[0] if said else 'no line'}, but large.txt has {large}"


def main():
    bins, tools, machine, programs = map(Path, sys.argv[1:5])
    rows = listed()
    problems = list(counts_problem(len(rows)))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {name: pool.submit(measure, name, tools, machine, programs, bins, Path(folder)) for name in rows}
        for name, job in jobs.items():
            try:
                is_now = job.result()
            except (RuntimeError, OSError, TypeError) as error:
                problems.append(f"{name}: {error}")
                continue
            problems += problems_of(name, rows[name], is_now)
    if problems:
        sys.exit("\n".join(f"large: {problem}" for problem in problems))


if __name__ == "__main__":
    main()
