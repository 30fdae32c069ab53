// SPDX-License-Identifier: BSD-3-Clause
// Messages in place while a queue's count of messages passes 2^32, or the end of a machine word: each is read once, in its turn, and
// ending one a second time is refused. With one reader and with tickets for several.
// pes: 2 3
#include "segments.h"

#include <skerry/primitive/queue.h>

#define MESSAGES 4
#define BEFORE_WRAP 5
#define ROUNDS 12

// As if so many messages had been sent and read.
static void start_at(const aos_queue_t *queue, skerry_word first) {
    struct skerry_queue *own = queue->queue;
    own->tail = own->head = first;
#if SKERRY_FAR_WATCHES
    own->promised = (uint32_t)first;
#endif
    for (skerry_word ticket = first; ticket != first + MESSAGES; ticket++) {
        skerry_word turn = own->many_readers ? ticket - (ticket & (MESSAGES - 1)) : ticket + 1 - MESSAGES;
        skerry_queue_own_slot(own, ticket)->turn = (uint32_t)turn;
    }
}

static void read_in_place(aos_queue_t *queue, int64_t *next) {
    aos_message_t message, before = {0};
    for (int i = 0; i < ROUNDS * (pes - 1); i++) {
        REQUIRE_OK(i % 2 ? aos_dequeue_begin(queue, &message) : AOS_SUCCESS);
        int error = i % 2 ? AOS_SUCCESS : AOS_ERROR_EMPTY;
        while (error == AOS_ERROR_EMPTY) error = aos_try_dequeue_begin(queue, &message);
        REQUIRE_OK(error);
        if (i > 0) REQUIRE_ERROR(aos_dequeue_end(queue, &before), AOS_ERROR_ARGUMENT);
        int64_t value[2];
        memcpy(value, message.data, sizeof value);
        REQUIRE(message.bytes == sizeof value && value[1] == next[value[0]]++, "message %ld of PE %ld", (long)value[1],
                (long)value[0]);
        REQUIRE_OK(aos_dequeue_end(queue, &message));
        REQUIRE_ERROR(aos_dequeue_end(queue, &message), AOS_ERROR_ARGUMENT);
        before = message;
    }
}

static void pass(uint64_t id, uint32_t flags, skerry_word first) {
    aos_options_t options = {.flags = flags};
    aos_queue_t queue;
    int64_t next[16] = {0};
    if (me == 0) REQUIRE_OK(aos_queue_create(&queue, id, 16, MESSAGES, NULL, &options));
    if (me == 0) start_at(&queue, first);
    barrier();
    if (me != 0) REQUIRE_OK(aos_queue_clone(&queue, id, 0));
    barrier();
    for (int64_t i = 0; me != 0 && i < ROUNDS; i++) {
        int64_t message[2] = {me, i};
        REQUIRE_OK(aos_enqueue(&queue, message, sizeof message));
    }
    if (me == 0) read_in_place(&queue, next);
    barrier();
    if (me == 0) REQUIRE_OK(aos_queue_destroy(&queue));
}

int main(void) {
    segments_begin(0);
    for (int many = 0; many < 2; many++) {
        uint32_t flags = many ? AOS_MANY_READERS : 0;
        pass(2, flags, (skerry_word)((UINT64_C(1) << 32) - BEFORE_WRAP));
        pass(3, flags, (skerry_word)0 - BEFORE_WRAP);
    }
    return segments_end();
}
