// SPDX-License-Identifier: BSD-3-Clause
// Declares what the files share that make a PE of a process which a process manager has started.
#ifndef SKERRY_MACHINE_LINUX_PE_MANAGED_INTERNAL_H
#define SKERRY_MACHINE_LINUX_PE_MANAGED_INTERNAL_H

#include "internal.h"
#include "../process_manager.h"

#define START_SECONDS 60 // for all processes of a node to start

// The process manager, and what it knows of the job. Constant after the start of the process.
struct skerry_managed {
    const struct skerry_process_manager *manager;
    struct skerry_manager_job job;
};
extern SKERRY_PRIVATE struct skerry_managed skerry_managed;

// Data that a process sends to the others, so that they refuse a process with another library or another size of the heap.
struct skerry_identity {
    char version[32];
    int32_t pe;
    uint64_t heap_bytes;
};
SKERRY_PRIVATE struct skerry_identity skerry_own_identity(void);
// Ends the job with a message if the identity of the other process does not match this one.
SKERRY_PRIVATE void skerry_check_identity(const struct skerry_identity *other);

// Creates the memory of this node in its first PE, or gets it there in others. Sets the descriptors of skerry_job and the
// neighbours. Returns the number of processors that the PEs of the node may run on (managed_node.c).
SKERRY_PRIVATE int skerry_gather_node(void);

#endif
