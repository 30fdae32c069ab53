// SPDX-License-Identifier: BSD-3-Clause
// Defines the bodies of the signalling operations in signal.h. Each body checks its arguments if checks are switched
// on; `pe` is a rank in the world team.
#ifndef SKERRY_SHMEM_SIGNAL_INLINE_H
#define SKERRY_SHMEM_SIGNAL_INLINE_H

#include "../machine/machine.h"
#include "check.h"

// Sets the signal word at `address` on PE `pe`, or adds to it, as `operation` says (SHMEM_SIGNAL_SET or _ADD).
SKERRY_ALWAYS_INLINE void skerry_signal_update(uint64_t *address, uint64_t signal, int operation, int pe) {
    if (operation == SHMEM_SIGNAL_ADD) skerry_atomic_add_64(address, signal, pe);
    else skerry_atomic_store_64(address, signal, pe);
}

SKERRY_ALWAYS_INLINE void skerry_shmem_put_signal(const char *routine, void *dest, const void *source, size_t count,
                                                  size_t size, uint64_t *address, uint64_t signal, int operation,
                                                  int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_put_signal(routine, dest, count, size, address, operation, pe);
                         skerry_check_put(routine, dest, source, count, size, pe))
    (void)routine;
    skerry_put_signal_64(dest, source, count * size, address, signal, operation == SHMEM_SIGNAL_ADD, pe);
}

SKERRY_ALWAYS_INLINE void skerry_shmem_put_signal_nbi(const char *routine, void *dest, const void *source, size_t count,
                                                      size_t size, uint64_t *address, uint64_t signal, int operation,
                                                      int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_put_signal(routine, dest, count, size, address, operation, pe);
                         skerry_check_put_nbi(routine, dest, source, count, size, pe))
    (void)routine;
    skerry_put_signal_64(dest, source, count * size, address, signal, operation == SHMEM_SIGNAL_ADD, pe);
}

SKERRY_ALWAYS_INLINE void skerry_shmem_signal(const char *routine, uint64_t *address, uint64_t signal, int operation,
                                              int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_signal(routine, address, operation, pe))
    (void)routine;
    skerry_signal_update(address, signal, operation, pe);
}

SKERRY_ALWAYS_INLINE uint64_t skerry_shmem_signal_fetch(const char *routine, const uint64_t *address) {
    SKERRY_WHEN_CHECKING(skerry_check_own_word(routine, "sig_addr", address, sizeof *address, skerry_my_pe()))
    (void)routine;
    return SKERRY_LOAD_ACQUIRE(address);
}

#endif
