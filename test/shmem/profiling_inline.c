// SPDX-License-Identifier: BSD-3-Clause
// A routine of the program's own under a library's name: in a program compiled with the inline fast paths the definition
// still links, and calls through a pointer reach it.
// pes: 1 2
#include "test.h"

static int seen;
void pshmem_long_p(long *dest, long value, int pe);

void shmem_long_p(long *dest, long value, int pe) {
    seen++;
    pshmem_long_p(dest, value, pe);
}

static long word;

int main(void) {
    test_begin();
    void (*volatile put)(long *, long, int) = shmem_long_p;
    put(&word, 10 + me, right_of(me));
    shmem_barrier_all();
    REQUIRE(word == 10 + left_of(me) && seen == 1, "the program's own shmem_long_p was called %d times", seen);
    shmem_barrier_all();
    return test_end();
}
