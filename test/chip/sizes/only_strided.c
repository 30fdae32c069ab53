// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>

static int from[16] = {1, 0, 2}, to[16], got[16];

int main(void) {
    shmem_init();
    const int last = shmem_n_pes() - 1;
    shmem_int_iput(to, from, 1, 2, 8, shmem_my_pe());
    shmem_int_iget(got, from, 1, 2, 8, last);
    shmem_quiet();
    const int wrong = to[1] != 2 || got[1] != 2;
    shmem_finalize();
    return wrong;
}
