// SPDX-License-Identifier: BSD-3-Clause
// SKERRY_ATTENTION=thread: calls are served beside the program, which computes, from the start.
// pes: 2 4
// threads: yes
// env: SKERRY_ATTENTION=thread
#include "rpc.h"

static long calls;

static void note(long *at) {
    __atomic_fetch_add(localize(at), 1, __ATOMIC_RELEASE);
}
RPC(note)

int main(void) {
    test_begin();
    if (me == 0) REQUIRE(compute_until(&calls, 30), "no call has come");
    else note_rpc(address_at(&calls, 0));
    shmem_barrier_all();
    REQUIRE(me != 0 || calls == pes - 1, "%ld calls", calls);
    return test_end();
}
