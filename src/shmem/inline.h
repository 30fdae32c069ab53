// SPDX-License-Identifier: BSD-3-Clause
// Includes the bodies of the inline routines, and defines what all of them use: the checks and the ranks of a context.
#ifndef SKERRY_SHMEM_INLINE_H
#define SKERRY_SHMEM_INLINE_H

#include "../config/config.h"
#include "../machine/machine.h"

// Executes a statement if the program asked for checks. The library defines this macro before it includes this header.
// In a user's program the macro does nothing, so an inlined routine has no checks.
#ifndef SKERRY_WHEN_CHECKING
#define SKERRY_WHEN_CHECKING(STATEMENT)
#endif

#include "../primitive/lock.h"
#include "amo_inline.h"
#include "check.h"
#include "rma_inline.h"
#include "signal_inline.h"
#include "wait_inline.h"

// A context describes the PEs of its team: PE i of the team is world PE start + i * stride. The default context has
// start 0 and stride 1. Operations on PEs of the same node are ordered and completed together for all contexts. Only
// operations on other nodes need the field `number`, so it exists only with SKERRY_FAR_PES.
struct skerry_context {
    int32_t start;
    int32_t stride;
    struct skerry_team *team;
    int32_t size; // number of PEs in the team; 0: the context was destroyed
    int32_t options;
#if SKERRY_FAR_PES
    uint32_t number; // names this context's operations on PEs of other nodes; 0: the default context
#endif
    uintptr_t thread; // identity of the thread that created the context; only this thread may use a private context
};

SKERRY_ALWAYS_INLINE int skerry_context_pe(const struct skerry_context *context, int pe) {
    if (__builtin_constant_p(context == &skerry_context_default) && context == &skerry_context_default) return pe;
    return context->start + skerry_times(pe, context->stride);
}

// Returns the world rank of PE `pe` of the context's team.
SKERRY_ALWAYS_INLINE int skerry_pe_in_context(const char *routine, const struct skerry_context *context, int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_context(routine, context, pe))
    (void)routine;
    pe = skerry_context_pe(context, pe);
#if SKERRY_FAR_PES
    skerry_use_context(context->number, pe);
#endif
    return pe;
}

// These functions order (skerry_fence_context) or complete (skerry_quiet_context) the operations of a context. A quiet
// on the default context, or on SHMEM_CTX_INVALID, completes the operations of all contexts. The specification requires
// less.
SKERRY_ALWAYS_INLINE void skerry_fence_context(const struct skerry_context *context) {
#if SKERRY_FAR_PES
    skerry_fence_of(context == SHMEM_CTX_INVALID ? 0 : context->number);
#else
    (void)context;
    skerry_fence();
#endif
}

SKERRY_ALWAYS_INLINE void skerry_quiet_context(const struct skerry_context *context) {
#if SKERRY_FAR_PES
    skerry_quiet_of(context == SHMEM_CTX_INVALID ? 0 : context->number);
#else
    (void)context;
    skerry_quiet();
#endif
}

#endif
