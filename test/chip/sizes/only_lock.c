// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>

static long lock;
static int counter;

int main(void) {
    shmem_init();
    shmem_set_lock(&lock);
    shmem_int_p(&counter, shmem_int_g(&counter, 0) + 1, 0);
    shmem_clear_lock(&lock);
    shmem_barrier_all();
    const int wrong = shmem_int_g(&counter, 0) != shmem_n_pes();
    shmem_finalize();
    return wrong;
}
