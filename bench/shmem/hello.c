// SPDX-License-Identifier: BSD-3-Clause
// Each PE prints a line. `skerry bench` times the start and the end of this program from outside.
#include <shmem.h>
#include <stdio.h>

int main(void) {
    shmem_init();
    printf("hello from PE %d of %d\n", shmem_my_pe(), shmem_n_pes());
    shmem_finalize();
    return 0;
}
