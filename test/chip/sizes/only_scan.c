// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>

static int from = 1, to;

int main(void) {
    shmem_init();
    shmem_int_sum_inscan(SHMEM_TEAM_WORLD, &to, &from, 1);
    const int wrong = to != shmem_my_pe() + 1;
    shmem_finalize();
    return wrong;
}
