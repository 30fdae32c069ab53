// SPDX-License-Identifier: BSD-3-Clause
// All cores of all PEs send to one queue, which is smaller than their number or larger: no message is lost, the messages of a
// core arrive in order and whole, and those of at most a packet and longer ones can follow each other.
// flags: -fopenmp
// pes: 2 4 16
#include "../aos/segments.h"

#include <omp.h>

#define TIMES (pes == 16 ? 3 : 12)
#define CORES 16

struct message {
    uint32_t pe, core, number, body[25];
};

static uint32_t next_of[16][CORES];

static size_t bytes_of(uint32_t number) {
    return 12 + 4 * (number * 7 % 26);
}

static void fill(struct message *message, uint32_t core, uint32_t number) {
    *message = (struct message){(uint32_t)me, core, number, {0}};
    for (uint32_t i = 0; i < (bytes_of(number) - 12) / 4; i++) message->body[i] = (uint32_t)me << 16 | core << 8 | i;
}

static void check(const struct message *message, size_t bytes) {
    REQUIRE(message->pe < (uint32_t)pes && message->core < CORES, "a message of core %u of PE %u",
            (unsigned)message->core, (unsigned)message->pe);
    uint32_t *next = &next_of[message->pe][message->core];
    REQUIRE(message->number == *next && bytes == bytes_of(*next), "message %u with %u bytes, not %u",
            (unsigned)message->number, (unsigned)bytes, (unsigned)*next);
    for (uint32_t i = 0; i < (bytes - 12) / 4; i++)
        REQUIRE(message->body[i] == (message->pe << 16 | message->core << 8 | i), "word %u of message %u", (unsigned)i,
                (unsigned)*next);
    (*next)++;
}

static void receive(aos_queue_t *queue, int count) {
    for (; count > 0; count--) {
        struct message message;
        size_t bytes = 0;
        REQUIRE_OK(aos_dequeue(queue, &message, sizeof message, &bytes));
        check(&message, bytes);
    }
    REQUIRE(aos_try_dequeue_begin(queue, &(aos_message_t){0}) == AOS_ERROR_EMPTY, "a message too many");
}

// Core 0 of PE 0 receives; all others send.
static void pass(uint64_t id, uint32_t messages) {
    aos_queue_t queue;
    memset(next_of, 0, sizeof next_of);
    if (me == 0) REQUIRE_OK(aos_queue_create(&queue, id, sizeof(struct message), messages, NULL, NULL));
    else REQUIRE_OK(aos_queue_clone(&queue, id, 0));
    barrier();
#pragma omp parallel num_threads(CORES)
    {
        const uint32_t core = (uint32_t)omp_get_thread_num();
        if (me == 0 && core == 0) receive(&queue, TIMES * (CORES * pes - 1));
        else
            for (uint32_t number = 0; number < (uint32_t)TIMES; number++) {
                struct message message;
                fill(&message, core, number);
                REQUIRE_OK(aos_enqueue(&queue, &message, bytes_of(number)));
            }
    }
    barrier();
    if (me == 0) REQUIRE_OK(aos_queue_destroy(&queue));
    barrier();
}

int main(void) {
    segments_begin(0);
    pass(1, 64);
    pass(2, 7);
    pass(3, 1);
    return segments_end();
}
