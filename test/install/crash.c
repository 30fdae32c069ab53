// SPDX-License-Identifier: BSD-3-Clause
// Its PE 1 writes where nothing is, in a function that the launcher shall name.
#include <shmem.h>

__attribute__((noinline)) static void write_nowhere(int *volatile place) {
    *place = 1; // line 6
}

int main(void) {
    shmem_init();
    if (shmem_my_pe() == 1) write_nowhere((int *)8);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
