// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>

static char from[64] = {1}, to[64];

int main(void) {
    shmem_init();
    shmem_putmem(to, from, sizeof to, shmem_my_pe());
    shmem_quiet();
    const int wrong = to[0] != 1;
    shmem_finalize();
    return wrong;
}
