// SPDX-License-Identifier: BSD-3-Clause
// Tasks wait for a lock that the implicit task keeps while it waits for them. There are fewer tasks than threads of sarc-16.
// expect-exit: 124
// expect-stderr: deadlock in cycle .* every core waits
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int count;

static void want(void) {
    omp_set_lock(&lock);
    count++;
    omp_unset_lock(&lock);
}

int main(void) {
    omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
    {
        omp_set_lock(&lock);
        for (int i = 0; i < 10; i++) {
#pragma omp task
            want();
        }
#pragma omp taskwait
        omp_unset_lock(&lock);
    }
    puts("no deadlock");
    return 0;
}
