// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>

static int from[16], to[16];

int main(void) {
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    for (int i = 0; i < pes; i++) from[i] = me;
    shmem_int_alltoall(SHMEM_TEAM_WORLD, to, from, 1);
    const int wrong = to[pes - 1] != pes - 1;
    shmem_finalize();
    return wrong;
}
