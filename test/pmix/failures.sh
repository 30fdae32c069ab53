#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A PE that fails ends the whole job: with one line that names it, the right exit code, and no process left.
. "$(dirname "$0")/mpirun.sh"

# fails MODE CODE LINE
fails() {
    job 4 "$1"
    expect_code "$2" "$1"
    expect_skerry_line "$3" "$1"
    wait_until no_pe_left || fail "$1: processes are left"
}

fails exit 7 'PE 1: exited with code 7; job stopped'
fails global 5 'PE 1: called shmem_global_exit with status 5; job stopped'
fails abort 134 'PE [02]: PE 1 (process [0-9]*) was killed by signal 6 (Aborted); job stopped'
fails wrong 1 'PE 1: shmem_ctx_destroy: SHMEM_CTX_DEFAULT cannot be destroyed'
fails crash 139 'PE [02]: PE 1 (process [0-9]*) was killed by signal 11 (Segmentation fault); job stopped'
fails absent 1 'PE [02]: PE 1 has ended without shmem_init, and PE [02] waits for it; job stopped'

# shmem_global_exit with status 0 is no failure.
job 4 global0
expect_code 0 "shmem_global_exit(0)"
expect_silence
wait_until no_pe_left || fail "shmem_global_exit(0): processes are left"

# mpirun tells these two ends itself, and possibly before Skerry does.
job 4 kill
expect_code 137 "killed"
wait_until no_pe_left || fail "killed: processes are left"
job 4 _exit
[ "$code" -eq 1 ] || fail "_exit: exit code $code"
wait_until no_pe_left || fail "_exit: processes are left"

# If the launcher is killed, the PEs end.
mpirun -n 3 "$PWD/pe" pause >out 2>err </dev/null &
launcher=$!
all_wait() { [ "$(ps -eo args= | awk -v program="$PWD/pe" '$1 == program && $2 == "pause"' | wc -l)" -eq 3 ]; }
wait_until all_wait || fail "the job does not start"
sleep 0.5
kill -9 "$launcher"
wait_until no_pe_left || fail "the launcher is killed, and PEs are left"
finish
