// SPDX-License-Identifier: BSD-3-Clause
// Tasks of a recursion take a lock in turn, and one of them does not release it.
// expect-exit: 124
// expect-stderr: deadlock in cycle .* every core waits
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int count;

static void tree(int depth) {
    if (depth == 0) {
        omp_set_lock(&lock);
        if (++count != 20) omp_unset_lock(&lock);
        return;
    }
#pragma omp task
    tree(depth - 1);
#pragma omp task
    tree(depth - 1);
#pragma omp taskwait
}

int main(void) {
    omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
    tree(7);
    puts("no deadlock");
    return 0;
}
