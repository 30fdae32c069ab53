// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>

static int counter;

int main(void) {
    shmem_init();
    shmem_int_atomic_add(&counter, 2, 0);
    (void)shmem_int_atomic_fetch_inc(&counter, 0);
    (void)shmem_int_atomic_compare_swap(&counter, -1, 0, 0);
    shmem_barrier_all();
    const int wrong = shmem_int_atomic_fetch(&counter, 0) < 3;
    shmem_finalize();
    return wrong;
}
