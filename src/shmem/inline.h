// SPDX-License-Identifier: BSD-3-Clause
// What the inline routines stand on besides the machine: the context's PE translation and the names of the checks.
#ifndef SKERRY_SHMEM_INLINE_H
#define SKERRY_SHMEM_INLINE_H

#include "../machine/machine.h"
#include "../primitive/lock.h"
#include "atomic_inline.h"
#include "check.h"

// A context is the PEs it may name: team PE i is world PE start + i * stride. The default context is start 0, stride 1.
// Operations of one PE share the machine's order whatever their context, so there is nothing else to carry.
struct skerry_context {
    int32_t start;
    int32_t stride;
    struct skerry_team *team;
    int32_t size; // of the team; 0: the context does not exist any more
    int32_t options;
    uintptr_t thread; // that created a private one
};

SKERRY_ALWAYS_INLINE int skerry_context_pe(const struct skerry_context *context, int pe) {
    if (__builtin_constant_p(context == &skerry_context_default) && context == &skerry_context_default) return pe;
    return context->start + skerry_times(pe, context->stride);
}

// Comparison of the point-to-point routines; `compare` is one of SHMEM_CMP_*. Written so that a constant comparison
// leaves one instruction.
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

// What a routine that only looks does with a look that found nothing: with more PEs than processors the one that will
// change the word may be waiting for this very processor.
SKERRY_ALWAYS_INLINE int skerry_test_outcome(int found) {
    if (!found) skerry_poll_again();
    return found;
}

#endif
