// SPDX-License-Identifier: BSD-3-Clause
// A thread whose stack is full ends the program with a line.
// threads: 2
// env: OMP_STACKSIZE=16K
// expect-exit: 124
// expect-fail: stack overflow: .* below the thread's stack; OMP_STACKSIZE sets the size
#include "test.h"

static __attribute__((noinline)) int fill(int depth) {
    volatile char room[512];
    memset((char *)room, depth, sizeof room);
    return depth ? fill(depth - 1) + room[depth] : 0;
}

int main(void) {
#pragma omp parallel
    {
        if (omp_get_thread_num() == 1) fill(32); // a little more than the stack has
    }
    return 0;
}
