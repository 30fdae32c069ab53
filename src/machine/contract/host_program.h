// SPDX-License-Identifier: BSD-3-Clause
// Declares the part of a machine's contract for jobs that a host program has started. On an MPPA such a program runs on
// the computer beside the chip, and uses it through PCI Express. Here it is the parent process of PE 0's program (or of
// skerry-sim). The two exchange messages over a link, a pair of connected sockets: so the link has no name, belongs to
// these two processes alone, and each of them sees the end of the other. programs.h and launch/pcie include this file.
#ifndef SKERRY_MACHINE_CONTRACT_HOST_PROGRAM_H
#define SKERRY_MACHINE_CONTRACT_HOST_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

// What a message means. A job sends SKERRY_LINK_TOLD if it ends with an error message, so that the host program adds none.
enum skerry_link_message_kind { SKERRY_LINK_BARRIER = 1, SKERRY_LINK_EXIT = 2, SKERRY_LINK_TOLD = 3 };

// A message, in both directions. Each message is one packet of the sockets.
struct skerry_link_message {
    uint32_t kind;
    int32_t value;
};

// Returns true if this program is PE 0 of a job that a host program has started.
bool skerry_has_host_program(void);

// skerry_link_send sends a message to the host program, and skerry_link_receive waits for one. They must be called only if
// skerry_has_host_program() returns true, by one thread at a time. skerry_link_receive returns false if the host
// program has closed the link after this program's message SKERRY_LINK_EXIT. At any other time the end of the host
// program ends the job with an error message, also while this program computes.
void skerry_link_send(struct skerry_link_message message);
bool skerry_link_receive(struct skerry_link_message *message);

#endif
