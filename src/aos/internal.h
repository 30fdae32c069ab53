// SPDX-License-Identifier: BSD-3-Clause
// Declarations that the files of this folder share: the tables by which PEs find each other's segments, queues, replies
// and requests. Each PE has one area in its table memory. The comment of a field names the lock under which it is
// written, or the kind of atomic operation that changes it. The holder of a lock never waits for anything. So any PE
// may wait for any lock, also while it runs requests of other PEs.
#ifndef SKERRY_AOS_INTERNAL_H
#define SKERRY_AOS_INTERNAL_H

#ifndef SKERRY_NO_INLINE
#define SKERRY_NO_INLINE
#endif
#include "../machine/machine.h" // first: it defines SKERRY_NORETURN
#include <aos.h>

#include "../heap/heap.h"
#include "../primitive/checking.h"
#include "../primitive/event.h"
#include "../primitive/queue.h"
#include "inline.h"

enum skerry_aos_kind { SKERRY_AOS_NONE, SKERRY_AOS_WINDOW, SKERRY_AOS_QUEUE, SKERRY_AOS_PE, SKERRY_AOS_SHARED };

#define SKERRY_AOS_RUN_LIMIT_LEAST 64u // messages: least value of a queue's run_limit (queue.c)

enum skerry_aos_entry_state { SKERRY_AOS_FREE, SKERRY_AOS_RESERVED, SKERRY_AOS_PUBLISHED };

// A segment: an entry in its creator's area. Written by the creator, under the index lock of the number's home.
struct skerry_aos_entry {
    uint64_t id;
    uint64_t base; // global address if the segment is near, else an address of the owner's own address space
    uint64_t bytes;
    skerry_word generation; // number of segments that used this entry and have ended
    uint32_t next;          // reference of the next entry in the bucket
    uint32_t state;
    int32_t creator;
    int32_t owner;
    int32_t first_pe;
    int32_t pe_count; // number of PEs that may clone the segment; 0: all PEs
    uint32_t flags;
    uint32_t message_bytes;
    uint16_t protocols;
    uint8_t waiting;
    uint8_t kind;
    bool near;
};

#define SKERRY_AOS_UNSEEN 1u // the owner has not checked yet that the words exist
#define SKERRY_AOS_SEEN 2u   // the owner has checked it

// A deferred atomic: an entry in the area of its words' owner. Written under the parking lock.
struct skerry_aos_deferred {
    uint32_t next; // number, from 1, of the next deferred atomic, or of the next free entry
    uint32_t operation;
    int32_t initiator;
    uint32_t reply;     // number, from 1, of the initiator's reply; 0: none
    uint64_t sequence;  // sequence number of the reply
    uint64_t reference; // reference of the segment's entry; 0: the segment has no entry
    uint64_t word;
    uint64_t watched;
    int64_t value;
    int64_t expected;
    int64_t compared;
    int32_t condition;
    uint32_t is_private; // SKERRY_AOS_UNSEEN or SKERRY_AOS_SEEN: only the owner reaches the words; 0: every PE does
};

// A reply: the place in the initiator's area for the answer to an operation. While the operation is under way, the PE
// that does it writes `done`, `value` and `error`.
struct skerry_aos_reply {
    uint64_t done;     // sequence number of the last operation that was answered
    uint64_t sequence; // sequence number of the last operation that took this reply; under the own lock
    int64_t value;
    int32_t error;
    int32_t at;    // PE in whose memory the operation is done
    bool served;   // true if that PE itself must do the operation
    uint32_t next; // number, from 1, of the next free reply; under the own lock
    uint32_t in_use;
};

#if SKERRY_PRIVATE_MEMORY

enum skerry_aos_request_kind { SKERRY_AOS_MOVE_TO, SKERRY_AOS_MOVE_FROM, SKERRY_AOS_DO, SKERRY_AOS_FENCE };

