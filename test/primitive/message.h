// SPDX-License-Identifier: BSD-3-Clause
// Messages of the tests of queues.
#ifndef SKERRY_TEST_PRIMITIVE_MESSAGE_H
#define SKERRY_TEST_PRIMITIVE_MESSAGE_H

#include "../shmem/test.h"

#include <skerry/primitive/queue.h>

#define MESSAGE_BYTES 8

// Fills the slot with a message that tells when it is torn.
TEST_UNUSED static void write_message(struct skerry_queue_slot *slot, uint32_t value) {
    uint32_t words[2] = {value, ~value};
    memcpy(slot->message, words, sizeof words);
}

// Returns its value.
TEST_UNUSED static uint32_t read_message(const struct skerry_queue_slot *slot) {
    uint32_t words[2];
    memcpy(words, slot->message, sizeof words);
    REQUIRE(words[0] == ~words[1] && words[0] == slot->note, "a torn message: %lx %lx %lx", (unsigned long)words[0],
            (unsigned long)words[1], (unsigned long)slot->note);
    return words[0];
}

#endif
