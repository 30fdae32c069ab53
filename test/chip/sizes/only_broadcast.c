// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>

static int from[16], to[16];

int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) from[15] = 5;
    shmem_int_broadcast(SHMEM_TEAM_WORLD, to, from, 16, 0);
    const int wrong = to[15] != 5;
    shmem_finalize();
    return wrong;
}
