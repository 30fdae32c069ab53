// SPDX-License-Identifier: BSD-3-Clause
// A PE is killed while all others call it: the job ends at once, and nobody waits for its reply.
// pes: 2 4 8
// expect-exit: 137
// expect-stderr: PE 0 .*killed by signal 9
#include "rpc.h"

#include <signal.h>

static long calls;

static void count(long *at) {
    if (++*localize(at) == 100) raise(SIGKILL);
}
RPC(count)

int main(void) {
    test_begin();
    if (me == 0) shmem_barrier_all();
    for (;;) count_rpc(address_at(&calls, 0));
}
