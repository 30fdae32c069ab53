#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a C program that calls every routine of facts.py before shmem_init.

    make_before_test.py FILE.c

The program does case number argv[1]; without an argument it prints the routine of each case, a line each. before_test.py runs
them all.
"""

import pathlib
import sys

from make_count_test import HEAD, OTHERS, read_prototypes

# Those that begin, end the program, or may be called at any time and store what they are asked.
LEFT_OUT = {"shmem_init", "shmem_init_thread", "start_pes", "shmem_global_exit"}
ARGUMENTS = {**OTHERS, "ivar": "(void *)there", "value": "1", "fetch": "(void *)here", "lock": "sync_work", "ptr": "(void *)there",
             "addr": "(void *)there", "size": "64", "count": "2", "alignment": "64", "hints": "0", "options": "0", "config": "NULL",
             "config_mask": "0", "new_team": "&made", "start": "0", "stride": "1", "xrange": "1", "xaxis_team": "&made",
             "yaxis_team": "&made", "xaxis_config": "NULL", "yaxis_config": "NULL", "xaxis_mask": "0", "yaxis_mask": "0",
             "parent_team": "SHMEM_TEAM_WORLD", "src_team": "SHMEM_TEAM_WORLD", "dest_team": "SHMEM_TEAM_WORLD", "src_pe": "0",
             "name": "there", "major": "targets", "minor": "targets", "provided": "targets", "initialized": "targets"}

MORE = """
static shmem_team_t made;
static shmem_ctx_t made_context;
"""

MAIN = """
int main(int argc, char **argv) {
    if (argc < 2) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) puts(cases[i].routine);
        return 0;
    }
    cases[atoi(argv[1])].call();
    return 0;
}
"""


def argument(ctype, name):
    if name == "ctx" and "*" in ctype:
        return "&made_context"
    if name == "team" and "*" in ctype:
        return "&made"
    return ARGUMENTS[name]


def main(command):
    if len(command) != 1:
        sys.exit(__doc__)
    functions, rows = [], []
    for routine, parameters in read_prototypes():
        if routine in LEFT_OUT:
            continue
        values = [argument(*parameter) for parameter in parameters if parameter != ("", "void")]
        functions.append(f"static void case_{len(rows)}(void) {{ ({routine})({', '.join(values)}); }}\n")
        rows.append(f'    {{"{routine}", case_{len(rows)}}},\n')
    table = "static const struct {\n    const char *routine;\n    void (*call)(void);\n} cases[] = {\n" + "".join(rows) + "};\n"
    pathlib.Path(command[0]).write_text(HEAD + MORE + "\n" + "".join(functions) + "\n" + table + MAIN, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
