// SPDX-License-Identifier: BSD-3-Clause
// Declares what the files of this folder share: what the program has allocated of this PE's mailboxes, tags, senders,
// channels and micro-cores (engines). Under MPPA's names, a route is a first step and the steps that follow it.
#ifndef SKERRY_MPPA_NOC_INTERNAL_H
#define SKERRY_MPPA_NOC_INTERNAL_H

#include <mppa/mppa_noc.h>

#include "../../machine/machine.h"

#define SKERRY_NOC_STEP_BITS 3

enum skerry_noc_kind {
    SKERRY_NOC_MAILBOX,
    SKERRY_NOC_SENDER,
    SKERRY_NOC_TAG,
    SKERRY_NOC_CHANNEL,
    SKERRY_NOC_ENGINE,
    SKERRY_NOC_KINDS
};

static inline mppa_noc_ret_t skerry_noc_result(bool succeeded) {
    return succeeded ? MPPA_NOC_RET_SUCCESS : MPPA_NOC_RET_FAILURE;
}

// Ends the job with an error message if a cluster has no such interface.
void skerry_noc_check_interface(const char *routine, int interface);

// Allocates one with this number. Returns false if it is in use or is not a program's. Any thread may call it.
bool skerry_noc_take(enum skerry_noc_kind kind, unsigned number);
// Allocates the lowest one that is free. If none is and `blocking` is true, waits until another thread frees one.
bool skerry_noc_take_any(enum skerry_noc_kind kind, unsigned *number, bool blocking);
void skerry_noc_give(enum skerry_noc_kind kind, unsigned number);
bool skerry_noc_is_taken(enum skerry_noc_kind kind, unsigned number);
// Checks the interface too. Ends the job with an error message if the program has not allocated it.
void skerry_noc_check(const char *routine, int interface, enum skerry_noc_kind kind, unsigned number);

// Returns the route of a configuration. Ends the job with an error message if it leaves the network.
uint32_t skerry_noc_checked_route(const char *routine, uint32_t first_step, uint32_t rest);

// Does the same for the mailbox, tag or micro-core whose events a line has. Ends the job if there is no such line.
void skerry_noc_check_resource(const char *routine, int interface, mppa_noc_interrupt_line_t line, unsigned tag);

// Removes the handler of a mailbox, tag or micro-core that is freed, if it has one. Only programs with handlers have it.
void skerry_noc_forget_handler(mppa_noc_interrupt_line_t line, unsigned tag) __attribute__((weak));

// Waits until a micro-core has events. Returns their number, and sets it to 0.
uint32_t skerry_noc_await_engine(unsigned uc);

#endif
