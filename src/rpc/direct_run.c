// SPDX-License-Identifier: BSD-3-Clause
// Where the machine carries calls itself: those that this PE runs itself, and how a call has ended. f_rpc leaves it in
// the word that it waits at: 1 when the other PE has run it, 0 when this PE has. All other routines leave 2 there and their status here.
// Only the program's calls use that word; a function or a handler in between, while f_rpc may wait, has a place of its own.
#include "../machine/call.h"

#ifdef SKERRY_CALLS_BY_MACHINE

#include <shmemx.h>

#define SEE_NOTE 2

static int8_t statuses[3];

int skerry_rpc_note(int status) {
    int level = skerry_rpc_level();
    statuses[level] = (int8_t)status;
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

uint64_t skerry_rpc_run_here(const struct skerry_kept_call *call, int pe) {
    uint64_t (*function)(uint32_t, uint32_t, uint32_t, uint32_t);
    function = (uint64_t(*)(uint32_t, uint32_t, uint32_t, uint32_t))(call->function & ~(uintptr_t)SKERRY_RPC_BLOCK);
    uint64_t value = function(call->arguments[0], call->arguments[1], call->arguments[2], call->arguments[3]);
    if (pe == skerry_my_pe()) return value;
    skerry_note_written(pe);
    skerry_quiet();
    uint32_t mask = skerry_mask_interrupts();
    skerry_rpc.run_here++;
    skerry_unmask_interrupts(mask);
    return value;
}

#endif
