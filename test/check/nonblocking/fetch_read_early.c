// SPDX-License-Identifier: BSD-3-Clause
// The same for the result of a non-blocking fetching atomic operation.
// pes: 2
// check: yes
// expect-exit: 3
// expect-stderr: nothing is there yet
#include <shmem.h>

#include <stdio.h>

static int word;

int main(void) {
    shmem_init();
    int before = 0;
    shmem_int_atomic_fetch_inc_nbi(&before, &word, shmem_my_pe());
    int early = before;
    shmem_quiet();
    if (before != 0) return 1;
    shmem_finalize();
    if (early < 0) {
        fputs("nothing is there yet\n", stderr);
        return 3;
    }
    return 0;
}
