// SPDX-License-Identifier: BSD-3-Clause
// What the chapters share: the tables that tie PEs together. Each PE has one area in its table memory; a word of it is written
// under the lock named beside it, or as it says. A lock's holder never waits for anything, so a PE that waits for one may be
// any PE, and what serves others takes no lock that is held while waiting.
#ifndef SKERRY_AOS_INTERNAL_H
#define SKERRY_AOS_INTERNAL_H

#ifndef SKERRY_NO_INLINE
#define SKERRY_NO_INLINE
#endif
#include "../machine/machine.h" // first: it says how what ends a program is called
#include <aos.h>

#include "../heap/heap.h"
#include "../primitive/checking.h"
#include "../primitive/event.h"
#include "../primitive/queue.h"
#include "inline.h"

enum skerry_aos_kind { SKERRY_AOS_NONE, SKERRY_AOS_WINDOW, SKERRY_AOS_QUEUE, SKERRY_AOS_PE, SKERRY_AOS_SHARED };

#define SKERRY_AOS_RUN_LIMIT_LEAST 64u // messages, of a reader that keeps up (queue.c)

enum skerry_aos_entry_state { SKERRY_AOS_FREE, SKERRY_AOS_RESERVED, SKERRY_AOS_PUBLISHED };

// A segment, in its creator's area. Written by the creator, under the index lock of the number's home.
struct skerry_aos_entry {
    uint64_t id;
    uint64_t base; // global address if near, else the owner's own
    uint64_t bytes;
    skerry_word generation; // one more each time that what the entry held has ended
    uint32_t next;          // reference of the next in the bucket
    uint32_t state;
    int32_t creator;
    int32_t owner;
    int32_t first_pe;
    int32_t pe_count; // 0: all
    uint32_t flags;
    uint32_t message_bytes;
    uint16_t protocols;
    uint8_t waiting;
    uint8_t kind;
    bool near;
};

#define SKERRY_AOS_UNSEEN 1u // whether they are there
#define SKERRY_AOS_SEEN 2u

// A conditional atomic that waits, in the area of its words' owner, under the parking lock.
struct skerry_aos_deferred {
    uint32_t next; // number, from 1, of the next that waits, or of the next free one
    uint32_t operation;
    int32_t initiator;
    uint32_t reply;     // number, from 1, of the initiator's reply; 0: none
    uint64_t sequence;  // of the reply
    uint64_t reference; // of the segment's entry; 0: a segment without one
    uint64_t word;
    uint64_t watched;
    int64_t value;
    int64_t expected;
    int64_t compared;
    int32_t condition;
    uint32_t is_private; // only the owner reaches the words: SKERRY_AOS_UNSEEN, or SKERRY_AOS_SEEN; 0: everyone
};

// Where an answer goes, in the initiator's area. `done` is the owner's while the operation is under way.
struct skerry_aos_reply {
    uint64_t done;     // the sequence that was answered last
    uint64_t sequence; // given out last; under the own lock
    int64_t value;
    int32_t error;
    int32_t at;    // PE in whose memory the operation is done
    bool served;   // and that does it
    uint32_t next; // free ones; under the own lock
    uint32_t in_use;
};

#if SKERRY_PRIVATE_MEMORY

enum skerry_aos_request_kind { SKERRY_AOS_MOVE_TO, SKERRY_AOS_MOVE_FROM, SKERRY_AOS_DO, SKERRY_AOS_FENCE };

// What a PE asks of the owner of memory that it cannot reach.
struct skerry_aos_request {
    uint32_t kind;
    uint32_t operation;
    int32_t initiator;
    uint32_t reply;
    uint64_t sequence;
    uint64_t address; // the owner's
    int64_t value;
    int64_t expected;
    const void *stage; // dense data, in the initiator's area
    uint64_t block_bytes;
    uint64_t blocks;
    int64_t pitch;
};

