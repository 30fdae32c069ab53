// SPDX-License-Identifier: BSD-3-Clause
// On MPPA, files and the console of the host, served by the master: every program reaches them by itself here.
#ifndef SKERRY_MPPA_REMOTE_H
#define SKERRY_MPPA_REMOTE_H

#include <mppa_async.h>

#include "pcie_queue.h"

//@ mppa_remote_server_init: mppa_remote_server_init mppa_remote_server_enable_scall mppa_remote_server_exit mppa_remote_client_init mppa_remote_client_final
// Files and the console of the host, for clusters. Every program reaches them by itself here, and these do nothing.
//   host        without meaning here
//   nb_cluster  without meaning here
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
