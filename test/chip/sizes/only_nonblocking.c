// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>

static char from[512] = {1}, to[512], got[512];

int main(void) {
    shmem_init();
    const int last = shmem_n_pes() - 1;
    shmem_putmem_nbi(to, from, sizeof to, shmem_my_pe());
    shmem_getmem_nbi(got, from, sizeof got, last);
    shmem_quiet();
    const int wrong = to[0] != 1 || got[0] != 1;
    shmem_finalize();
    return wrong;
}