#define SKERRY_AOS_REQUEST_SLOT                                                                                        \
    ((sizeof(struct skerry_queue_slot) + sizeof(struct skerry_aos_request) + SKERRY_LINE - 1) / SKERRY_LINE *          \
     SKERRY_LINE)

#endif

#define SKERRY_AOS_PE_WORDS ((SKERRY_PES_MAX + 63) / 64)

struct skerry_aos_area {
    _Alignas(SKERRY_LINE) uint32_t state; // SKERRY_AOS_UP between aos_init and aos_finalize; the owner's store
    uint32_t entries_used;                // ever; under the own lock, like the next four
    uint32_t entries_free;
    uint32_t replies_used;
    uint32_t replies_free;
    uint32_t stages_in_use; // a bit each
    _Alignas(SKERRY_LINE) uint32_t own_lock;
    uint32_t serve_lock; // whoever serves this PE's requests
    int64_t outstanding; // conditional atomics of this PE that wait somewhere; by counting
#if SKERRY_PRIVATE_MEMORY
    uint64_t asked[SKERRY_AOS_PE_WORDS];   // a bit for each PE that was ever asked for something without a reply
    uint64_t faulted[SKERRY_AOS_PE_WORDS]; // and that had no memory for it; by or and and
#endif
    uint64_t deferred_at[SKERRY_AOS_PE_WORDS]; // and at which a conditional atomic ever waited; both by or
    _Alignas(SKERRY_LINE) uint64_t arrived;    // PE 0's: at the barriers of set-up and exit; by counting
    _Alignas(SKERRY_LINE) uint32_t index_lock;
    uint32_t published; // times that a segment was, in this index; by counting
    _Alignas(SKERRY_LINE) uint32_t
        deferred_count; // what wait here; under the parking lock, read by everyone who changes a word
    _Alignas(SKERRY_LINE) uint32_t parking_lock;
    skerry_word changes; // of words while something waited; by counting
    uint32_t wanted;     // the owner found the lock taken: whoever gives it back calls him
    uint32_t deferred_first;
    uint32_t deferred_last;
    uint32_t deferred_free;
    uint32_t deferred_used;
    uint32_t buckets[SKERRY_AOS_BUCKETS]; // the index of numbers whose home this is: references; under the index lock
    struct skerry_aos_entry entries[SKERRY_AOS_SEGMENTS_MAX];
    struct skerry_aos_deferred deferred[SKERRY_AOS_DEFERRED_MAX];
    struct skerry_aos_reply replies[SKERRY_AOS_REPLIES_MAX];
#if SKERRY_PRIVATE_MEMORY
    _Alignas(_Alignof(struct skerry_queue))
        uint8_t requests[sizeof(struct skerry_queue) + SKERRY_AOS_REQUESTS * SKERRY_AOS_REQUEST_SLOT];
    _Alignas(SKERRY_LINE) uint8_t stages[SKERRY_AOS_STAGES][SKERRY_AOS_STAGE_BYTES];
#endif
    // Queues whose memory threads of this PE are writing to: by number of the thread, and for what interrupts it. The owner's
    // stores.
    struct skerry_aos_inside {
        _Alignas(SKERRY_LINE) uintptr_t queues[SKERRY_NESTING];
    } inside[SKERRY_THREAD_NUMBERS];
    uint32_t others_inside;  // threads without a number of their own, in whatever queues; by counting
    uint32_t pool_is_formed; // under the own lock, like the pool itself
    // A machine may have no room for the rest.
    struct heap pool; // of what follows: the queues' memory
    _Alignas(SKERRY_LINE) uint8_t memory[];
};

#define SKERRY_AOS_UP 1u
#define SKERRY_AOS_NESTED_MAX 32 // calls of aos_init without their aos_finalize: bits of `collective`

