// SPDX-License-Identifier: BSD-3-Clause
// Prints a line on each PE. `skerry bench` measures the time from the start to the end of a job of this program.
#include <shmem.h>
#include <stdio.h>

int main(void) {
    shmem_init();
    printf("hello from PE %d of %d\n", shmem_my_pe(), shmem_n_pes());
    shmem_finalize();
    return 0;
}
