#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# oshcc --machine example and oshrun --machine example refuse what the machine lacks, and a wait that cannot end is reported.
. "$(dirname "$0")/../launch/common.sh"
cat >wait.c <<'END'
#include <shmem.h>
static long word;
int main(void) {
    shmem_init();
    shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
    shmem_finalize();
    return 0;
}
END
cat >rank.c <<'END'
#include <shmem.h>
#include <stdio.h>
int main(int count, char **words) {
    shmem_init();
    printf("PE %d of %d: %s\n", shmem_my_pe(), shmem_n_pes(), count > 1 ? words[1] : "no argument");
    shmem_finalize();
    return 7;
}
END
"$SKERRY_BIN/oshcc" --machine example wait.c -o wait || fail "oshcc --machine example failed"
"$SKERRY_BIN/oshcc" --machine=example -O2 -c rank.c || fail "oshcc -c failed"
"$SKERRY_BIN/oshcc" --machine=example rank.o -o rank || fail "oshcc does not link an object"

run "$oshrun" --machine example -n 1 ./rank -n
expect_code 7 "rank"
expect_out "PE 0 of 1: -n"
run "$oshrun" --machine=example ./rank
expect_out "PE 0 of 1: no argument"

run "$oshrun" --machine example ./wait
expect_code 1 "a wait that cannot end"
expect_line "skerry: PE 0: wait: the word does not have the value that this PE waits for, and no other PE can change it"

run "$oshrun" -n 3 ./rank
expect_code 126 "a program for the example machine, without --machine"
expect_line "oshrun: ./rank: is a program for the machine example: oshrun --machine example runs it"

run "$oshrun" --machine example -n 2 ./rank
expect_code 2 "-n 2"
expect_line "oshrun: -n 2: the example machine has one PE"
run "$oshrun" --machine example --heap 1g ./rank
expect_code 2 "--heap"
expect_line "oshrun: --heap: not for the example machine"
run "$oshrun" --machine example ./absent
expect_code 127 "a missing program"
expect_line "oshrun: ./absent: No such file or directory"
run "$oshrun" --machine example
expect_line "oshrun: no program given"
run "$SKERRY_BIN/oshcc" --machine example --check rank.c
expect_code 2 "--check"
expect_line "oshcc: --check: the example machine has no checks"
finish
