// SPDX-License-Identifier: BSD-3-Clause
// Declares routines for queues between an MPPA processor and its host over PCI Express. In Skerry these routines always
// fail. A program for an MPPA calls them only if a host has started the program over PCI Express. __k1_spawn_type
// returns __MPPA_PCI_SPAWN in this case. In Skerry __k1_spawn_type never returns this value.
#ifndef SKERRY_MPPA_PCIE_QUEUE_H
#define SKERRY_MPPA_PCIE_QUEUE_H

#include <stdio.h>

#include <mppa_async.h>

typedef long long mppadesc_t;

//@ pcie_open: pcie_open pcie_queue_init pcie_register_console pcie_unregister_console pcie_queue_barrier pcie_queue_exit
// Communicates with a host over PCI Express. Skerry has no such host: all these routines fail and ignore their
// arguments. A program first calls __k1_spawn_type(3), which says if there is such a host.
// Returns: -1.
// Source: Kalray's public interface.

static inline int skerry_pcie_failure(void) {
    return -1;
}
#define pcie_open(DEVICE) ((mppadesc_t)skerry_pcie_failure())
#define pcie_queue_init(HOST) ((void)(HOST), skerry_pcie_failure())

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
