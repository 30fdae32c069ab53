// SPDX-License-Identifier: BSD-3-Clause
// Implements the I/O program's side of PCI Express: messages to and from the host program that has started this job
// (machine/contract/host_program.h). The host program's side is in launch/pcie.
#include "internal.h"

typedef long long mppadesc_t;

#define HOST 1 // the only descriptor

int __k1_spawn_type(void) {
    return skerry_has_host_program() ? __MPPA_PCI_SPAWN : __MPPA_MPPA_SPAWN;
}

static bool is_host(mppadesc_t fd) {
    return fd == HOST && skerry_has_host_program();
}

// include/mppa/pcie_queue.h declares these routines. It cannot be included here, because it includes <stdio.h>.
mppadesc_t skerry_pcie_open(void);
int pcie_queue_init(mppadesc_t fd);
int pcie_register_console(mppadesc_t fd, void *input, void *output);
int pcie_unregister_console(mppadesc_t fd);
int pcie_queue_barrier(mppadesc_t fd, int number, int *status);
int pcie_queue_exit(mppadesc_t fd, int code, int *status);

mppadesc_t skerry_pcie_open(void) {
    return skerry_has_host_program() ? HOST : -1;
}

int pcie_queue_init(mppadesc_t fd) {
    return is_host(fd) ? 0 : -1;
}

int pcie_register_console(mppadesc_t fd, void *input, void *output) {
    (void)input;
    (void)output;
    return is_host(fd) ? 0 : -1;
}

int pcie_unregister_console(mppadesc_t fd) {
    return is_host(fd) ? 0 : -1;
}

int pcie_queue_barrier(mppadesc_t fd, int number, int *status) {
    if (!is_host(fd)) return -1;
    struct skerry_link_message message = {.kind = SKERRY_LINK_BARRIER, .value = number};
    skerry_link_send(message);
    if (!skerry_link_receive(&message)) skerry_fail(__func__, "called after pcie_queue_exit");
    if (message.kind != SKERRY_LINK_BARRIER)
        skerry_fail(__func__, "the host program does not call this routine: it has called pcie_queue_exit");
    if (status) *status = message.value;
    return 0;
}

int pcie_queue_exit(mppadesc_t fd, int code, int *status) {
    if (!is_host(fd)) return -1;
    struct skerry_link_message message = {.kind = SKERRY_LINK_EXIT, .value = code};
    skerry_link_send(message);
    if (!status) return 0;
    // A host program that waits in a barrier reports that itself.
    if (!skerry_link_receive(&message) || message.kind != SKERRY_LINK_EXIT) return -1;
    *status = message.value;
    return 0;
}
