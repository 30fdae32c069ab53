// SPDX-License-Identifier: BSD-3-Clause
// On a machine that carries calls itself (a chip): calls that this PE runs itself, and the status of the last call.
// f_rpc leaves its status in the word at which it waits (`done`): 1 if the other PE ran the call, 0 if this PE did. All
// other routines store SEE_NOTE there, and their status in `statuses`. Only calls of the program use that word, because
// f_rpc may be waiting at it while a function or a handler runs: functions and handlers have elements of `statuses` of
// their own.
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
