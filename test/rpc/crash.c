// SPDX-License-Identifier: BSD-3-Clause
// A function that crashes where it was served: the line names the PE and the function.
// pes: 2 4
// flags: -g
// expect-exit: 139
// expect-stderr: PE 1 .*killed by signal 11 .* in store_at_null at crash.c:
// skip: asan ubsan tsan aarch64
#include "rpc.h"

static long data[1];

__attribute__((noinline)) static long store_at_null(long *at) {
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
    return *at;
}
RPC(store_at_null)

int main(void) {
    test_begin();
    if (me == 0) store_at_null_rpc(address_at(data, 1));
    shmem_barrier_all();
    return test_end();
}