// This PE's state.
struct skerry_aos {
    struct skerry_aos_area *area;
    int32_t initializations;
    uint32_t collective; // a bit for each of them, the last one lowest: all PEs were waited for
    uint64_t barriers;   // this PE's, of set-up and exit; the wide word of `arrived` counts them times the PEs
};
extern SKERRY_PRIVATE struct skerry_aos skerry_aos;

static inline struct skerry_aos_area *skerry_aos_area(int pe) {
    return (struct skerry_aos_area *)skerry_global(skerry_aos.area, pe);
}

#if SKERRY_PRIVATE_MEMORY
static inline struct skerry_queue *skerry_aos_requests(int pe) {
    return (struct skerry_queue *)(void *)skerry_aos_area(pe)->requests;
}
#endif

static inline bool skerry_aos_is_up(int pe) {
    return SKERRY_LOAD_ACQUIRE(&skerry_aos_area(pe)->state) == SKERRY_AOS_UP;
}

static inline void skerry_aos_mark(uint64_t *bits, int pe) {
    uint64_t bit = UINT64_C(1) << (pe & 63);
    if (!(SKERRY_LOAD_ACQUIRE(&bits[pe >> 6]) & bit)) skerry_atomic_or_64(&bits[pe >> 6], bit, skerry_my_pe());
}

static inline bool skerry_aos_is_marked(const uint64_t *bits, int pe) {
    return SKERRY_LOAD_ACQUIRE(&bits[pe >> 6]) >> (pe & 63) & 1;
}

// -- Waiting (wait.c) --------------------------------------------------------------------------------------------------

struct skerry_aos_waiter {
    struct skerry_pause pause;
    uint32_t steps;
    uint32_t policy;
};

SKERRY_PRIVATE struct skerry_aos_waiter skerry_aos_begin_wait(uint32_t policy);
SKERRY_PRIVATE void skerry_aos_end_wait(struct skerry_aos_waiter *waiter);
// One step: serves what others ask of this PE; where there is nothing, pauses.
SKERRY_PRIVATE void skerry_aos_pause(struct skerry_aos_waiter *waiter, int owner);

#define SKERRY_AOS_WAIT_UNTIL(condition, owner, policy)                                                                \
    do {                                                                                                               \
        struct skerry_aos_waiter skerry_waiter __attribute__((cleanup(skerry_aos_end_wait))) =                         \
            skerry_aos_begin_wait(policy);                                                                             \
        while (!(condition)) skerry_aos_pause(&skerry_waiter, owner);                                                  \
    } while (0)

// A lock is held with interrupts masked: a handler may want it.
SKERRY_PRIVATE bool skerry_aos_try_lock(uint32_t *lock, int pe);
SKERRY_PRIVATE void skerry_aos_lock(uint32_t *lock, int pe);
SKERRY_PRIVATE void skerry_aos_unlock(uint32_t *lock, int pe);

// -- Errors (refuse.c) -------------------------------------------------------------------------------------------------

// The error; when checking, a line and the end of the job.
SKERRY_PRIVATE int skerry_aos_refuse(const char *routine, int error, const aos_segment_t *segment, uint64_t offset,
                                     uint64_t bytes);
// AOS_ERROR_ARGUMENT; when checking, a line that names the argument and the rule, with values as skerry_fail_values has them.
#if SKERRY_CAN_CHECK
SKERRY_PRIVATE int skerry_aos_refuse_argument(const char *routine, const char *rule, const long *values, int count);
#else
static inline int skerry_aos_refuse_argument(const char *routine, const char *rule, const long *values, int count) {
    (void)routine, (void)rule, (void)values, (void)count;
    return AOS_ERROR_ARGUMENT;
}
#endif
// When checking: the handle names a segment that exists.
SKERRY_PRIVATE void skerry_aos_check_segment(const char *routine, const aos_segment_t *segment);
// The place for a fetched value is one.
SKERRY_PRIVATE void skerry_aos_check_result(const char *routine, const int64_t *result);
// When checking: the first and the last of the bytes that are read or written here are memory.
SKERRY_PRIVATE int skerry_aos_check_local(const char *routine, const void *local, uint64_t bytes, bool put);
// AOS_SUCCESS, or why the segment cannot be used in this way at all.
SKERRY_PRIVATE int skerry_aos_usable(const aos_segment_t *segment, uint32_t protocol);

