// SPDX-License-Identifier: BSD-3-Clause
// Declares what the files managed.c and managed_*.c share. These files make PEs of processes that a process manager,
// such as srun, has started.
#ifndef SKERRY_MACHINE_LINUX_PE_MANAGED_INTERNAL_H
#define SKERRY_MACHINE_LINUX_PE_MANAGED_INTERNAL_H

#include "internal.h"
#include "../process_manager.h"

#define START_SECONDS 60 // limit of the time until all processes of a node have started

// Returns the name of PE `pe`'s node, as the process manager knows it.
SKERRY_PRIVATE const char *skerry_managed_node_name(int pe);

// Stores the name of a node and its PEs, such as "node alpha (PEs 0-15)". `node` is the index of the node.
SKERRY_PRIVATE void skerry_describe_managed_node(int node, char *text, size_t bytes);

// The functions of the process manager (such as srun), and the properties of the job that it has reported. Constant
// after the start of the process.
struct skerry_managed {
    const struct skerry_process_manager *manager;
    struct skerry_manager_job job;
    int processors; // number of processors that the PEs of this node are allowed to use
    // In the first PE of a node: a hash of the boot number of this node's kernel and of the set of these processors. Nodes
    // with the same hash are containers on one machine, and share processors. 0: not known.
    uint64_t processors_hash;
};
extern SKERRY_PRIVATE struct skerry_managed skerry_managed;

// Gets data that another process has put, for a thread other than the program's. Returns NULL, or a text that says what failed.
SKERRY_PRIVATE const char *skerry_managed_get(int32_t rank, const char *name, void *data, size_t bytes, int seconds);

// Data that a process sends to the other processes of the job. The receiver ends the job if the sender uses another
// version of the library, another program, or another size of the symmetric heap (managed_identity.c). The first two
// members must be the same in all versions of the library.
struct skerry_identity {
    char version[32];
    int32_t pe;
    uint64_t heap_bytes;
    struct skerry_program program;
};
// Returns the identity of this process, which is constant. Called only after PEs are numbered.
SKERRY_PRIVATE const struct skerry_identity *skerry_own_identity(void);
// Ends the job with a message if `other`, the identity of another process, does not match the identity of this process.
SKERRY_PRIVATE void skerry_check_identity(const struct skerry_identity *other);

// Returns the number (from 0, on this node) of a process of this node that has ended, and for which `is_missing` returns true.
// Returns -1 if there is none, or if that is not certain. Called repeatedly while this process waits for others, of which it
// has waited `waited` seconds.
SKERRY_PRIVATE int skerry_find_ended_process(bool (*is_missing)(uint32_t), double waited);

// Asks Slurm to kill the processes of the step whose task this process is, if it is one. Waits until scancel has ended
// (slurm_tasks.c). Returns true if Slurm has accepted: it then kills this process too.
SKERRY_PRIVATE bool skerry_end_slurm_step(void);

// In the first PE of a node, creates the node's memory file and sends it to the node's other PEs. In another PE,
// receives the memory file from the first PE. Sets the descriptors in skerry_job, and the sockets to the neighbours
// (neighbours.c). Also sets skerry_managed.processors and, in the first PE, processors_hash.
SKERRY_PRIVATE void skerry_gather_node(void);

#endif
