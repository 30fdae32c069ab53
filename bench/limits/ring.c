// SPDX-License-Identifier: BSD-3-Clause
// Measures a stream of messages of 16 bytes from one process to another through a bounded ring in shared memory. Any
// number of processes could fill the ring; one process empties it. The fastest design is the limit of a remote queue:
// no library can be faster. How a producer adds a message:
// * It takes a ticket (the number of a message) by fetch-and-add or, after it has seen a free slot, by
//   compare-and-swap.
// * It writes the message into the ticket's slot. Then it sets the slot's turn, the word that says for which ticket the
//   slot is full or free.
//
// The designs differ in four points:
// * How far slots are apart. A dense ring moves fewer lines. If each line has only one slot, no slot is written while
//   its neighbour is read.
// * How the producer finds out that a slot is free. by_count: from its copy of the consumer's count of messages. It
//   reads the count again only when the copy says that the ring is full. by_turn: from the slot's turn, which the
//   consumer then writes too.
// * Whether the producer fetches lines before it needs them.
// * Whether a consumer that finds no message pauses for long before its next poll. Producer and consumer then do not
//   use one line at the same time.
#include "limits.h"

enum { capacity = 1024, apart = 1024, lines_ahead = 4, pauses_away = 64, batch_nanoseconds = 200000 };

enum taking { by_add, by_claim };
enum room { by_count, by_turn };

struct slot {
    uint64_t turn; // t + 1 if the slot has the message of ticket t; with by_turn also t, if it is free for ticket t
    uint64_t message[2];
};

struct ring {
    _Alignas(apart) uint64_t tail; // next ticket; producers write it
    _Alignas(apart) uint64_t head; // number of messages taken; the consumer writes it
    _Alignas(apart) unsigned char slots[(capacity + lines_ahead) * LIMIT_LINE];
};

struct design {
    enum taking taking;
    enum room room;
    size_t slot_bytes;
    bool ahead, stays_away;
};

static struct ring *rings; // one ring for each design

// Begins to fetch a cache line for writing. After that no other processor has a copy of the line. On x86-64 the
// instruction prefetchw does this. A compiler is allowed to translate the builtin to a prefetch for reading. Such a
// prefetch would have no effect here, because it leaves the consumer its copy of the line.
static inline void own_line(unsigned char *line) {
#if defined(__x86_64__)
    __asm__ volatile("prefetchw %0" ::"m"(*line));
#else
    __builtin_prefetch(line, 1);
#endif
}

static inline struct slot *slot_of(struct ring *ring, uint64_t ticket, size_t slot_bytes) {
    return (struct slot *)(void *)(ring->slots + ticket % capacity * slot_bytes);
}

static inline __attribute__((always_inline)) bool has_room(struct ring *ring, uint64_t ticket, uint64_t *seen,
                                                           struct design design) {
    if (design.room == by_turn)
        return __atomic_load_n(&slot_of(ring, ticket, design.slot_bytes)->turn, __ATOMIC_ACQUIRE) == ticket;
    if (ticket - *seen < capacity) return true;
    *seen = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
    return ticket - *seen < capacity;
}

static inline __attribute__((always_inline)) uint64_t take_ticket(struct ring *ring, uint64_t *seen,
                                                                  struct design design) {
    if (design.taking == by_add) {
        uint64_t ticket = __atomic_fetch_add(&ring->tail, 1, __ATOMIC_ACQ_REL);
        while (!has_room(ring, ticket, seen, design)) limit_relax();
        return ticket;
    }
    for (uint64_t ticket = __atomic_load_n(&ring->tail, __ATOMIC_RELAXED);;) {
        if (!has_room(ring, ticket, seen, design)) {
            limit_relax();
            ticket = __atomic_load_n(&ring->tail, __ATOMIC_RELAXED);
        } else if (__atomic_compare_exchange_n(&ring->tail, &ticket, ticket + 1, false, __ATOMIC_ACQ_REL,
                                               __ATOMIC_RELAXED)) {
            return ticket;
        }
    }
}

static inline __attribute__((always_inline)) void produce(struct ring *ring, long count, struct design design) {
    uint64_t seen = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE), ticket = 0;
    for (long i = 0; i < count; i++) {
        ticket = take_ticket(ring, &seen, design);
        struct slot *slot = slot_of(ring, ticket, design.slot_bytes);
        slot->message[0] = ticket;
        slot->message[1] = (uint64_t)i;
        __atomic_store_n(&slot->turn, ticket + 1, __ATOMIC_RELEASE);
        if (design.ahead) own_line((unsigned char *)slot + lines_ahead * LIMIT_LINE);
    }
    while (__atomic_load_n(&ring->head, __ATOMIC_ACQUIRE) != ticket + 1) limit_relax();
}

