#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Processes that are no PEs of the launcher's job. They do not load the module for PMIx.
. "$(dirname "$0")/mpirun.sh"

# loads_pmix COMMAND...: succeeds if a process of the command opens the module
loads_pmix() {
    LD_DEBUG=files LD_DEBUG_OUTPUT=$PWD/loaded timeout 60 "$@" >/dev/null 2>&1 </dev/null
    grep -qs 'start/pmix.so' loaded.*
    found=$?
    rm -f loaded.*
    return $found
}

loads_pmix mpirun -x LD_DEBUG -x LD_DEBUG_OUTPUT -n 2 ./pe || fail "a job of two PEs does not load the module"
loads_pmix mpirun -x LD_DEBUG -x LD_DEBUG_OUTPUT -n 1 ./pe && fail "a job of one PE loads the module"
loads_pmix "$oshrun" -n 2 ./pe && fail "a job of oshrun loads the module"

# The server's address is wrong, but the only process does not need the server.
run mpirun -n 1 env PMIX_SERVER_URI4=nobody PMIX_SERVER_URI41=nobody ./pe
expect_work 1 "one process, no PMIx"
expect_silence

run mpirun -n 3 env SKERRY_PMIX=none ./pe </dev/null
expect_code 0 "SKERRY_PMIX=none"
expect_out "PE 0 of 1
PE 0 of 1
PE 0 of 1"
expect_silence

# oshrun inside a job of mpirun starts jobs of its own.
run mpirun -n 2 "$oshrun" -n 2 ./pe </dev/null
sort -o out out
expect_code 0 "oshrun in a job of mpirun"
expect_out "PE 0 of 2
PE 0 of 2
PE 1 of 2
PE 1 of 2"

# What a PE of such a job starts is no PE of mpirun's job either.
run mpirun -n 2 "$oshrun" -n 1 ./pe child </dev/null
expect_code 0 "a program that a PE of oshrun starts"
expect_out "PE 0 of 1
PE 0 of 1
PE 0 of 1
PE 0 of 1"
finish
