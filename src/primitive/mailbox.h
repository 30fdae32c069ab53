// SPDX-License-Identifier: BSD-3-Clause
// Declares mailboxes. A mailbox is memory at the receiver for one message at a time from one sender. The sender stores
// the message and then the message's number; the receiver waits for the number. The protocol that uses the mailbox
// tells the sender when it is allowed to write again. For example, a server writes its next reply only after the
// client's next request. The master of an OpenMP team writes the descriptor of a region only after all threads have
// ended the region before. The sender owns the mailbox from that permission until it has stored the number, and the
// receiver owns it from that store until the next permission. The number is stored by a release and loaded by an
// acquire, so a receiver that sees the number sees the message. Numbers only grow, so an old number is never taken for
// a new number. Checked by test/model/mailbox.pml.
#ifndef SKERRY_PRIMITIVE_MAILBOX_H
#define SKERRY_PRIMITIVE_MAILBOX_H

#include "wait.h"

// Stores the number `value` and a note of 32 bits, which become visible together, and wakes the receiver. The note must
// lie directly after the number. If the message, the number and the note lie on one cache line they are transferred
// together.
SKERRY_ALWAYS_INLINE void skerry_mailbox_deliver(uint32_t *number, uint32_t value, uint32_t note, int receiver) {
    skerry_store_release_pair(number, value, note, receiver);
}

SKERRY_ALWAYS_INLINE bool skerry_mailbox_has(const uint32_t *own_number, uint32_t value) {
    return SKERRY_LOAD_ACQUIRE(own_number) == value;
}

#endif
