// SPDX-License-Identifier: BSD-3-Clause
// Keeps the status of the last call on a machine whose cores pass calls through rings (queues of calls). Also runs
// functions at the caller instead of the target. The thunk f_rpc leaves its status in the word at which it waits
// (`done`): 1 if the other PE ran the call, 0 if this PE ran it. All other routines store SEE_NOTE in `done`, and their
// status in `statuses`.
#include "ring.h"

#define SEE_NOTE 2

// The statuses of the program, of functions that run for other PEs, and of handlers (skerry_rpc_level).
static int8_t statuses[3];

int skerry_rpc_note(int status) {
    int level = skerry_rpc_level();
    statuses[level] = (int8_t)status;
    // Only the program's calls change `done`: the program's f_rpc is possibly waiting at `done` while a function for
    // another PE or a handler runs.
    if (level == 0) skerry_rpc.done = SEE_NOTE;
    return status;
}

int shmemx_rpc_status(void) {
    int level = skerry_rpc_level();
    uint32_t done = skerry_rpc.done;
    SKERRY_NEEDS_CALLS();
    if (level == 0 && done != SEE_NOTE) return done ? SHMEMX_RPC_SERVED : SHMEMX_RPC_RUN_BY_CALLER;
    return statuses[level];
}

void skerry_rpc_run_here(const struct skerry_kept_call *call, int pe, struct skerry_results *results) {
    skerry_apply_arguments(call->function & ~(uintptr_t)SKERRY_RPC_BLOCK, &call->arguments, results);
    if (pe == skerry_my_pe()) return;
    skerry_note_written(pe);
    skerry_quiet();
    uint32_t mask = skerry_mask_interrupts();
    skerry_rpc.run_here++;
    skerry_unmask_interrupts(mask);
}
