// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>

static char from[512] = {1}, to[512];

int main(void) {
    shmem_init();
    shmem_getmem(to, from, sizeof to, shmem_n_pes() - 1);
    const int wrong = to[0] != 1;
    shmem_finalize();
    return wrong;
}
