// SPDX-License-Identifier: BSD-3-Clause
// A sender whose last look at a queue is 2^32 messages old finds it full when it is full, and overwrites no message; and a queue
// goes on when its count of messages passes 2^32.
// pes: 3 4
// skip: epiphany
#include "segments.h"

#include <skerry/primitive/queue.h>

#define MESSAGES 4
#define NUMBER 17
#define ROUNDS 20

static void send(aos_queue_t *queue, long value) {
    REQUIRE(aos_enqueue(queue, &value, sizeof value) == AOS_SUCCESS, "message %ld", value);
}

static void require_next(aos_queue_t *queue, long wanted) {
    long value = 0;
    REQUIRE(aos_dequeue(queue, &value, sizeof value, NULL) == AOS_SUCCESS && value == wanted, "message %ld, not %ld",
            value, wanted);
}

// As if so many messages had been sent and read since the clones were made.
static void turn(const aos_queue_t *queue, uint64_t messages) {
    struct skerry_queue *own = queue->queue;
    own->tail = own->head = messages;
    for (uint64_t before = messages - MESSAGES; before < messages; before++)
        skerry_queue_own_slot(own, before)->turn = (uint32_t)(before + 1);
}

int main(void) {
    test_begin();
    REQUIRE(aos_init(0) == AOS_SUCCESS, "aos_init");
    aos_queue_t queue;
    if (me == 0) REQUIRE(!aos_queue_create(&queue, NUMBER, sizeof(long), MESSAGES, NULL, NULL), "aos_queue_create");
    if (me != 0) REQUIRE(aos_queue_clone(&queue, NUMBER, 0) == AOS_SUCCESS, "aos_queue_clone");
    shmem_barrier_all();
    if (me == 0) turn(&queue, (UINT64_C(1) << 32) - (MESSAGES - 1));
    shmem_barrier_all();
    for (long i = 0; me == 1 && i < MESSAGES; i++) send(&queue, i);
    shmem_barrier_all();
    long more = 100;
    if (me == 2) REQUIRE(aos_try_enqueue(&queue, &more, sizeof more) == AOS_ERROR_FULL, "the queue is full");
    shmem_barrier_all();
    for (long i = 0; me == 2 && i < ROUNDS; i++) send(&queue, more + i);
    for (long i = 0; me == 0 && i < MESSAGES; i++) require_next(&queue, i);
    for (long i = 0; me == 0 && i < ROUNDS; i++) require_next(&queue, more + i);
    shmem_barrier_all();
    if (me == 0) REQUIRE(aos_queue_destroy(&queue) == AOS_SUCCESS, "aos_queue_destroy");
    REQUIRE(aos_finalize() == AOS_SUCCESS, "aos_finalize");
    return test_end();
}