static inline __attribute__((always_inline)) void consume(struct ring *ring, long count, struct design design) {
    uint64_t head = ring->head;
    for (long i = 0; i < count; i++, head++) {
        struct slot *slot = slot_of(ring, head, design.slot_bytes);
        while (__atomic_load_n(&slot->turn, __ATOMIC_ACQUIRE) != head + 1)
            for (int pause = 0; pause < (design.stays_away ? pauses_away : 1); pause++) limit_relax();
        if (slot->message[0] != head || slot->message[1] != (uint64_t)i) {
            fprintf(stderr, "ring: message %ld is not the one that was sent\n", i);
            _exit(1);
        }
        __atomic_store_n(design.room == by_turn ? &slot->turn : &ring->head, // the slot is free
                         head + (design.room == by_turn ? capacity : 1), __ATOMIC_RELEASE);
    }
    __atomic_store_n(&ring->head, head, __ATOMIC_RELEASE);
}

// -- Designs -----------------------------------------------------------------------------------------------------------

#define DESIGNS(DESIGN)                                                                                                \
    DESIGN(add_dense, by_add, by_count, sizeof(struct slot), false, false)                                             \
    DESIGN(add_half_line, by_add, by_count, LIMIT_LINE / 2, false, false)                                              \
    DESIGN(add_line, by_add, by_count, LIMIT_LINE, false, false)                                                       \
    DESIGN(add_dense_ahead_away, by_add, by_count, sizeof(struct slot), true, true)                                    \
    DESIGN(add_half_line_ahead_away, by_add, by_count, LIMIT_LINE / 2, true, true)                                     \
    DESIGN(add_dense_turns_ahead_away, by_add, by_turn, sizeof(struct slot), true, true)                               \
    DESIGN(claim_dense_ahead_away, by_claim, by_count, sizeof(struct slot), true, true)                                \
    DESIGN(claim_half_line, by_claim, by_count, LIMIT_LINE / 2, false, false)                                          \
    DESIGN(claim_half_line_ahead, by_claim, by_count, LIMIT_LINE / 2, true, false)                                     \
    DESIGN(claim_half_line_ahead_away, by_claim, by_count, LIMIT_LINE / 2, true, true)                                 \
    DESIGN(claim_line_turns, by_claim, by_turn, LIMIT_LINE, false, false)

enum {
#define NUMBER(NAME, ...) NAME,
    DESIGNS(NUMBER) designs
};

#define STREAM(NAME, TAKING, ROOM, BYTES, AHEAD, AWAY)                                                                 \
    static void stream_##NAME(int me, int processes, long count) {                                                     \
        const struct design design = {TAKING, ROOM, BYTES, AHEAD, AWAY};                                               \
        (void)processes;                                                                                               \
        if (me == 0) produce(&rings[NAME], count, design);                                                             \
        else consume(&rings[NAME], count, design);                                                                     \
    }
DESIGNS(STREAM)

static void empty(struct ring *ring, enum room room, size_t slot_bytes) {
    memset(ring, 0, sizeof *ring);
    for (uint64_t ticket = 0; room == by_turn && ticket < capacity; ticket++)
        slot_of(ring, ticket, slot_bytes)->turn = ticket;
}

int main(int argument_count, char **arguments) {
    int batches = limit_batches(argument_count, arguments, 400);
    if (limit_processors() < 2) {
        fprintf(stderr, "%s: needs two processors\n", arguments[0]);
        return 3;
    }
#define LOOP(NAME, ...) stream_##NAME,
    static void (*const loops[])(int, int, long) = {DESIGNS(LOOP)};
    rings = limit_shared(designs * sizeof *rings);
#define EMPTY(NAME, TAKING, ROOM, BYTES, ...) empty(&rings[NAME], ROOM, BYTES);
    DESIGNS(EMPTY)
    limit_start_team(loops, 2, true);
    static struct limit limits[] = {
#define LIMIT(NAME, ...)                                                                                               \
    {.name = "ring_" #NAME, .parameter = 16, .loop = limit_team_loop, .design = NAME, .batch = batch_nanoseconds},
        DESIGNS(LIMIT)};
    limit_report(limits, designs, batches, "ring");
    limit_end_team();
    return 0;
}
