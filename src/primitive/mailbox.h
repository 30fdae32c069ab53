// SPDX-License-Identifier: BSD-3-Clause
// A mailbox: room for one message at a time from one sender, at the receiver. The sender stores the message and then its
// number; the receiver waits for the number. Who gives the sender leave to write again is the protocol around it (a reply
// answers one request; a region's descriptor follows a join): between leave and number the box is the sender's, between
// number and leave the receiver's. The number is stored by a release and seen by an acquire, which carries the message;
// numbers only grow, so an old one is never taken for a new one.
#ifndef SKERRY_PRIMITIVE_MAILBOX_H
#define SKERRY_PRIMITIVE_MAILBOX_H

#include "wait.h"

// The message stands in front of its number, where the two fit on one line they travel together.
struct skerry_mailbox_number {
    uint32_t number;
};

SKERRY_HOT void skerry_mailbox_deliver(struct skerry_mailbox_number *box, uint32_t number, int receiver) {
    skerry_post_32(&box->number, number, receiver);
}

SKERRY_HOT bool skerry_mailbox_has(const struct skerry_mailbox_number *own, uint32_t number) {
    return SKERRY_LOAD_ACQUIRE(&own->number) == number;
}

#endif
