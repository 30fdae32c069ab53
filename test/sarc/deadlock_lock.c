// SPDX-License-Identifier: BSD-3-Clause
// A task keeps a lock that another task waits for. The other threads search for tasks meanwhile.
// expect-exit: 124
// expect-stderr: deadlock in cycle .* every core waits
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;

static void keep(void) {
    omp_set_lock(&lock);
}

int main(void) {
    omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        keep();
#pragma omp task
        keep();
#pragma omp taskwait
    }
    puts("no deadlock");
    return 0;
}
