// SPDX-License-Identifier: BSD-3-Clause
// Defines functions that the bodies of the inline routines call: they translate the ranks of a context, compare values,
// and update signals. This header also includes the machine's operations and the declarations of the checks.
#ifndef SKERRY_SHMEM_INLINE_H
#define SKERRY_SHMEM_INLINE_H

#include "../config/config.h"
#include "../machine/machine.h"
#include "../primitive/lock.h"
#include "atomic_inline.h"
#include "check.h"

// A context describes the PEs of its team: PE i of the team is world PE start + i * stride. The default context has
// start 0 and stride 1. The machine orders all operations of a PE alike, whatever their context, so a context needs no
// other state.
struct skerry_context {
    int32_t start;
    int32_t stride;
    struct skerry_team *team;
    int32_t size; // number of PEs in the team; 0: the context was destroyed
    int32_t options;
    uintptr_t thread; // identity of the thread that created the context; only this thread may use a private context
};

SKERRY_ALWAYS_INLINE int skerry_context_pe(const struct skerry_context *context, int pe) {
    if (__builtin_constant_p(context == &skerry_context_default) && context == &skerry_context_default) return pe;
    return context->start + skerry_times(pe, context->stride);
}

// Compares two values as the point-to-point routines do; `compare` is one of SHMEM_CMP_*. If `compare` is a constant,
// the expression compiles to one instruction.
#define SKERRY_COMPARE(left, compare, right)                                                                           \
    ((compare) == SHMEM_CMP_EQ   ? (left) == (right)                                                                   \
     : (compare) == SHMEM_CMP_NE ? (left) != (right)                                                                   \
     : (compare) == SHMEM_CMP_GT ? (left) > (right)                                                                    \
     : (compare) == SHMEM_CMP_LE ? (left) <= (right)                                                                   \
     : (compare) == SHMEM_CMP_LT ? (left) < (right)                                                                    \
                                 : (left) >= (right))

SKERRY_ALWAYS_INLINE void skerry_signal_update(uint64_t *address, uint64_t signal, int operation, int pe) {
    if (operation == SHMEM_SIGNAL_ADD) skerry_atomic_add_64(address, signal, pe);
    else skerry_atomic_store_64(address, signal, pe);
}

// Returns `found`, the result of a routine that polls once. If the poll found nothing and there are more PEs than
// processors, the function first yields the processor, because the PE that is to change the word possibly needs this
// processor.
SKERRY_ALWAYS_INLINE int skerry_test_outcome(int found) {
    if (!found) skerry_poll_again();
    return found;
}

#endif
