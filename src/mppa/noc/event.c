// SPDX-License-Identifier: BSD-3-Clause
// Implements waits for events of the networks.
#include "internal.h"

static void check_line(const char *routine, mppa_noc_interrupt_line_t line) {
    if (line != MPPA_NOC_INTERRUPT_LINE_CNOC_RX)
        skerry_fail_values(routine, "line #: there are no events of this kind", (long[]){(long)line}, 1);
}

int mppa_noc_wait_clear_event(int interface, mppa_noc_interrupt_line_t line, unsigned tag) {
    check_line("mppa_noc_wait_clear_event", line);
    skerry_noc_check("mppa_noc_wait_clear_event", interface, SKERRY_NOC_MAILBOX, tag);
    return (int)skerry_noc_mailbox_wait(tag);
}

bool mppa_noc_has_pending_event(int interface, mppa_noc_interrupt_line_t line) {
    skerry_noc_check_interface("mppa_noc_has_pending_event", interface);
    check_line("mppa_noc_has_pending_event", line);
    for (unsigned tag = 0; tag < SKERRY_NOC_MAILBOXES; tag++) {
        if (skerry_noc_is_taken(SKERRY_NOC_MAILBOX, tag) && skerry_noc_mailbox_events(tag) != 0) return true;
    }
    return false;
}
