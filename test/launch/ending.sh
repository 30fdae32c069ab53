#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a PE says in its control block decides what its end means: exit code 0 may be a failure and another one not.
. "$(dirname "$0")/common.sh"
build pe

run "$oshrun" -n 3 ./pe init finalize rank
expect_code 0 "all well"
expect_silence

run "$oshrun" -n 3 ./pe init @1 exit=0 sleep=30
expect_code 1 "without finalize"
expect_line 'oshrun: PE 1 (process *) exited without shmem_finalize; job stopped'

run "$oshrun" -n 3 ./pe @2 exit=0 init sleep=30
expect_code 1 "without init"
expect_line 'oshrun: PE 2 (process *) exited without shmem_init while other PEs wait for it; job stopped'

# The others may come to shmem_init only later.
run "$oshrun" -n 3 ./pe @0 exit=0 sleep=0.4 init sleep=30
expect_code 1 "without init, early"
expect_line 'oshrun: PE 0 (process *) exited without shmem_init while other PEs wait for it; job stopped'

# A program of which no PE is an OpenSHMEM program is none of our business.
run "$oshrun" -n 3 ./pe rank exit=0
expect_code 0 "nobody calls shmem_init"
expect_silence

run "$oshrun" -n 3 ./pe init @1 global_exit=0 sleep=30
expect_code 0 "global exit 0"
expect_silence

run "$oshrun" -n 3 ./pe init @1 global_exit=5 sleep=30
expect_code 5 "global exit 5"
expect_line 'oshrun: PE 1 (process *) called shmem_global_exit with status 5; job stopped'

# The library has said why.
run "$oshrun" -n 3 ./pe init @1 refuse @1 exit=1 sleep=30
expect_code 1 "refused"
expect_silence

# After shmem_finalize the others may still say what they have to say.
run "$oshrun" -n 3 ./pe init finalize @0 exit=4 sleep=0.2 rank
expect_code 4 "after finalize"
[ "$(sort out | tr '\n' ' ')" = "1 2 " ] || fail "output of the others is missing: $(cat out)"
finish
