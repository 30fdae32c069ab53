// SPDX-License-Identifier: BSD-3-Clause
// Implements waits for events of the networks.
#include "internal.h"

static SKERRY_NORETURN void refuse_line(const char *routine, mppa_noc_interrupt_line_t line) {
    skerry_fail_values(routine, "line #: there are no events of this kind", (long[]){(long)line}, 1);
}

void skerry_noc_check_resource(const char *routine, int interface, mppa_noc_interrupt_line_t line, unsigned tag) {
    switch (line) {
    case MPPA_NOC_INTERRUPT_LINE_DNOC_TX: skerry_noc_check(routine, interface, SKERRY_NOC_ENGINE, tag); return;
    case MPPA_NOC_INTERRUPT_LINE_DNOC_RX: skerry_noc_check(routine, interface, SKERRY_NOC_TAG, tag); return;
    case MPPA_NOC_INTERRUPT_LINE_CNOC_RX: skerry_noc_check(routine, interface, SKERRY_NOC_MAILBOX, tag); return;
    }
    refuse_line(routine, line);
}

int mppa_noc_wait_clear_event(int interface, mppa_noc_interrupt_line_t line, unsigned tag) {
    skerry_noc_check_resource("mppa_noc_wait_clear_event", interface, line, tag);
    if (line == MPPA_NOC_INTERRUPT_LINE_DNOC_TX) return (int)skerry_noc_await_engine(tag);
    if (line == MPPA_NOC_INTERRUPT_LINE_DNOC_RX) return (int)skerry_noc_tag_wait(tag);
    return (int)skerry_noc_mailbox_wait(tag);
}

static bool has_event_of(enum skerry_noc_kind kind, unsigned count, uint32_t (*events_of)(uint32_t)) {
    for (unsigned number = 0; number < count; number++) {
        if (skerry_noc_is_taken(kind, number) && events_of(number) != 0) return true;
    }
    return false;
}

bool mppa_noc_has_pending_event(int interface, mppa_noc_interrupt_line_t line) {
    skerry_noc_check_interface("mppa_noc_has_pending_event", interface);
    switch (line) {
    case MPPA_NOC_INTERRUPT_LINE_DNOC_TX:
        return has_event_of(SKERRY_NOC_ENGINE, SKERRY_NOC_ENGINES, skerry_noc_engine_events);
    case MPPA_NOC_INTERRUPT_LINE_DNOC_RX: return has_event_of(SKERRY_NOC_TAG, SKERRY_NOC_TAGS, skerry_noc_tag_events);
    case MPPA_NOC_INTERRUPT_LINE_CNOC_RX:
        return has_event_of(SKERRY_NOC_MAILBOX, SKERRY_NOC_MAILBOXES, skerry_noc_mailbox_events);
    }
    refuse_line("mppa_noc_has_pending_event", line);
}
