// SPDX-License-Identifier: BSD-3-Clause
// Defines a lock for workers that share one memory: a ticket lock (Mellor-Crummey and Scott 1991).
#ifndef SKERRY_MACHINE_RISCV_SPIN_LOCK_H
#define SKERRY_MACHINE_RISCV_SPIN_LOCK_H

#include "../machine.h"

struct skerry_spin {
    uint32_t tickets; // number of tickets that workers have taken
    uint32_t turn;    // the worker with this ticket has the lock
};

// Takes a lock. Workers get the lock in the order of their tickets. A worker that has the lock must not wait or yield.
// If it did, another worker of its core could poll for the lock and never let it run again.
SKERRY_ALWAYS_INLINE void skerry_spin_take(struct skerry_spin *lock) {
    const uint32_t ticket = __atomic_fetch_add(&lock->tickets, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(&lock->turn, __ATOMIC_ACQUIRE) != ticket) {
    }
}

SKERRY_ALWAYS_INLINE void skerry_spin_give(struct skerry_spin *lock) {
    __atomic_store_n(&lock->turn, lock->turn + 1, __ATOMIC_RELEASE);
}

#endif
