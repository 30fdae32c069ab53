// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>

static int from[2], all[32], some[32];

int main(void) {
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    from[0] = from[1] = me;
    shmem_int_fcollect(SHMEM_TEAM_WORLD, all, from, 2);
    shmem_int_collect(SHMEM_TEAM_WORLD, some, from, me == 0 ? 2 : 1);
    const int wrong = all[2 * pes - 1] != pes - 1 || some[pes] != pes - 1;
    shmem_finalize();
    return wrong;
}
