// SPDX-License-Identifier: BSD-3-Clause
// A queue of several readers: readers that come before the messages are matched with them in the order in which they came; one
// that may not wait takes only what nobody waits for; slots are released in any order, and until the oldest is, no more fits.
// link: static
#include "message.h"

#define SLOTS 4
#define ROUNDS 40

static struct skerry_queue *queue; // symmetric
static struct skerry_queue_end end;

static void enqueue(uint32_t value) {
    skerry_word ticket = skerry_queue_take_ticket(&end);
    SKERRY_WAIT_UNTIL(skerry_queue_has_room(&end, ticket), end.owner);
    struct skerry_queue_slot *slot = skerry_queue_slot_of(&end, ticket);
    write_message(slot, value);
    skerry_queue_publish(&end, ticket, value);
}

// Two readers come first: the first message is the first's, although the second looks first.
static void match(uint32_t value) {
    skerry_word first = skerry_queue_request(queue), second = skerry_queue_request(queue), third;
    REQUIRE(!skerry_queue_answer(queue, first) && !skerry_queue_answer(queue, second), "a message of nobody");
    enqueue(value);
    REQUIRE(!skerry_queue_answer(queue, second), "the second reader has the first's message");
    REQUIRE(!skerry_queue_try_request(queue, &third), "a reader that does not wait took what another waits for");
    enqueue(value + 1);
    REQUIRE(!skerry_queue_try_request(queue, &third), "a reader that does not wait took what another waits for");
    enqueue(value + 2);
    REQUIRE(skerry_queue_try_request(queue, &third), "there is a third message");
    REQUIRE(read_message(skerry_queue_answer(queue, third)) == value + 2, "the third message is another");
    REQUIRE(read_message(skerry_queue_answer(queue, second)) == value + 1, "the second message is another");
    skerry_queue_release_ticket(queue, third); // the newest first
    skerry_queue_release_ticket(queue, second);
    enqueue(value + 3); // the slot that was never used
    skerry_word ticket = SLOTS;
    REQUIRE(!skerry_queue_try_ticket(&end, &ticket), "a ticket for the slot that is being read");
    REQUIRE(read_message(skerry_queue_answer(queue, first)) == value, "the first message is another");
    skerry_queue_release_ticket(queue, first);
    REQUIRE(skerry_queue_try_request(queue, &third), "there is a fourth message");
    skerry_queue_release_ticket(queue, third);
}

// All others send; PE 0 has three readers.
static void read_all(void) {
    skerry_word tickets[3];
    uint32_t seen[64] = {0};
    long left = (long)ROUNDS * (pes - 1), requested = 0;
    for (; requested < 3 && requested < left; requested++) tickets[requested] = skerry_queue_request(queue);
    for (long i = 0; i < left; i++) {
        const struct skerry_queue_slot *slot;
        skerry_word *ticket = &tickets[i % 3];
        SKERRY_WAIT_UNTIL((slot = skerry_queue_answer(queue, *ticket)) != NULL, me);
        uint32_t value = read_message(slot), from = value >> 16;
        REQUIRE((value & 0xffff) == ++seen[from], "message %lu of PE %lu after %lu", (unsigned long)(value & 0xffff),
                (unsigned long)from, (unsigned long)seen[from] - 1);
        skerry_queue_release_ticket(queue, *ticket);
        if (requested < left) *ticket = skerry_queue_request(queue);
        requested++;
    }
}

int main(void) {
    test_begin();
    REQUIRE(pes <= 64, "made for up to 64 PEs");
    size_t slot_bytes = skerry_queue_slot_bytes(MESSAGE_BYTES);
    queue = shmem_align(SKERRY_FALSE_SHARING_RANGE, skerry_queue_bytes(SLOTS, slot_bytes));
    REQUIRE(queue, "no memory");
    memset(queue, 0, skerry_queue_bytes(SLOTS, slot_bytes));
    skerry_queue_create(queue, SLOTS, slot_bytes, true);
    shmem_barrier_all();
    skerry_queue_open(&end, queue, me);
    for (uint32_t round = 0; round < ROUNDS; round++) match(round * 10);
    shmem_barrier_all();
    skerry_queue_open(&end, queue, 0);
    if (me == 0) read_all();
    for (uint32_t i = 1; me != 0 && i <= ROUNDS; i++) enqueue((uint32_t)me << 16 | i);
    shmem_barrier_all();
    shmem_free(queue);
    return test_end();
}
