// SPDX-License-Identifier: BSD-3-Clause
// The first program: every PE stores its number at the next PE, and prints a line with its own number.
#include <shmem.h>
#include <stdio.h>

static int greeted_by = -1; // symmetric: every PE has this variable, and any PE can access it

int main(void) {
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    shmem_int_p(&greeted_by, me, (me + 1) % pes); // stores this PE's number at the next PE
    shmem_barrier_all();                          // the greetings of all PEs have arrived
    printf("hello from PE %d of %d, greeted by PE %d\n", me, pes, greeted_by);
    const int right = greeted_by == (me + pes - 1) % pes;
    shmem_finalize();
    return right ? 0 : 1;
}
