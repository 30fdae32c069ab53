// SPDX-License-Identifier: BSD-3-Clause
// Defines what the library and the module for a process manager know of each other. A process manager is a program that
// starts the processes of a job on one or several nodes, such as srun or mpirun. The library loads the module, by
// dlopen, only in a process that a process manager has started (pe/managed.c). A job that oshrun starts loads none.
#ifndef SKERRY_MACHINE_LINUX_PROCESS_MANAGER_H
#define SKERRY_MACHINE_LINUX_PROCESS_MANAGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "network.h"

struct skerry_manager_node {
    int32_t count;                          // number of the job's processes on this node
    int32_t rank[SKERRY_NETWORK_PORTS_MAX]; // the process manager's ranks of the first of them, in ascending order
};

// The processes of the job. The process manager gives each process a rank, from 0 to size - 1.
struct skerry_manager_job {
    int32_t rank, size;
    int32_t node_count;
    int32_t node;                      // index of this process's node
    struct skerry_manager_node *nodes; // sorted by the lowest rank on each node
    int32_t *near_ranks;               // ranks of the processes of this node, in ascending order
};

// What the module gives the library. A function that can fail returns NULL, or a text that says what failed; the text is
// valid until the next call. The functions are called by one thread at a time.
struct skerry_process_manager {
    // Connects to the process manager. Fills `job` and allocates its arrays, unless `job` is NULL. After `end`, `begin`
    // connects again. A thread of the module calls `lost` if the process manager ends while this process is connected.
    const char *(*begin)(struct skerry_manager_job *job, void (*lost)(void));
    // Makes data of this process available to other processes under a name: to those of this node at once, and to all
    // others after a `fence` of all processes.
    const char *(*put)(const char *name, const void *data, size_t bytes);
    // Copies data of process `rank` to `data`, which has space for `bytes` bytes, and fills the rest with zeros. Waits for
    // the data of a process of this node at most `seconds`.
    const char *(*get)(int32_t rank, const char *name, void *data, size_t bytes, int seconds);
    // Returns when all processes of the job have called it, or with a text after `seconds`.
    const char *(*fence)(int seconds);
    // Asks the process manager to end all processes of the job with this exit code.
    void (*abort)(int code);
    // Tells the process manager that this process ends well, and disconnects.
    void (*end)(void);
};

// The module's only public symbol is a function of this type.
#define SKERRY_PROCESS_MANAGER_OPEN "skerry_process_manager_open"
typedef const struct skerry_process_manager *skerry_process_manager_open_function(void);

#endif
