// SPDX-License-Identifier: BSD-3-Clause
// A mailbox: room for one message at a time from one sender, at the receiver. The sender stores the message and then its
// number; the receiver waits for the number. Who gives the sender leave to write again is the protocol around it (a reply
// answers one request; a region's descriptor follows a join): between leave and number the box is the sender's, between
// number and leave the receiver's. The number is stored by a release and seen by an acquire, which carries the message;
// numbers only grow, so an old one is never taken for a new one. Checked by test/model/mailbox.pml.
#ifndef SKERRY_PRIMITIVE_MAILBOX_H
#define SKERRY_PRIMITIVE_MAILBOX_H

#include "wait.h"

// A box is any memory with such a number in it, and behind the number a note, which is seen at once with it; where the message
// and they fit on one line they travel together.
SKERRY_ALWAYS_INLINE void skerry_mailbox_deliver(uint32_t *number, uint32_t value, uint32_t note, int receiver) {
    skerry_store_release_pair(number, value, note, receiver);
}

SKERRY_ALWAYS_INLINE bool skerry_mailbox_has(const uint32_t *own_number, uint32_t value) {
    return SKERRY_LOAD_ACQUIRE(own_number) == value;
}

#endif