// -- Segments (index.c, segment.c, place.c) -------------------------------------------------------------------------------------

// Registers an entry that is filled in but for its place; NULL: `error` says why not.
SKERRY_PRIVATE SKERRY_COLD struct skerry_aos_entry *skerry_aos_register(const struct skerry_aos_entry *wanted,
                                                                        int *error);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_publish(struct skerry_aos_entry *entry);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_unregister(struct skerry_aos_entry *entry);
// Copies the published entry of that number; false: there is none.
SKERRY_PRIVATE SKERRY_COLD bool skerry_aos_find(uint64_t id, struct skerry_aos_entry *copy,
                                                struct skerry_aos_entry **entry);
SKERRY_PRIVATE SKERRY_COLD int skerry_aos_home(uint64_t id);
SKERRY_PRIVATE uint64_t skerry_aos_reference(const struct skerry_aos_entry *entry);
// Finds, waits where `flags` says so, and looks whether this PE may have it.
SKERRY_PRIVATE SKERRY_COLD int skerry_aos_acquire(const char *routine, uint64_t id, uint32_t flags, bool queue,
                                                  struct skerry_aos_entry *copy, struct skerry_aos_entry **entry);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_form(aos_segment_t *segment, const struct skerry_aos_entry *values,
                                                struct skerry_aos_entry *entry);
SKERRY_PRIVATE SKERRY_COLD int skerry_aos_check_options(const char *routine, const aos_options_t *options,
                                                        uint32_t flags);
SKERRY_PRIVATE SKERRY_COLD int skerry_aos_let_find(const char *routine, aos_segment_t *segment);
SKERRY_PRIVATE SKERRY_COLD int skerry_aos_give_up(const char *routine, aos_segment_t *segment);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_destroy_own(void);
// Where symmetric or shared memory is for every PE, and who is woken when it changes; false: it is private.
SKERRY_PRIVATE bool skerry_aos_is_global(const volatile void *address, uint64_t bytes, uint64_t *global, int *owner);

// Outside: by load and store too, in memory of no PE (skerry_is_outside). Far: by the owner, where there is private memory; elsewhere
// there is nothing at such an address.
enum skerry_aos_how { SKERRY_AOS_NEAR, SKERRY_AOS_OUTSIDE, SKERRY_AOS_OWN, SKERRY_AOS_FAR };

// How this PE gets at [offset, offset + bytes) of a segment.
struct skerry_aos_way {
    uint64_t address; // near: global; else the owner's
    int owner;        // PE in whose memory it is
    enum skerry_aos_how how;
};
SKERRY_PRIVATE struct skerry_aos_way skerry_aos_locate(const aos_segment_t *segment, uint64_t offset, uint64_t bytes);

// -- Words (modify.c) --------------------------------------------------------------------------------------------------

struct skerry_aos_place {
    uint64_t word;
    int owner;
    bool is_private; // then the owner is this PE
};

// Does an operation on a word, if `when` is NULL or holds; false: it does not hold. `watched` is what it is about.
SKERRY_PRIVATE bool skerry_aos_modify(const struct skerry_aos_place *place, uint32_t operation, int64_t value,
                                      int64_t expected, uint64_t watched, const aos_condition_t *when, int64_t *before);
SKERRY_PRIVATE int64_t skerry_aos_look(uint64_t word);

// -- Served by the owner (progress.c), replies (reply.c), deferred (deferred.c) -----------------------------------------------

