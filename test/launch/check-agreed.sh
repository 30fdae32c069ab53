#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Only one PE's environment asks for checks. All PEs check then: nobody waits for ever, and blocks have equal offsets.
. "$(dirname "$0")/common.sh"

cat > blocks.c <<'END'
#include <shmem.h>

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), pes = shmem_n_pes(), wrong = 0;
    for (int i = 0; i < 4; i++) {
        int *block = shmem_malloc((size_t)(100 * i + 40));
        shmem_int_p(block, me, (me + 1) % pes);
        shmem_barrier_all();
        wrong += *block != (me + pes - 1) % pes;
    }
    shmem_finalize();
    return wrong;
}
END
"$SKERRY_BIN/oshcc" -O1 blocks.c -o blocks || fail "oshcc"
run "$oshrun" -n 3 sh -c 'test "$SKERRY_PE" != 1 || export SKERRY_CHECK=1; exec ./blocks'
expect_code 0 "only PE 1 checks"
expect_silence
finish
