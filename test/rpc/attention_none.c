// SPDX-License-Identifier: BSD-3-Clause
// SKERRY_ATTENTION=none: as SHMEMX_RPC_ONLY_WAITING from the start.
// pes: 2 4
// env: SKERRY_ATTENTION=none
#include "rpc.h"

static long calls;

static void note(long *at) {
    ++*localize(at);
}
RPC(note)

int main(void) {
    test_begin();
    if (me == 0) test_sleep_ms(50);
    else note_rpc(address_at(&calls, 0));
    shmem_barrier_all();
    REQUIRE(me != 0 || calls == pes - 1, "%ld calls", calls);
    REQUIRE(counters().interrupting == 0 && counters().interrupted == 0, "something was interrupted");
    return test_end();
}
