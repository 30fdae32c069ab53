// SPDX-License-Identifier: BSD-3-Clause
// One translation unit with the library, and the program may use names that the library's files have for themselves, take
// the address of a routine that is inline, and call the profiling names.
#include <pshmem.h>
#include <stdio.h>

struct heap {
    int last;
};
enum { WAITING, LINK, FREE, LAST };
static struct heap heap = {.last = LAST};
static int rounds, member = LINK;
static long box;

static int add(int left, int right) {
    return left + right;
}

static int begin(void) {
    return add(heap.last, member) + rounds;
}

static int leave(int wrong) {
    shmem_finalize();
    return wrong;
}

int main(void) {
    void (*volatile put)(long *dest, long value, int pe) = shmem_long_p;
    pshmem_init();
    int right = pshmem_my_pe() + 1 < shmem_n_pes() ? shmem_my_pe() + 1 : 0;
    put(&box, begin() + right, right);
    pshmem_barrier_all();
    if (pshmem_long_g(&box, right) == 4 + right && begin() == 4) return leave(0);
    printf("PE %d: %ld\n", shmem_my_pe(), box);
    return leave(1);
}
