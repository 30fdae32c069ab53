// SPDX-License-Identifier: BSD-3-Clause
// The global address of a far PE's object is a name: an access to it ends the job, and the line says whose memory it names.
// pes: 2 4
// nodes: only
// expect-exit: 139
// expect-stderr: PE 0 .*killed by signal 11 .*address 0x[0-9a-f]+, PE [13]'s heap \+ 0x
// skip: asan ubsan tsan
#include "rpc.h"

int main(void) {
    test_begin();
    volatile long *numbers = test_malloc(sizeof *numbers);
    if (me == 0) *(volatile long *)address_at((const void *)numbers, pes - 1) = 1;
    shmem_barrier_all();
    return test_end();
}