// Serves what others have asked of this PE; returns how much.
SKERRY_PRIVATE int skerry_aos_progress(void);
// Whether there is anything to serve, or being served.
SKERRY_PRIVATE bool skerry_aos_is_asked(void);
#if SKERRY_PRIVATE_MEMORY
// Hands a request to its PE, waiting for room. False: the PE is gone. Calls the PE, unless the answer is awaited at once.
SKERRY_PRIVATE bool skerry_aos_ask(const struct skerry_aos_request *request, int pe, uint32_t policy);
SKERRY_PRIVATE bool skerry_aos_ask_awaited(const struct skerry_aos_request *request, int pe, uint32_t policy);
// Waits for the answer: a PE that comes by soon is not called.
SKERRY_PRIVATE int skerry_aos_await(aos_event_t *event, int pe);
// Whether a word of this PE's memory is there for an operation.
SKERRY_PRIVATE bool skerry_aos_may_do(uint32_t operation, uint64_t word);
#endif
SKERRY_PRIVATE void skerry_aos_begin_serving(void);
SKERRY_PRIVATE void skerry_aos_end_serving(void);
// From now on others may interrupt this PE when it computes, and every wait of the library serves.
SKERRY_PRIVATE void skerry_aos_poll_requests(void);
// Makes a PE serve: one that asked for attention at once, any other in its next wait for a segment.
SKERRY_PRIVATE void skerry_aos_call(int pe);

// A reply for an operation at PE `at`; 0: there is none left.
SKERRY_PRIVATE uint32_t skerry_aos_take_reply(int at, bool served, uint64_t *sequence);
// Of what has no reply the next fence tells AOS_ERROR_FAULT.
SKERRY_PRIVATE void skerry_aos_answer(int initiator, uint32_t reply, uint64_t sequence, int64_t value, int error);
// Makes the event that happens with the reply.
SKERRY_PRIVATE void skerry_aos_expect(aos_event_t *event, uint32_t reply, uint64_t sequence, int64_t *result);
// After it has happened: the value, the operation's error, and the reply is free.
SKERRY_PRIVATE int skerry_aos_collect(aos_event_t *event);

SKERRY_PRIVATE SKERRY_AOS_PARKING int skerry_aos_park(struct skerry_aos_deferred *wanted, int owner, uint32_t policy);
// Looks once whether something that waits for words of PE `owner` can be done.
SKERRY_PRIVATE SKERRY_AOS_PARKING void skerry_aos_poll_deferred(int owner);
// At every PE where this one has deferred something.
SKERRY_PRIVATE SKERRY_AOS_PARKING void skerry_aos_poll_deferred_everywhere(void);
SKERRY_PRIVATE SKERRY_AOS_PARKING bool skerry_aos_has_deferred(int owner, uint64_t reference);
SKERRY_PRIVATE SKERRY_AOS_PARKING void skerry_aos_cancel_deferred(int owner, uint64_t reference);
// What an earlier process of this PE has deferred, and what others deferred on its private memory.
SKERRY_PRIVATE SKERRY_AOS_PARKING void skerry_aos_forget_deferred(void);

// Whether anything can be deferred anywhere; before it is asked the functions above may not be there.
static inline bool skerry_aos_parks(void) {
#if SKERRY_ONE_PROGRAM && !defined(SKERRY_AOS_PARKS)
    return skerry_aos_run_deferred != 0;
#else
    return true;
#endif
}

static inline bool skerry_aos_has_any_deferred(int owner) {
    return skerry_aos_parks() && SKERRY_LOAD_ACQUIRE(&skerry_aos_area(owner)->deferred_count) != 0;
}

// -- Atomics (plain.c) -------------------------------------------------------------------------------------------------

SKERRY_PRIVATE int skerry_aos_check_word(const aos_segment_t *segment, uint64_t offset);

static inline bool skerry_aos_has_answer(uint32_t operation) {
    return operation >= SKERRY_AOS_PEEK;
}

#endif
