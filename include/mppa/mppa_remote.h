// SPDX-License-Identifier: BSD-3-Clause
// Defines routines that do nothing. On Kalray's MPPA processor these routines let the programs on the clusters use the
// files and the console of the host. In Skerry every program is a process on the host and uses files and the console
// directly.
#ifndef SKERRY_MPPA_REMOTE_H
#define SKERRY_MPPA_REMOTE_H

#include <mppa_async.h>

#include "pcie_queue.h"

//@ mppa_remote_server_init: mppa_remote_server_init mppa_remote_server_enable_scall mppa_remote_server_disable_scall mppa_remote_server_exit mppa_remote_client_init mppa_remote_client_final
// Gives programs on clusters access to the files and the console of the host. In Skerry every program has this access
// already, so these routines do nothing.
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

static inline int mppa_remote_server_disable_scall(void) {
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
