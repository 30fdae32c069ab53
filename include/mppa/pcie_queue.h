// SPDX-License-Identifier: BSD-3-Clause
// Declares queues between an MPPA and its host through PCI Express. A program uses them only if the host started it
// through PCI Express: then __k1_spawn_type returns __MPPA_PCI_SPAWN. Here __k1_spawn_type never returns this value.
#ifndef SKERRY_MPPA_PCIE_QUEUE_H
#define SKERRY_MPPA_PCIE_QUEUE_H

#include <stdio.h>

#include <mppa_async.h>

typedef long long mppadesc_t;

//@ pcie_open: pcie_open pcie_queue_init pcie_register_console pcie_unregister_console pcie_queue_barrier pcie_queue_exit
// Communicates with a host through PCI Express. Here there is no such host: all routines fail and ignore their
// arguments. Programs call __k1_spawn_type(3) first to find out if there is such a host.
// Returns: -1.
// Source: Kalray's public interface.

#define pcie_open(DEVICE) ((mppadesc_t)-1)
#define pcie_queue_init(HOST) ((void)(HOST), -1)

static inline int pcie_register_console(mppadesc_t host, FILE *input, FILE *output) {
    (void)host;
    (void)input;
    (void)output;
    return -1;
}

static inline int pcie_unregister_console(mppadesc_t host) {
    (void)host;
    return -1;
}

static inline int pcie_queue_barrier(mppadesc_t host, int number, int *status) {
    (void)host;
    (void)number;
    (void)status;
    return -1;
}

static inline int pcie_queue_exit(mppadesc_t host, int code, int *status) {
    (void)host;
    (void)code;
    (void)status;
    return -1;
}

#endif
