// SPDX-License-Identifier: BSD-3-Clause
// Wrong: each thread holds a lock while it changes the sum, but the threads hold two different locks.
#include <omp.h>
#include <stdio.h>

static omp_lock_t locks[2];
static int sum;

int main(void) {
    for (int i = 0; i < 2; i++) omp_init_lock(&locks[i]);
#pragma omp parallel num_threads(2)
    {
        omp_lock_t *lock = &locks[omp_get_thread_num()];
        omp_set_lock(lock);
        sum++; // race
        omp_unset_lock(lock);
    }
    printf("%d\n", sum);
}
