#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What is in place to the byte is done, with one line for each routine and job; by SKERRY_CHECK=strict it ends the job.
. "$(dirname "$0")/common.sh"

cat >in_place.c <<'END'
#include <shmem.h>

static long words[4], copy[2];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), wrong = 0;
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 4; i++) words[i] = me == 1 ? round + i : -1;
        shmem_barrier_all();
        shmem_long_broadcast(SHMEM_TEAM_WORLD, words, words, 4, 1);
        for (int i = 0; i < 4; i++) wrong += words[i] != round + i;
        copy[0] = round;
        shmem_long_put(copy, copy, 2, me);
        shmem_long_get_nbi(copy, copy, 2, me);
        shmem_quiet();
        wrong += copy[0] != round;
        shmem_barrier_all();
    }
    shmem_finalize();
    return wrong;
}
END
"$SKERRY_BIN/oshcc" --check -O1 in_place.c -o in_place || fail "oshcc"
run "$oshrun" -n 3 ./in_place
expect_code 0 "in place"
for routine in broadcast put get_nbi; do
    [ "$(grep -c "shmem_long_$routine: warning: dest 0x.* is also the source" err)" -eq 1 ] || fail "$routine: $(cat err)"
done
[ "$(wc -l <err)" -eq 3 ] || fail "more lines: $(cat err)"
SKERRY_CHECK=strict run "$oshrun" -n 3 ./in_place
expect_code 1 "strict"
expect_line 'skerry: PE [0-9]: shmem_long_broadcast: dest 0x* is also the source; the specification requires different arrays'
finish
