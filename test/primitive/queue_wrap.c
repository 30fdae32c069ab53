// SPDX-License-Identifier: BSD-3-Clause
// Queues whose tickets pass 2^32, or the end of a machine word: every message is read once, whole, in its turn. And a sender that
// looked 2^32 messages ago finds a full queue full.
// link: static
// pes: 1 2 4 16
#include "message.h"

#define SLOTS 4
#define ROUNDS 30

static struct skerry_queue *queue; // symmetric
static struct skerry_queue_end end;

// As if so many messages had been sent and read.
static void start_at(skerry_word first) {
    queue->tail = queue->head = first;
    for (skerry_word ticket = first; ticket != first + SLOTS; ticket++) {
        skerry_word turn = queue->many_readers ? ticket - (ticket & (SLOTS - 1)) : ticket + 1 - SLOTS;
        skerry_queue_own_slot(queue, ticket)->turn = (uint32_t)turn;
    }
}

static void fill_slot(skerry_word ticket, uint32_t value) {
    write_message(skerry_queue_slot_of(&end, ticket), value);
    skerry_queue_publish(&end, ticket, value);
}

static void enqueue(uint32_t value) {
    skerry_word ticket;
    if (value & 1) { // both ways of taking a ticket
        ticket = skerry_queue_take_ticket(&end);
        SKERRY_WAIT_UNTIL(skerry_queue_has_room(&end, ticket), end.owner);
    } else {
        SKERRY_WAIT_UNTIL(skerry_queue_try_ticket(&end, &ticket), end.owner);
    }
    fill_slot(ticket, value);
}

static uint32_t dequeue(void) {
    const struct skerry_queue_slot *slot;
    uint32_t value;
    if (!queue->many_readers) {
        SKERRY_WAIT_UNTIL((slot = skerry_queue_first(queue)) != NULL, me);
        value = read_message(slot);
        skerry_queue_release(queue);
        return value;
    }
    skerry_word ticket = skerry_queue_request(queue);
    SKERRY_WAIT_UNTIL((slot = skerry_queue_answer(queue, ticket)) != NULL, me);
    value = read_message(slot);
    skerry_queue_release_ticket(queue, ticket);
    return value;
}

static void make(bool many_readers) {
    size_t slot_bytes = skerry_queue_slot_bytes(MESSAGE_BYTES);
    memset(queue, 0, skerry_queue_bytes(SLOTS, slot_bytes));
    skerry_queue_create(queue, SLOTS, slot_bytes, many_readers);
}

// All send to PE 0, which reads what they and it have sent.
static void send_across(skerry_word first, bool many_readers) {
    uint32_t seen[64] = {0};
    make(many_readers);
    if (me == 0) start_at(first);
    shmem_barrier_all();
    skerry_queue_open(&end, queue, 0);
    for (uint32_t i = 1; me != 0 && i <= ROUNDS; i++) enqueue((uint32_t)me << 16 | i);
    for (long i = 0; me == 0 && i < (long)ROUNDS * (pes - 1); i++) {
        uint32_t value = dequeue(), from = value >> 16;
        REQUIRE((value & 0xffff) == ++seen[from], "message %lu of PE %lu after %lu", (unsigned long)(value & 0xffff),
                (unsigned long)from, (unsigned long)seen[from] - 1);
    }
    for (uint32_t i = 0; me == 0 && i < ROUNDS; i++) {
        enqueue(i);
        REQUIRE(dequeue() == i, "another message than was sent");
    }
    shmem_barrier_all();
}

// A sender that has not looked for a whole turn of 32 bits, and a queue with SLOTS unread messages.
static void meet_full_queue(skerry_word first, bool tries) {
    make(false);
    skerry_queue_open(&end, queue, me); // sees that 0 messages were read
    start_at(first);
    struct skerry_queue_end stale = end;
    for (uint32_t i = 0; i < SLOTS; i++) fill_slot(skerry_queue_take_ticket(&end), i);
    end = stale;
    skerry_word ticket = 0;
    if (tries) REQUIRE(!skerry_queue_try_ticket(&end, &ticket), "a ticket for a full queue");
    if (!tries) ticket = skerry_queue_take_ticket(&end);
    if (!tries) REQUIRE(!skerry_queue_has_room(&end, ticket), "there is room in a full queue");
    for (uint32_t i = 0; i < SLOTS; i++) REQUIRE(dequeue() == i, "message %lu is another", (unsigned long)i);
    if (tries) ticket = skerry_queue_take_ticket(&end);
    REQUIRE(skerry_queue_has_room(&end, ticket), "no room in an empty queue");
    fill_slot(ticket, 77);
    REQUIRE(dequeue() == 77, "another message than was sent");
    shmem_barrier_all();
}

int main(void) {
    test_begin();
    REQUIRE(pes <= 64, "made for up to 64 PEs");
    queue = shmem_align(SKERRY_FALSE_SHARING_RANGE, skerry_queue_bytes(SLOTS, skerry_queue_slot_bytes(MESSAGE_BYTES)));
    REQUIRE(queue, "no memory");
    uint64_t turn = UINT64_C(1) << 32;
    for (int many_readers = 0; many_readers < 2; many_readers++)
        for (skerry_word before = 1; before <= SLOTS + 1; before += 2) {
            send_across((skerry_word)(turn - before), many_readers);
            send_across((skerry_word)0 - before, many_readers);
        }
    for (uint64_t before = 1; before < SLOTS && sizeof(skerry_word) == 8; before++) {
        meet_full_queue((skerry_word)(turn - before), false);
        meet_full_queue((skerry_word)(turn - before), true);
    }
    shmem_free(queue);
    return test_end();
}