// A request of a PE to the owner of memory that the PE cannot reach.
struct skerry_aos_request {
    uint32_t kind;
    uint32_t operation;
    int32_t initiator;
    uint32_t reply;
    uint64_t sequence;
    uint64_t address; // in the owner's address space
    int64_t value;
    int64_t expected;
    const void *stage; // buffer for dense data in the initiator's area
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
    _Alignas(SKERRY_LINE) uint32_t state; // SKERRY_AOS_UP between aos_init and aos_finalize; stored by the owner
    uint32_t entries_used;                // number of entries ever used; under the own lock, like the next four
    uint32_t entries_free;
    uint32_t replies_used;
    uint32_t replies_free;
    uint32_t stages_in_use; // one bit for each stage
    _Alignas(SKERRY_LINE) uint32_t own_lock;
    uint32_t serve_lock; // held by the thread that runs this PE's requests
    int64_t outstanding; // number of this PE's deferred atomics at all PEs; atomic additions
#if SKERRY_PRIVATE_MEMORY
    uint64_t asked[SKERRY_AOS_PE_WORDS];   // one bit for each PE to which a request without a reply was sent; atomic OR
    uint64_t faulted[SKERRY_AOS_PE_WORDS]; // one bit for each PE where such a request failed; atomic OR and AND
#endif
    uint64_t deferred_at[SKERRY_AOS_PE_WORDS]; // one bit for each PE where this PE ever deferred an atomic; atomic OR
    _Alignas(SKERRY_LINE) uint64_t arrived;    // PE 0's: number of arrivals at barriers of set-up and exit; additions
    _Alignas(SKERRY_LINE) uint32_t index_lock;
    uint32_t published; // number of publications of segments whose home this PE is; atomic additions
    _Alignas(SKERRY_LINE) uint32_t
        deferred_count; // deferred atomics in this list; under the parking lock; read by each PE that changes a word
    _Alignas(SKERRY_LINE) uint32_t parking_lock;
    skerry_word changes; // number of calls of skerry_aos_run_deferred for this list; atomic additions
    uint32_t wanted;     // 1: the owner found the lock taken, and the PE that releases the lock must interrupt it
    uint32_t deferred_first;
    uint32_t deferred_last;
    uint32_t deferred_free;
    uint32_t deferred_used;
    uint32_t buckets[SKERRY_AOS_BUCKETS]; // index of the numbers whose home this PE is: references; under index_lock
    struct skerry_aos_entry entries[SKERRY_AOS_SEGMENTS_MAX];
    struct skerry_aos_deferred deferred[SKERRY_AOS_DEFERRED_MAX];
    struct skerry_aos_reply replies[SKERRY_AOS_REPLIES_MAX];
#if SKERRY_PRIVATE_MEMORY
    _Alignas(_Alignof(struct skerry_queue))
        uint8_t requests[sizeof(struct skerry_queue) + SKERRY_AOS_REQUESTS * SKERRY_AOS_REQUEST_SLOT];
    _Alignas(SKERRY_LINE) uint8_t stages[SKERRY_AOS_STAGES][SKERRY_AOS_STAGE_BYTES];
#endif
    // The queues to which threads of this PE are writing: one row for each thread number, one element for each level of
    // handlers that interrupt the thread. Stored by this PE only.
    struct skerry_aos_inside {
        _Alignas(SKERRY_LINE) uintptr_t queues[SKERRY_NESTING];
    } inside[SKERRY_THREAD_NUMBERS];
    uint32_t others_inside;  // number of threads without their own number that write to any queue; atomic additions
    uint32_t pool_is_formed; // under the own lock, like the pool itself
    // The table memory of a machine may be too small for the fields below.
    struct heap pool; // allocator of `memory`, in which queues are created
    _Alignas(SKERRY_LINE) uint8_t memory[];
};

#define SKERRY_AOS_UP 1u
#define SKERRY_AOS_NESTED_MAX 32 // calls of aos_init without their aos_finalize: number of bits of `collective`

