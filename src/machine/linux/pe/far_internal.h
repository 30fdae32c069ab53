// SPDX-License-Identifier: BSD-3-Clause
// Declares what the files far.c, far_message.c and far_network.c share: the use of the network module (../network.h).
#ifndef SKERRY_MACHINE_LINUX_PE_FAR_INTERNAL_H
#define SKERRY_MACHINE_LINUX_PE_FAR_INTERNAL_H

#include "../far.h"
#include "../network.h"
#include "internal.h"

extern SKERRY_PRIVATE const struct skerry_network *skerry_network;    // NULL: the module is not loaded yet
extern SKERRY_PRIVATE struct skerry_network_host skerry_network_host; // wire_up is NULL in a job of one node

// Loads the module if that has not been done, and returns its functions. Called between begin_use and end_use.
SKERRY_PRIVATE const struct skerry_network *skerry_load_network(void);

// Returns the name of an object in the memory of any PE (far_network.c).
SKERRY_PRIVATE uint64_t skerry_far_name(const volatile void *symmetric);

// Functions of the PE that the module calls when a message has arrived, and when a transfer has ended (far_message.c).
SKERRY_PRIVATE size_t skerry_far_handle(int pe, int from, int number, const void *message, size_t bytes, void *answer);
SKERRY_PRIVATE void skerry_far_end_transfer(skerry_network_ended *ended, void *given);

// The module has a lock, and handlers of interrupts use the module too. Suppose that a handler ran in a thread that
// holds the lock. The handler would wait for the lock for ever. So no handler runs in a thread while it executes a
// function of the module.
static inline void begin_use(void) {
    skerry_defer_handlers();
}

static inline void end_use(void) {
    skerry_run_deferred_handlers();
}

// Records that this PE has operations that a quiet must wait for.
static inline void begin_operation(void) {
    __atomic_store_n(&skerry_has_far_operations, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&skerry_quiet_is_slow, 1, __ATOMIC_RELAXED);
}

// The acquire load makes the module's data visible, which skerry_load_network has published.
static inline const struct skerry_network *module_if_loaded(void) {
    return __atomic_load_n(&skerry_network, __ATOMIC_ACQUIRE);
}

static inline const struct skerry_network *module(void) {
    const struct skerry_network *loaded = module_if_loaded();
    return loaded ? loaded : skerry_load_network();
}

#endif
