// SPDX-License-Identifier: BSD-3-Clause
// SKERRY_CHECK=1 checks a program that was built without --check, as far as its calls are not inlined.
// pes: 2
// env: SKERRY_CHECK=1
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_broadcast: nelems 4: must be the same on all members. PE 0 has 3
#include <shmem.h>

static long words[4], values[4];

int main(void) {
    shmem_init();
    shmem_long_broadcast(SHMEM_TEAM_WORLD, words, values, 3 + (size_t)shmem_my_pe(), 0);
    shmem_finalize();
    return 0;
}
