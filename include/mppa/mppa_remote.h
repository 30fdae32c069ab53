// SPDX-License-Identifier: BSD-3-Clause
// Defines the routines that, on an MPPA, let clusters use the files and the console of the host, through the master.
// Here every program uses files and the console directly, so the routines do nothing.
#ifndef SKERRY_MPPA_REMOTE_H
#define SKERRY_MPPA_REMOTE_H

#include <mppa_async.h>

#include "pcie_queue.h"

//@ mppa_remote_server_init: mppa_remote_server_init mppa_remote_server_enable_scall mppa_remote_server_exit mppa_remote_client_init mppa_remote_client_final
// Gives clusters access to the files and the console of the host. Here every program has this access without the
// routines, so they do nothing.
//   host        ignored
//   nb_cluster  ignored
// Returns: 0.
// Source: Kalray's public interface.

static inline int mppa_remote_server_init(mppadesc_t host, int nb_cluster) {
    (void)host;
    (void)nb_cluster;
    return 0;
}

static inline int mppa_remote_server_enable_scall(void) {
    return 0;
}

static inline int mppa_remote_server_exit(void) {
    return 0;
}

static inline int mppa_remote_client_init(void) {
    return 0;
}

static inline int mppa_remote_client_final(void) {
    return 0;
}

#endif
