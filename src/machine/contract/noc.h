// SPDX-License-Identifier: BSD-3-Clause
// Declares the part of a machine's contract for networks on a chip that programs use without a programming model in
// between: routes, and mailboxes of a network for words. Only machines that have such networks define the macros below;
// pe.h includes this file for them. PE p is node p of the networks.
#ifndef SKERRY_MACHINE_CONTRACT_NOC_H
#define SKERRY_MACHINE_CONTRACT_NOC_H

#include <stdbool.h>
#include <stdint.h>

// Numbers of what programs may use. The machine itself uses others.
//     SKERRY_NOC_MAILBOXES  mailboxes 0 and following of each PE
//     SKERRY_NOC_SENDERS    senders of words 0 and following of each PE

// -- Routes ------------------------------------------------------------------------------------------------------------

// Stores the route from one node to another, in three bits for each router: the sender's router first. Routes of this
// function cannot deadlock. Returns false if there is no such node.
bool skerry_noc_route(int from, int to, uint32_t *route);

// -- Mailboxes ---------------------------------------------------------------------------------------------------------

// Opens a mailbox of this PE, or changes an open one. A word that arrives for a closed mailbox ends the job with an error
// message.
// * A mailbox for words begins with the value `value`. Each word that arrives replaces the value, and is an event.
// * A barrier waits for the bits that are 0 in `value`. The bits of arriving words are collected. When all bits are there,
//   they are removed, and that is an event. A barrier that is opened again for the same bits keeps those that have arrived.
void skerry_noc_open_mailbox(uint32_t mailbox, bool is_barrier, uint64_t value);
void skerry_noc_close_mailbox(uint32_t mailbox);

// Returns the last word; of a barrier, `value` of skerry_noc_open_mailbox with the bits that have arrived.
uint64_t skerry_noc_mailbox_value(uint32_t mailbox);

// skerry_noc_mailbox_events returns the number of events. skerry_noc_mailbox_clear returns it and sets it to 0, in one
// step. skerry_noc_mailbox_wait waits until it is not 0, and does the same. What a sender has stored to its memory or sent
// over another network before a word is not ordered with the word.
uint32_t skerry_noc_mailbox_events(uint32_t mailbox);
uint32_t skerry_noc_mailbox_clear(uint32_t mailbox);
uint32_t skerry_noc_mailbox_wait(uint32_t mailbox);

// skerry_noc_set_sender says where the words of a sender go: the end of a route, and a mailbox there. skerry_noc_send_word
// sends one. Threads may share a sender. A thread that finds no room in the network waits. After skerry_noc_clear_sender, a
// word that is sent ends the job with an error message.
void skerry_noc_set_sender(uint32_t sender, uint32_t route, uint32_t mailbox);
void skerry_noc_clear_sender(uint32_t sender);
void skerry_noc_send_word(uint32_t sender, uint64_t word);

#endif
