#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a C program that calls every routine of facts.py that has a count or a stride with one that overflows.

    make_count_test.py FILE.c

A routine has one case for each of its counts and strides. A count is so large that its bytes, computed in a size_t, are one
element's: a routine that does not look moves one element, or nothing, and says nothing. The program does case number
argv[1]; without an argument it prints the routine of each case, a line each. count_test.py runs them all.
"""

import pathlib
import re
import sys

import facts

COUNTS = {"nelems", "nreduce", "nblocks", "bsize", "npes"}
STRIDES = {"dst", "sst"}
IGNORED = {"start_pes"}  # its npes
# A request for memory that nobody has is answered with NULL.
REQUESTS = {"shmem_malloc": "SIZE_MAX", "shmem_realloc": "NULL, SIZE_MAX", "shmem_align": "64, SIZE_MAX",
            "shmem_malloc_with_hints": "SIZE_MAX, 0", "shmem_calloc": "SIZE_MAX / 8 + 2, 8",
            "shmalloc": "SIZE_MAX", "shrealloc": "NULL, SIZE_MAX", "shmemalign": "64, SIZE_MAX"}
OTHERS = {"team": "SHMEM_TEAM_WORLD", "ctx": "SHMEM_CTX_DEFAULT", "dest": "(void *)there", "source": "(void *)here", "ivars": "(void *)there",
          "indices": "indices", "status": "NULL", "cmp": "SHMEM_CMP_EQ", "cond": "SHMEM_CMP_EQ", "cmp_value": "0",
          "cmp_values": "(void *)here", "sig_addr": "&signal", "signal": "1", "sig_op": "SHMEM_SIGNAL_SET", "pe": "0",
          "PE_root": "0", "PE_start": "0", "logPE_stride": "0", "PE_size": "1", "pSync": "sync_work",
          "pWrk": "(void *)reduce_work", "target_pes": "targets", "nelems": "3", "nreduce": "1", "nblocks": "1", "bsize": "1",
          "npes": "1", "dst": "1", "sst": "1"}

HEAD = """// Written by make_count_test.py from facts.py.
#include <shmem.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static _Alignas(64) char there[4096], here[4096], reduce_work[4096];
static long sync_work[SHMEM_SYNC_SIZE];
static uint64_t signal;
static size_t indices[8];
static int targets[8];

// Elements of `size` bytes that overflow to one.
#define COUNT(size) ((size) == 1 ? SIZE_MAX : SIZE_MAX / (size) + 2)
// A stride at which the last of three elements overflows.
#define STRIDE(size) ((ptrdiff_t)(SIZE_MAX / 2 / (size) - ((size) == 1)))
"""

MAIN = """
int main(int argc, char **argv) {
    if (argc < 2) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) puts(cases[i].routine);
        return 0;
    }
    shmem_init();
    for (int i = 0; i < SHMEM_SYNC_SIZE; i++) sync_work[i] = SHMEM_SYNC_VALUE;
    cases[atoi(argv[1])].call();
    shmem_finalize();
    return 0;
}
"""


def read_prototypes():
    for line in facts.prototypes_text().splitlines():
        found = re.match(r"(.*?\W)(\w+)\((.*)\);", line)
        if found and not line.startswith("#") and "..." not in line:
            parameters = [re.fullmatch(r"(.*?)(\w+)", parameter).groups() for parameter in found[3].split(", ")]
            yield found[2], parameters


def element_size(routine, parameters):
    for ctype, name in parameters:
        if name in ("dest", "ivars", "target_pes"):
            if "void" not in ctype:
                return f"sizeof({ctype.replace('const ', '').replace('*', '').strip()})"
            bits = re.search(r"(?:put|get|broadcast|collect|alltoalls?)(\d+)", routine)
            return f"sizeof(char[{int(bits[1]) // 8}])" if bits else "sizeof(char)"
    sys.exit(f"{routine}: what does it count?")


def arguments(routine, parameters, wrong):
    size = element_size(routine, parameters)
    values = dict(OTHERS)
    values[wrong] = f"STRIDE({size})" if wrong in STRIDES else "-1" if wrong == "nreduce" and ("int ", wrong) in parameters \
        else f"COUNT({size})"
    if wrong == "bsize":  # no stride is below it
        values["bsize"] = values["dst"] = values["sst"] = "PTRDIFF_MAX"
    if wrong in STRIDES or wrong == "bsize":
        values["nblocks"] = "3"
    return ", ".join(values[name] for _, name in parameters)


def main(command):
    if len(command) != 1:
        sys.exit(__doc__)
    functions, rows = [], []
    for routine, parameters in read_prototypes():
        names = [name for _, name in parameters if routine not in IGNORED]
        calls = [f"{routine}({arguments(routine, parameters, name)});" for name in names if name in COUNTS | STRIDES]
        if routine in REQUESTS:
            calls = [f'if (!{routine}({REQUESTS[routine]})) fputs("skerry: PE 0: {routine}: no block\\n", stderr), exit(1);']
        for call in calls:
            functions.append(f"static void case_{len(rows)}(void) {{ {call} }}\n")
            rows.append(f'    {{"{routine}", case_{len(rows)}}},\n')
    table = "static const struct {\n    const char *routine;\n    void (*call)(void);\n} cases[] = {\n" + "".join(rows) + "};\n"
    pathlib.Path(command[0]).write_text(HEAD + "\n" + "".join(functions) + "\n" + table + MAIN, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
