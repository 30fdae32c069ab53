// SPDX-License-Identifier: BSD-3-Clause
// Lets one process write why the start of a job fails that a process manager, such as srun, has started. Before a process is
// a PE, it has no memory in common with others, and possibly no connection to the process manager. But what is wrong, for
// example a broken module, is usually wrong for all processes. So:
// * Of the processes of a node the first one that fails writes. It opens a socket whose name contains that of the job, and only
//   one process can have it. The kernel removes the name when the process ends, so the process waits a little before.
// * Of the nodes the first one writes at once, and the others wait for different times (turn.c).
// * The process that writes then ends the job. If it is not connected to the process manager, it ends Slurm's step by scancel, not
//   at once: Slurm does not end processes that it starts at this moment. mpirun ends a job itself if a process ends with an error.
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "clock.h"
#include "managed_internal.h"

#define HOLD_MILLISECONDS 1000 // for which the name is kept; in this time Slurm starts the processes of the other nodes
#define KILL_MILLISECONDS 10000 // for which the name is kept further, until Slurm kills the processes of the step
// Of 1 ms, until the process that has the name listens. On busy processors another process can run for a long time between its two
// system calls. A process that has the name and never listens is no PE.
#define LISTEN_TRIES 2000

static int number_in(const char *variable) {
    const char *text = getenv(variable);
    return text && *text ? atoi(text) : -1;
}

// Returns the index of this node, as far as it is known: Open MPI does not tell it, but usually places ranks in order.
static int node_index(void) {
    const int node = number_in("SLURM_NODEID"), rank = number_in("OMPI_COMM_WORLD_RANK"),
              near = number_in("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (skerry_managed.job.node_count > 0) return skerry_managed.job.node;
    if (rank >= 0 && near > 0) return rank / near;
    return node > 0 ? node : 0;
}

// Returns true if another process of this user has the name.
static bool is_taken_by_user(const struct sockaddr_un *name, socklen_t bytes) {
    struct ucred owner = {.uid = (uid_t)-1};
    socklen_t owner_bytes = sizeof owner;
    const int visitor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool is_connected = false;
    for (int i = 0; i < LISTEN_TRIES && !is_connected; i++) {
        is_connected = connect(visitor, (const struct sockaddr *)name, bytes) == 0;
        if (!is_connected) sleep_milliseconds(1);
    }
    is_connected = is_connected && getsockopt(visitor, SOL_SOCKET, SO_PEERCRED, &owner, &owner_bytes) == 0;
    close(visitor);
    return is_connected && owner.uid == geteuid();
}

// Returns true if no process of this node has got the name before.
static bool get_name(void) {
    const char *job = getenv("PMIX_NAMESPACE");
    struct sockaddr_un name = {.sun_family = AF_UNIX}; // the first byte of the name is 0: it is not in the file system
    const size_t length = job ? strlen(job) : 0, most = sizeof name.sun_path - 32;
    snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "skerry.failure.%s",
             length > most ? job + length - most : job);
    const socklen_t bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name.sun_path + 1));
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); // stays open until this process ends
    if (bind(listener, (const struct sockaddr *)&name, bytes) == 0) {
        listen(listener, SOMAXCONN);
        return true;
    }
    return errno != EADDRINUSE || !is_taken_by_user(&name, bytes);
}

bool skerry_may_tell_early(void) {
    // A process that is not connected to the process manager usually fails on all nodes, and what it writes is not urgent. A
    // connected one usually fails on its node only, and others notice that too.
    skerry_await_turn(node_index(), skerry_job.managed);
    return get_name();
}

void skerry_end_early(bool has_told) {
    if (!has_told) return;
    sleep_milliseconds(HOLD_MILLISECONDS);
    // Another process of this node can fail only now. It must not get the name before Slurm kills it.
    if (!skerry_job.managed && skerry_end_slurm_step()) sleep_milliseconds(KILL_MILLISECONDS);
}
