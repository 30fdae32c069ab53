// SPDX-License-Identifier: BSD-3-Clause
// Defines the interface between the library and the module for process managers. A process manager is a program that
// starts the processes of a job on one or several nodes, such as srun or mpirun. The library loads the module by
// dlopen, only in a process that a process manager has started (pe/managed.c). A process that oshrun has started does
// not load the module.
#ifndef SKERRY_MACHINE_LINUX_PROCESS_MANAGER_H
#define SKERRY_MACHINE_LINUX_PROCESS_MANAGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "network.h"

#define SKERRY_MANAGER_NAME_BYTES 64

struct skerry_manager_node {
    char name[SKERRY_MANAGER_NAME_BYTES];   // truncated if it is longer; used in messages only
    int32_t count;                          // number of the job's processes on this node
    int32_t rank[SKERRY_NETWORK_PORTS_MAX]; // the lowest ranks of these processes, in ascending order
};

// The processes of the job. The process manager (such as srun) gives each process a rank, from 0 to size - 1.
struct skerry_manager_job {
    int32_t rank, size;
    int32_t node_count;
    int32_t node;                      // index of this process's node
    struct skerry_manager_node *nodes; // sorted by the lowest rank on each node
    int32_t *near_ranks;               // ranks of the processes of this node, in ascending order
};

// Has another process called begin_fence?
enum skerry_begun_fence { SKERRY_FENCE_UNKNOWN, SKERRY_FENCE_BEGUN, SKERRY_FENCE_NOT_BEGUN };

// Functions of the module that the library calls. A function that returns a text returns NULL if it has succeeded. If
// not, the text describes what failed, and is valid until the next call of the same thread. Only one thread at a time
// calls these functions, except that a second thread can call `get` while another one waits in `fence`.
struct skerry_process_manager {
    // Connects to the process manager (such as srun). If `job` is not NULL, fills in *job and allocates its arrays. Can
    // be called again after `end`. If the process manager ends while this process is connected, a thread of the module
    // calls `lost`.
    const char *(*begin)(struct skerry_manager_job *job, void (*lost)(void));
    // Makes data of this process available to other processes under a name. The processes of this node can get the data
    // at once, and the processes of other nodes after the next `fence`.
    const char *(*put)(const char *name, const void *data, size_t bytes);
    // Copies the data that process `rank` has put under `name` to `data`, which has space for `bytes` bytes. Fills the
    // remaining space with zeros. Waits at most `seconds` seconds for the data of a process of this node.
    const char *(*get)(int32_t rank, const char *name, void *data, size_t bytes, int seconds);
    // Returns when all processes of the job have called this function. Fails after `seconds` seconds.
    const char *(*fence)(int seconds);
    // Called at most once by each process of the job, before `fence`. Begins a fence and returns at once. When all processes
    // with these ranks have called it, and possibly all other processes too, a thread of the module calls `done` in the
    // processes with these ranks. Then the data that they have put before can be got. If a process does not call it, `done`
    // is not called.
    const char *(*begin_fence)(const int32_t *ranks, int count, void (*done)(void));
    // Returns what is known of the process with the rank ranks[index] of begin_fence. The process ranks[0] knows it of all
    // others, and another one knows it of ranks[0] alone. With some process managers, nothing is known.
    enum skerry_begun_fence (*has_begun_fence)(int index);
    // Asks the process manager (such as srun) to end all processes of the job with this exit code.
    void (*abort)(int code);
    // Reports to the process manager (such as srun) that this process ends without a failure, and disconnects.
    void (*end)(void);
};

// The module's only public symbol is a function of this type.
#define SKERRY_PROCESS_MANAGER_OPEN "skerry_process_manager_open"
typedef const struct skerry_process_manager *skerry_process_manager_open_function(void);

#endif
