// SPDX-License-Identifier: BSD-3-Clause
// Defers and masks calls of other PEs on a machine whose cores pass calls through rings (queues of calls). Deferred and
// masked calls stay in this PE's rings. A program without classes (urgent, normal, background) makes only normal calls.
// Deferring the normal calls then masks all calls.
#include "ring.h"

#include <shmemx.h>

static int first_deferred = SHMEMX_RPC_NONE;
static unsigned masked; // number of calls of shmemx_rpc_mask minus calls of shmemx_rpc_unmask

static void settle(void) {
    bool is_deferred = !skerry_rpc_defer_from && first_deferred <= SHMEMX_RPC_NORMAL;
    skerry_rpc_hold(masked > 0 || is_deferred);
}

int shmemx_rpc_defer(int class) {
    int before = first_deferred;
    if (class < SHMEMX_RPC_URGENT || class > SHMEMX_RPC_NONE)
        skerry_fail_values(__func__,
                           "class #: must be SHMEMX_RPC_URGENT (0), SHMEMX_RPC_NORMAL (1), SHMEMX_RPC_BACKGROUND (2) "
                           "or SHMEMX_RPC_NONE (3)",
                           (long[]){class}, 1);
    first_deferred = class;
    settle();
    if (skerry_rpc_defer_from) skerry_rpc_defer_from(class);
    return before;
}

void shmemx_rpc_mask(void) {
    masked++;
    settle();
}

void shmemx_rpc_unmask(void) {
    if (masked == 0) skerry_fail(__func__, "must be called once for each call of shmemx_rpc_mask, and after it");
    masked--;
    settle();
}

// Runs the calls that have arrived, deferred calls too, and returns their number. Does nothing and returns 0 in two
// cases: if this PE cannot be interrupted, and in a function that runs for another PE. In the second case this PE is
// already running the calls in its ring.
int shmemx_rpc_poll(void) {
    uint32_t before = skerry_rpc.served;
    if (skerry_rpc_level() != 0 || !skerry_can_be_interrupted()) return 0;
    skerry_rpc_hold(false);
    if (skerry_rpc_defer_from) {
        skerry_rpc_defer_from(SHMEMX_RPC_NONE);
        skerry_rpc_defer_from(first_deferred);
    }
    settle();
    return (int)((skerry_rpc.served - before) / SKERRY_RPC_ONE);
}
