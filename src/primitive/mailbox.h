// SPDX-License-Identifier: BSD-3-Clause
// Declares mailboxes. A mailbox is memory at the receiver for one message at a time from one sender. The sender stores
// the message and then the message's number; the receiver waits for the number. Checked by test/model/mailbox.pml.
// - The sender owns the mailbox until it has stored the number. The receiver then owns the mailbox until the sender is
//   allowed to write again. The protocol that uses the mailbox gives this permission. For example, a server writes its
//   next reply only after the client's next request.
// - The number is stored by a release and loaded by an acquire. So a receiver that sees the number sees the message.
// - Numbers only grow, so no old number is taken for a new number.
#ifndef SKERRY_PRIMITIVE_MAILBOX_H
#define SKERRY_PRIMITIVE_MAILBOX_H

#include "wait.h"

// Stores the number `value` and a note of 32 bits, which become visible together, and wakes the receiver. The note must
// lie directly after the number. The message, the number and the note are transferred together if they lie on one cache
// line.
SKERRY_ALWAYS_INLINE void skerry_mailbox_deliver(uint32_t *number, uint32_t value, uint32_t note, int receiver) {
    skerry_store_release_pair(number, value, note, receiver);
}

SKERRY_ALWAYS_INLINE bool skerry_mailbox_has(const uint32_t *own_number, uint32_t value) {
    return SKERRY_LOAD_ACQUIRE(own_number) == value;
}

#endif