// This PE's state.
struct skerry_aos {
    struct skerry_aos_area *area;
    int32_t initializations;
    uint32_t collective; // one bit for each call of aos_init, the last call lowest: 1 if the call waited for all PEs
    uint64_t barriers;   // barriers of set-up and exit entered; the last is complete if `arrived` is this times the PEs
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
// Does one step of a wait for a word in memory of PE `owner`: runs the requests that have arrived, or pauses if there
// are none.
SKERRY_PRIVATE void skerry_aos_pause(struct skerry_aos_waiter *waiter, int owner);

#define SKERRY_AOS_WAIT_UNTIL(condition, owner, policy)                                                                \
    do {                                                                                                               \
        struct skerry_aos_waiter skerry_waiter __attribute__((cleanup(skerry_aos_end_wait))) =                         \
            skerry_aos_begin_wait(policy);                                                                             \
        while (!(condition)) skerry_aos_pause(&skerry_waiter, owner);                                                  \
    } while (0)

// A lock is held with interrupts masked, because a handler may take the same lock.
SKERRY_PRIVATE bool skerry_aos_try_lock(uint32_t *lock, int pe);
SKERRY_PRIVATE void skerry_aos_lock(uint32_t *lock, int pe);
SKERRY_PRIVATE void skerry_aos_unlock(uint32_t *lock, int pe);

// -- Errors (refuse.c) -------------------------------------------------------------------------------------------------

// Returns `error`. When checking, reports the error in one line and ends the job, except for errors that a program may
// expect (refuse.c, is_answer).
SKERRY_PRIVATE int skerry_aos_refuse(const char *routine, int error, const aos_segment_t *segment, uint64_t offset,
                                     uint64_t bytes);
// Returns AOS_ERROR_ARGUMENT. When checking, reports the argument and the rule in one line and ends the job; `values`
// are as for skerry_fail_values.
#if SKERRY_CAN_CHECK
SKERRY_PRIVATE int skerry_aos_refuse_argument(const char *routine, const char *rule, const long *values, int count);
#else
static inline int skerry_aos_refuse_argument(const char *routine, const char *rule, const long *values, int count) {
    (void)routine, (void)rule, (void)values, (void)count;
    return AOS_ERROR_ARGUMENT;
}
#endif
// Checks that the handle names a segment that exists. Called only when checking.
SKERRY_PRIVATE void skerry_aos_check_segment(const char *routine, const aos_segment_t *segment);
// Checks that the place for a fetched value is not NULL. Called only when checking.
SKERRY_PRIVATE void skerry_aos_check_result(const char *routine, const int64_t *result);
// When checking: checks that the first and the last byte of this PE's side of a put or get are memory of this PE.
// Returns AOS_SUCCESS or AOS_ERROR_ARGUMENT.
SKERRY_PRIVATE int skerry_aos_check_local(const char *routine, const void *local, uint64_t bytes, bool put);
// Returns AOS_SUCCESS, or the reason why the segment cannot be used with the protocols in `protocol`.
SKERRY_PRIVATE int skerry_aos_usable(const aos_segment_t *segment, uint32_t protocol);

// -- Segments (index.c, segment.c, place.c) -------------------------------------------------------------------------------------

// Copies `wanted` to a free entry of this PE and inserts that into the index, unpublished. Returns the entry, or NULL
// and the reason in `*error`.
SKERRY_PRIVATE SKERRY_COLD struct skerry_aos_entry *skerry_aos_register(const struct skerry_aos_entry *wanted,
                                                                        int *error);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_publish(struct skerry_aos_entry *entry);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_unregister(struct skerry_aos_entry *entry);
// Copies the published entry of number `id` to `*copy`. Returns false if there is none.
SKERRY_PRIVATE SKERRY_COLD bool skerry_aos_find(uint64_t id, struct skerry_aos_entry *copy,
                                                struct skerry_aos_entry **entry);
SKERRY_PRIVATE SKERRY_COLD int skerry_aos_home(uint64_t id);
SKERRY_PRIVATE uint64_t skerry_aos_reference(const struct skerry_aos_entry *entry);
// Finds the segment (or, if `queue`, the queue) with number `id`. Waits until it is published, unless `flags` has
// AOS_TRY. Returns AOS_SUCCESS, or an error if there is none or if it is not for this PE.
SKERRY_PRIVATE SKERRY_COLD int skerry_aos_acquire(const char *routine, uint64_t id, uint32_t flags, bool queue,
                                                  struct skerry_aos_entry *copy, struct skerry_aos_entry **entry);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_form(aos_segment_t *segment, const struct skerry_aos_entry *values,
                                                struct skerry_aos_entry *entry);
SKERRY_PRIVATE SKERRY_COLD int skerry_aos_check_options(const char *routine, const aos_options_t *options,
                                                        uint32_t flags);
SKERRY_PRIVATE SKERRY_COLD int skerry_aos_let_find(const char *routine, aos_segment_t *segment);
SKERRY_PRIVATE SKERRY_COLD int skerry_aos_give_up(const char *routine, aos_segment_t *segment);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_destroy_own(void);
// If the memory can be reached by every PE, returns true, and stores its global address and the PE that is notified
// when it changes. Returns false if the memory is private.
SKERRY_PRIVATE bool skerry_aos_is_global(const volatile void *address, uint64_t bytes, uint64_t *global, int *owner);

// Kinds of access to memory. NEAR: by the machine's operations to a PE. OUTSIDE: by load and store, in memory that no
// PE owns (skerry_is_outside). OWN: private memory of this PE. FAR: private memory of another PE, reached by
// cross-memory access or by a request; on a machine without private memory, an address where no memory is.
enum skerry_aos_how { SKERRY_AOS_NEAR, SKERRY_AOS_OUTSIDE, SKERRY_AOS_OWN, SKERRY_AOS_FAR };

// The access by which this PE reaches [offset, offset + bytes) of a segment.
struct skerry_aos_way {
    uint64_t address; // a global address if near, else an address of the owner's own address space
    int owner;        // PE in whose memory it is
    enum skerry_aos_how how;
};
SKERRY_PRIVATE struct skerry_aos_way skerry_aos_locate(const aos_segment_t *segment, uint64_t offset, uint64_t bytes);

// -- Words (modify.c) --------------------------------------------------------------------------------------------------

struct skerry_aos_place {
    uint64_t word;
    int owner;
    bool is_private; // private memory; the owner is this PE then
};

// Does an operation on a word if `when` is NULL or if the word `watched` satisfies `when`. Stores the word's old value
// to `*before`. Returns false, and changes nothing, if the condition does not hold.
SKERRY_PRIVATE bool skerry_aos_modify(const struct skerry_aos_place *place, uint32_t operation, int64_t value,
                                      int64_t expected, uint64_t watched, const aos_condition_t *when, int64_t *before);
SKERRY_PRIVATE int64_t skerry_aos_look(uint64_t word);

// -- Served by the owner (progress.c), replies (reply.c), deferred (deferred.c) -----------------------------------------------

// Runs requests of other PEs that have arrived. Returns the number of requests that it ran.
SKERRY_PRIVATE int skerry_aos_progress(void);
// Returns true if a request of another PE has arrived or is running.
SKERRY_PRIVATE bool skerry_aos_is_asked(void);
#if SKERRY_PRIVATE_MEMORY
// Puts a request into the queue of PE `pe`; waits for a free slot. Returns false if the PE has ended. skerry_aos_ask
// then interrupts the PE; skerry_aos_ask_awaited does not, because its caller waits for the answer at once by
// skerry_aos_await.
SKERRY_PRIVATE bool skerry_aos_ask(const struct skerry_aos_request *request, int pe, uint32_t policy);
SKERRY_PRIVATE bool skerry_aos_ask_awaited(const struct skerry_aos_request *request, int pe, uint32_t policy);
// Waits for the answer to a request. Interrupts PE `pe` only if no answer arrived while it polled for some
// microseconds.
SKERRY_PRIVATE int skerry_aos_await(aos_event_t *event, int pe);
// Returns true if this PE may read the word, and write it if the operation does.
SKERRY_PRIVATE bool skerry_aos_may_do(uint32_t operation, uint64_t word);
#endif
SKERRY_PRIVATE void skerry_aos_begin_serving(void);
SKERRY_PRIVATE void skerry_aos_end_serving(void);
// From now on requests of other PEs interrupt this PE when it computes, and every wait of the library polls for them.
SKERRY_PRIVATE void skerry_aos_poll_requests(void);
// Makes a PE poll for requests: at once if it accepts interrupts, otherwise in its next wait for a segment.
SKERRY_PRIVATE void skerry_aos_call(int pe);

// Takes a reply of this PE for an operation on memory of PE `at`; `served` is true if that PE itself must do the
// operation. Returns the reply's number, from 1, and stores its sequence number; 0 if no reply is free.
SKERRY_PRIVATE uint32_t skerry_aos_take_reply(int at, bool served, uint64_t *sequence);
// Sends the answer to an operation of PE `initiator`. If the operation has no reply (`reply` is 0), an AOS_ERROR_FAULT
// is noted for the initiator's next fence.
SKERRY_PRIVATE void skerry_aos_answer(int initiator, uint32_t reply, uint64_t sequence, int64_t value, int error);
// Makes an event that happens when the reply is answered.
SKERRY_PRIVATE void skerry_aos_expect(aos_event_t *event, uint32_t reply, uint64_t sequence, int64_t *result);
// Ends an event that has happened: stores the fetched value, frees the reply, and returns the operation's error.
SKERRY_PRIVATE int skerry_aos_collect(aos_event_t *event);

SKERRY_PRIVATE SKERRY_AOS_PARKING int skerry_aos_park(struct skerry_aos_deferred *wanted, int owner, uint32_t policy);
// Does the deferred atomics on words of PE `owner` whose condition holds. Does not wait.
SKERRY_PRIVATE SKERRY_AOS_PARKING void skerry_aos_poll_deferred(int owner);
// Calls skerry_aos_poll_deferred for every PE where this PE has deferred an atomic.
SKERRY_PRIVATE SKERRY_AOS_PARKING void skerry_aos_poll_deferred_everywhere(void);
SKERRY_PRIVATE SKERRY_AOS_PARKING bool skerry_aos_has_deferred(int owner, uint64_t reference);
SKERRY_PRIVATE SKERRY_AOS_PARKING void skerry_aos_cancel_deferred(int owner, uint64_t reference);
// Cancels the atomics that an earlier process of this PE has deferred, and those that other PEs deferred on its private
// memory.
SKERRY_PRIVATE SKERRY_AOS_PARKING void skerry_aos_forget_deferred(void);

// Returns true if any PE can have deferred atomics. The functions above may not be linked, so a caller must test this
// first.
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
