#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpirun starts the PEs of a job. The processes are one job, not one job each.
. "$(dirname "$0")/mpirun.sh"

for pes in 1 2 3 4 7 16; do
    job "$pes"
    expect_work "$pes" "$pes PEs"
    expect_silence
done

# SKERRY_PE and SKERRY_PES are set, also in a program that never calls shmem_init.
job 3 plain
expect_code 0 "no shmem_init"
expect_out "plain 0 of 3
plain 1 of 3
plain 2 of 3"
expect_silence

# ps and top show the name of the program, although the library starts the program again.
job 2 name
expect_code 0 "name"
expect_out "pe
pe"

# A program that a PE starts is no PE of the job.
job 3 child
expect_code 0 "child"
expect_out "$(printf 'PE 0 of 1\n%s\n' "$(work_of 3)" | sort)"
expect_silence

job 4 sessions
expect_code 0 "two sessions"
expect_out "$(printf '%s\n%s\n' "$(work_of 4)" "$(work_of 4)" | sort)"
expect_silence

# A program can end by _exit after shmem_finalize.
job 3 quick
expect_work 3 "_exit after shmem_finalize"
expect_silence

job 3 unfinished
expect_work 3 "no shmem_finalize"
expect_skerry_line 'PE [0-2]: exited without shmem_finalize; .*' "no shmem_finalize"
finish
