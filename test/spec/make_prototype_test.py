#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a C program that fails to compile or to link unless every routine of facts.py is there with its type.

    make_prototype_test.py FILE.c

It redeclares every line after the header, so a different type is a conflict, and takes the address of every routine
and, with -DSKERRY_NO_INLINE, of its profiling twin. Without it, the header's inline definitions are held to the list.
"""

import pathlib
import re
import sys

import facts

HEAD = """// Written by make_prototype_test.py from facts.py.
#ifdef SKERRY_NO_INLINE
#include <pshmem.h>
#else
#include <shmem.h>
#endif

#include <stdio.h>
#include <stdlib.h>

"""

# A weak symbol that nobody defines is a null pointer.
MAIN = """
struct routine {
    const char *name;
    void (*address)(void);
};

static int check(const char *list, const struct routine *routines, size_t count) {
    int missing = 0;
    for (size_t i = 0; i < count; i++) {
        if (routines[i].address) continue;
        fprintf(stderr, "%s is declared but not defined\\n", routines[i].name);
        missing++;
    }
    printf("%s: %zu routines, %d missing\\n", list, count, missing);
    return missing || count == 0;
}

#define COUNT(list) (sizeof(list) / sizeof(list)[0])
"""


def table(name, routines):
    rows = "".join(f'    {{"{routine}", (void (*)(void)){routine}}},\n' for routine in routines)
    return f"static const struct routine {name}[] = {{\n{rows}}};\n"


def text(prototypes, generics):
    names = [re.search(r"(\w+)\(", line)[1] for line in prototypes]
    shared = sorted(set(names) & set(re.findall(r"^\w+ (\w+)\(", generics, re.MULTILINE)))
    profiled_names = ["p" + name for name in names if name.startswith("shmem_")]
    profiled = [re.sub(r"\bshmem_(\w+\()", r"pshmem_\1", line, count=1)
                for line, name in zip(prototypes, names) if name.startswith("shmem_")]
    parts = [HEAD, "// Routines whose names are type-generic macros too.\n"]
    parts += [f"#undef {name}\n" for name in shared]
    parts += ["\n", "\n".join(prototypes), "\n\n#ifdef SKERRY_NO_INLINE\n", "\n".join(profiled), "\n#endif\n",
              MAIN, "\n", table("routines", names), "\n#ifdef SKERRY_NO_INLINE\n", table("profiling", profiled_names), "#endif\n"]
    parts.append("""
int main(void) {
    int failed = check("shmem", routines, COUNT(routines));
#ifdef SKERRY_NO_INLINE
    failed |= check("pshmem", profiling, COUNT(profiling));
#endif
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
""")
    return "".join(parts)


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    lines = facts.prototypes_text().splitlines()
    prototypes = [line.split(" // ")[0] for line in lines if line and not line.startswith("#")]
    pathlib.Path(arguments[0]).write_text(text(prototypes, facts.generics_text()), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
