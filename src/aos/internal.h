// SPDX-License-Identifier: BSD-3-Clause
// Declares what the files of this folder share: the tables by which PEs find each other's segments, queues, replies and
// requests. Each PE has one area, a struct with its tables, in memory that every PE of its node accesses. The comment
// of a field names the lock under which the field is written, or the atomic operation that changes the field. The
// holder of a lock never waits for anything. So a PE is allowed to wait for a lock even while it runs requests of other
// PEs.
#ifndef SKERRY_AOS_INTERNAL_H
#define SKERRY_AOS_INTERNAL_H

#ifndef SKERRY_NO_INLINE
#define SKERRY_NO_INLINE
#endif
#include "../machine/machine.h" // first: it defines SKERRY_NORETURN
#include <aos.h>

#include "../config/config.h"
#include "../heap/heap.h"
#include "../primitive/checking.h"
#include "../primitive/event.h"
#include "../primitive/queue.h"
#include "inline.h"

// True if PE `pe` is on another node (a far PE). Always false on a machine without far PEs, where the compiler
// therefore removes the code for far PEs.
#define SKERRY_AOS_IS_FAR(pe) (SKERRY_FAR_MESSAGES && !skerry_is_near(pe))

// Functions that transfer_begun.c replaces in a program that begins copies (SKERRY_BEGUN_COPIES). In any other program the
// functions do not know that copies can be under way, so that the program is as small as it was. SKERRY_AOS_REPLACEABLE
// makes a function's symbol weak. SKERRY_AOS_ORIGINAL gives the function a second name, by which transfer_begun.c calls
// it. The linker takes the first file of the library that defines a symbol. So the name of transfer_begun.c must follow
// the names of the files of the original functions in the alphabet.
#if SKERRY_BEGUN_COPIES
#define SKERRY_AOS_REPLACEABLE __attribute__((weak))
#define SKERRY_AOS_ORIGINAL(NAME) extern __typeof__(NAME) NAME##_now __attribute__((alias(#NAME)));
#else
#define SKERRY_AOS_REPLACEABLE
#define SKERRY_AOS_ORIGINAL(NAME)
#endif

enum skerry_aos_kind { SKERRY_AOS_NONE, SKERRY_AOS_WINDOW, SKERRY_AOS_QUEUE, SKERRY_AOS_PE, SKERRY_AOS_SHARED };

// A flag of aos_queue_t that only the library sets: the queue's owner is on another node.
#define SKERRY_AOS_FAR_QUEUE (SKERRY_FAR_MESSAGES ? 0x80000000u : 0u)

// A flag that only the library sets: the slots of the queue are promised (credits.c). `next` of the handle is the queue's
// identity. If the queue is far, `seen` is the address of this PE's credit.
#define SKERRY_AOS_PROMISES (SKERRY_FAR_WATCHES ? 0x40000000u : 0u)

#define SKERRY_AOS_RUN_LIMIT_LEAST 64u // smallest value of a queue's run_limit, in messages (queue.c)

enum skerry_aos_entry_state { SKERRY_AOS_FREE, SKERRY_AOS_RESERVED, SKERRY_AOS_PUBLISHED };

// A segment's entry, in the area of the PE that created the segment. Only the creator writes the entry, except for
// `next`. `next` is also written by a PE that removes the next entry of the bucket (the list of entries with the same
// hash). An entry that other PEs can find is written only under index_lock of its number's home PE. The home PE is the
// PE in whose index the number is looked up.
struct skerry_aos_entry {
    uint64_t id;
    uint64_t base; // global address if the segment is near, else an address in the owner's own address space
    uint64_t bytes;
    skerry_word generation; // number of segments that used this entry and have ended
    uint32_t next;          // reference (number among the entries of all PEs) of the next entry in the bucket; 0: none
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
#if SKERRY_FAR_MESSAGES
    // Used only in a copy of an entry. The home PE of a number is the PE that looks the number up. Its index contains a
    // copy if the segment's creator is on another node. Such a copy has a `generation` of its own. Messages contain
    // copies too.
    uint32_t original; // reference of the copied entry; 0: this entry is no copy
    skerry_word original_generation;
#endif
#if SKERRY_FAR_WATCHES
    uint32_t identity; // of a queue whose slots are promised (credits.c), else 0
#endif
};

#define SKERRY_AOS_UNSEEN 1u // the owner of the words has not yet checked that it can access them
#define SKERRY_AOS_SEEN 2u   // the owner of the words has checked that it can access them

// A deferred atomic: a conditional atomic that waits until its condition holds. An element of `deferred` in the area of
// the PE that owns the atomic's words. Written under deferred_lock of that area.
struct skerry_aos_deferred {
    uint32_t next; // number, from 1, of the next deferred atomic, of the next free entry, or of the next answer
    uint32_t operation;
    int32_t initiator;
    uint32_t reply;     // number, from 1, of the initiator's reply that gets the answer; 0: no answer
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

// A reply: the place in the initiator's area for the answer to an operation. While the operation is under way, only the
// PE that does it writes `done`, `value` and `error`.
enum skerry_aos_change { SKERRY_AOS_NO_CHANGE, SKERRY_AOS_CHANGE, SKERRY_AOS_PRIVATE_CHANGE };
struct skerry_aos_reply {
    uint64_t done;     // sequence number of the last operation that was answered
    uint64_t sequence; // sequence number of the last operation that took this reply; under own_lock
    int64_t value;
    int32_t error;
    int32_t at;    // PE in whose memory the operation is done
    bool served;   // true if PE `at` itself must do the operation
    uint32_t next; // number, from 1, of the next free reply; under own_lock
    uint32_t in_use;
#if SKERRY_FAR_MESSAGES
    // Number of parts of a transfer with a far PE (transfer_far.c) that have not ended; atomic subtractions. 0: the
    // operation is no such transfer, or has ended.
    skerry_word parts;
    uint32_t next_put; // number, from 1, of the next reply in the list of puts (put_first); under own_lock
    bool parts_ended;  // of a put in this list: all parts have ended; under own_lock
    bool is_transfer;  // true: the operation is a transfer with a far PE, for which no PE must do anything
    bool is_put;       // true: this transfer is a put
    // What PE `at` must do after a put (enum skerry_aos_change)
    uint8_t change;
    // Time (skerry_ticks) at which a thread that waits for this reply last sent a message to PE `at`. Stored by relaxed
    // stores.
    uint64_t last_asked;
#endif
};

#if SKERRY_PRIVATE_MEMORY

enum skerry_aos_request_kind { SKERRY_AOS_MOVE_TO, SKERRY_AOS_MOVE_FROM, SKERRY_AOS_DO, SKERRY_AOS_FENCE };

// A request to the owner of private memory: to do an operation on that memory for another PE, the initiator.
struct skerry_aos_request {
    uint32_t kind;
    uint32_t operation;
    int32_t initiator;
    uint32_t reply;
    uint64_t sequence;
    uint64_t address; // in the owner's address space
    int64_t value;
    int64_t expected;
    void *stage; // buffer for data without gaps, in the initiator's area; of a far initiator: in the owner's area
    uint64_t block_bytes;
    uint64_t blocks;
    int64_t pitch;
#if SKERRY_FAR_MESSAGES
    uint64_t dest;      // MOVE_FROM of a far initiator: address of the stage on the initiator's node
    uint64_t reference; // of the segment's entry (skerry_aos_reference); 0: the segment has no entry
#endif
};

#define SKERRY_AOS_REQUEST_SLOT                                                                                        \
    ((sizeof(struct skerry_queue_slot) + sizeof(struct skerry_aos_request) + SKERRY_LINE - 1) / SKERRY_LINE *          \
     SKERRY_LINE)

#endif

#include "far_internal.h"

#if SKERRY_FAR_WATCHES

// Promised slots of a queue of this PE (credits.c). Element i of the arrays is for PE i.
struct skerry_aos_promises {
    uint32_t identity;          // of the queue, or of the next one; stored by the owner
    struct skerry_queue *queue; // NULL: there is no queue; stored by the owner
    uint32_t waiting;           // one bit for each PE that waits for credits; stored by the server
    uint32_t last_granted;      // PE that was the last one to get credits for which it waited; stored by the server
    uint32_t granted[SKERRY_PES_MAX]; // number of credits ever granted; stored by the server
    uint32_t unused[SKERRY_PES_MAX];  // number of credits without a message that has arrived; atomic additions
};

// Credits of this PE for a queue of another PE (credits.c).
struct skerry_aos_credit {
    _Alignas(8) uint32_t granted; // number of credits ever granted; stored by the queue's server, with `identity`
    uint32_t identity;            // of the queue for which they are valid
    uint32_t used;                // number of credits ever used or given back; atomic compare-swaps
};

#endif

#define SKERRY_AOS_PE_WORDS ((SKERRY_PES_MAX + 63) / 64)

struct skerry_aos_area {
    _Alignas(SKERRY_LINE) uint32_t state; // SKERRY_AOS_UP between aos_init and aos_finalize; stored by the owner
    uint32_t entries_used;                // number of `entries` ever used; under own_lock, like the next four fields
    uint32_t entries_free;
    uint32_t replies_used;
    uint32_t replies_free;
    uint32_t stages_in_use; // one bit for each of `stages`; 1: in use
    _Alignas(SKERRY_LINE) uint32_t own_lock;
    uint32_t serve_lock; // held by the thread that runs the requests of other PEs to this PE
    int64_t outstanding; // number of this PE's deferred atomics at all PEs; atomic additions
#if SKERRY_PRIVATE_MEMORY
    // One bit for each PE to which this PE has sent a request without a reply; atomic OR
    uint64_t posted_to[SKERRY_AOS_PE_WORDS];
    uint64_t faulted[SKERRY_AOS_PE_WORDS]; // one bit for each PE where a request without a reply failed; atomic OR, AND
#endif
    uint64_t deferred_at[SKERRY_AOS_PE_WORDS]; // one bit for each PE where this PE ever deferred an atomic; atomic OR
    _Alignas(SKERRY_LINE) uint64_t arrived;    // in PE 0's area: arrivals at barriers of set-up and exit; atomic adds
    _Alignas(SKERRY_LINE) uint32_t index_lock;
    uint32_t published; // number of publications of segments whose home PE this PE is; atomic additions
    // Number of atomics in the list of deferred atomics; under deferred_lock. Each PE that changes a word loads it.
    _Alignas(SKERRY_LINE) uint32_t deferred_count;
    _Alignas(SKERRY_LINE) uint32_t deferred_lock;
    skerry_word changes; // number of calls of skerry_aos_run_deferred for this area's list; atomic additions
    uint32_t wanted;     // 1: the owner found deferred_lock taken, and the lock's holder must interrupt the owner
    uint32_t deferred_first;
    uint32_t deferred_last;
    uint32_t deferred_free;
    uint32_t deferred_used;
#if SKERRY_FAR_MESSAGES
    // List of deferred atomics of PEs of other nodes that are done, but whose answers are not yet sent; under
    // deferred_lock. In this list, `value` and `condition` of an atomic contain the word's old value and the error.
    uint32_t answers_first;
    uint32_t answers_last;
#endif
    uint32_t buckets[SKERRY_AOS_BUCKETS]; // reference of the first entry of each bucket of the index; under index_lock
    struct skerry_aos_entry entries[SKERRY_AOS_SEGMENTS_MAX];
    struct skerry_aos_deferred deferred[SKERRY_AOS_DEFERRED_MAX];
    struct skerry_aos_reply replies[SKERRY_AOS_REPLIES_MAX];
#if SKERRY_PRIVATE_MEMORY
    _Alignas(_Alignof(struct skerry_queue))
        uint8_t requests[sizeof(struct skerry_queue) + SKERRY_AOS_REQUESTS * SKERRY_AOS_REQUEST_SLOT];
    _Alignas(SKERRY_LINE) uint8_t stages[SKERRY_AOS_STAGES][SKERRY_AOS_STAGE_BYTES];
#endif
#if SKERRY_FAR_MESSAGES
    // For the barriers of set-up and exit in a job of several nodes. In round r, another PE signals to this PE: it
    // stores the number of the barrier that it has reached to rounds[r]. No other PE stores to rounds[r].
    skerry_word rounds[SKERRY_ROUNDS_MAX];
    // Element i is for PE i of another node. far_deferred: number of conditional atomics that this PE has deferred
    // there; atomic additions by this PE. far_answered: number of their answers that have arrived; atomic additions by
    // handlers of messages on this node.
    uint32_t far_deferred[SKERRY_PES_MAX];
    uint32_t far_answered[SKERRY_PES_MAX];
#if SKERRY_FAR_WATCHES
    struct skerry_aos_credit credits[SKERRY_PES_MAX][SKERRY_AOS_CREDITED_QUEUES]; // for queues of each PE
    struct skerry_aos_promises promises[SKERRY_AOS_CREDITED_QUEUES];
    uint32_t promises_in_use;   // one bit for each of `promises`; atomic OR, AND
    uint32_t queues_waited_for; // one bit for each of `promises` for which PEs wait; stored by the server
#endif
    // List of this PE's puts with events to PEs of other nodes that are under way, oldest first; under own_lock.
    // put_first is read without the lock too.
    uint32_t put_first, put_last;
#if SKERRY_PRIVATE_MEMORY
    uint32_t far_stages_in_use; // one bit for each of `far_stages`; 1: in use; atomic compare-swaps, AND
    _Alignas(SKERRY_LINE) struct skerry_aos_far_stage far_stages[SKERRY_AOS_FAR_STAGES];
#endif
#endif
    // Addresses of the queues into which threads of this PE are enqueuing now (queue.c). One element of `inside` for
    // each thread number, one of `queues` for each level of nested interrupt handlers. Only this PE stores to these
    // fields.
    struct skerry_aos_inside {
        _Alignas(SKERRY_LINE) uintptr_t queues[SKERRY_NESTING];
    } inside[SKERRY_THREAD_NUMBERS];
    uint32_t others_inside;  // number of threads without a thread number that are sending to a queue; atomic additions
    uint32_t pool_is_formed; // 1: `pool` is set up; own_lock protects this field and `pool`
    // Not used if the machine's table memory is too small for the fields below (making.c, has_pool)
    struct heap pool; // allocator of `memory`, in which queues are created
    _Alignas(SKERRY_LINE) uint8_t memory[];
};

#define SKERRY_AOS_UP 1u
#define SKERRY_AOS_NESTED_MAX 32 // greatest number of open calls of aos_init; equals the number of bits of `collective`

// State of the routines of aos.h in this PE.
struct skerry_aos {
    struct skerry_aos_area *area;
    int32_t initializations;
    uint32_t collective; // one bit for each open call of aos_init, bit 0 for the last; 1: the call waited for all PEs
    // Number of barriers of set-up and exit that this PE has entered. All PEs have arrived at the last of them if, in
    // PE 0's area, `arrived` >= `barriers` * number of PEs.
    uint64_t barriers;
};
extern SKERRY_PRIVATE struct skerry_aos skerry_aos;

// Returns the area (the tables) of a PE of this node. On a machine with far PEs, may be called before aos_init.
static inline struct skerry_aos_area *skerry_aos_area(int pe) {
#if SKERRY_FAR_MESSAGES
    size_t bytes;
    return (struct skerry_aos_area *)skerry_global(skerry_table_memory(&bytes), pe);
#else
    return (struct skerry_aos_area *)skerry_global(skerry_aos.area, pe);
#endif
}

#if SKERRY_PRIVATE_MEMORY
static inline struct skerry_queue *skerry_aos_requests(int pe) {
    return (struct skerry_queue *)(void *)skerry_aos_area(pe)->requests;
}
#endif

#if SKERRY_FAR_MESSAGES
// Returns true if PE `pe` of another node is between aos_init and aos_finalize (far.c). If its program has ended, returns
// false.
SKERRY_PRIVATE bool skerry_aos_far_is_up(int pe);
#endif

static inline bool skerry_aos_is_up(int pe) {
#if SKERRY_FAR_MESSAGES
    if (!skerry_is_near(pe)) return skerry_aos_far_is_up(pe);
#endif
    return SKERRY_LOAD_ACQUIRE(&skerry_aos_area(pe)->state) == SKERRY_AOS_UP;
}

static inline void skerry_aos_mark(uint64_t *bits, int pe) {
    uint64_t bit = UINT64_C(1) << (pe & 63);
    if (!(SKERRY_LOAD_ACQUIRE(&bits[pe >> 6]) & bit)) skerry_atomic_or_64(&bits[pe >> 6], bit, skerry_my_pe());
}

static inline bool skerry_aos_is_marked(const uint64_t *bits, int pe) {
    return SKERRY_LOAD_ACQUIRE(&bits[pe >> 6]) >> (pe & 63) & 1;
}

// Executes a full fence. Unlike skerry_quiet, does not wait for operations on PEs of other nodes. So a thread that
// holds a lock or handles a message of another node may call this function. The thread sanitizer does not understand
// fences. For the sanitizer this function executes an atomic operation that changes nothing, and that is a full fence on
// the processors for which there is a sanitizer.
static inline void skerry_aos_full_fence(void) {
#if SKERRY_FAR_MESSAGES && defined(__SANITIZE_THREAD__)
    static uint32_t word;
    __atomic_fetch_or(&word, 0, __ATOMIC_SEQ_CST);
#elif SKERRY_FAR_MESSAGES
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#else
    skerry_quiet();
#endif
}

// -- Waiting (wait.c) --------------------------------------------------------------------------------------------------

struct skerry_aos_waiter {
    struct skerry_pause pause;
    uint32_t steps;
    uint32_t policy;
};

SKERRY_PRIVATE struct skerry_aos_waiter skerry_aos_begin_wait(uint32_t policy);
SKERRY_PRIVATE void skerry_aos_end_wait(struct skerry_aos_waiter *waiter);
// Does one step of a wait for a word in memory of PE `owner`. Runs the requests that have arrived. If there are none,
// pauses: spins, or sleeps at the eventcount (place to sleep) of PE `owner`, or of this PE if PE `owner` is far.
SKERRY_PRIVATE void skerry_aos_pause(struct skerry_aos_waiter *waiter, int owner);

#define SKERRY_AOS_WAIT_UNTIL(condition, owner, policy)                                                                \
    do {                                                                                                               \
        struct skerry_aos_waiter skerry_waiter __attribute__((cleanup(skerry_aos_end_wait))) =                         \
            skerry_aos_begin_wait(policy);                                                                             \
        while (!(condition)) skerry_aos_pause(&skerry_waiter, owner);                                                  \
    } while (0)

// A thread holds a lock with interrupts masked. The reason: a handler that interrupts the thread can wait for the same
// lock. `pe` is the PE in whose area the lock is.
SKERRY_PRIVATE bool skerry_aos_try_lock(uint32_t *lock, int pe);
SKERRY_PRIVATE void skerry_aos_lock(uint32_t *lock, int pe);
#if SKERRY_FAR_MESSAGES
// Takes a lock, but runs no requests and handles no messages while it waits. Used by the handler of a message, which
// must not start another handler. The wait is short, because the holder of a lock never waits for anything.
SKERRY_PRIVATE void skerry_aos_lock_at_once(uint32_t *lock, int pe);
#endif
SKERRY_PRIVATE void skerry_aos_unlock(uint32_t *lock, int pe);

// -- Errors (refuse.c) -------------------------------------------------------------------------------------------------

// Returns `error`. If checks are on (skerry_checking), first reports the error in one line and ends the job. Does not
// do so for errors that a correct program expects (refuse.c, is_answer).
SKERRY_PRIVATE int skerry_aos_refuse(const char *routine, int error, const aos_segment_t *segment, uint64_t offset,
                                     uint64_t bytes);
// Returns AOS_ERROR_ARGUMENT. If checks are on, first reports the argument and the rule in one line and ends the job.
// `values` replace the # and @ in `rule` (skerry_fail_values).
#if SKERRY_CAN_CHECK
SKERRY_PRIVATE int skerry_aos_refuse_argument(const char *routine, const char *rule, const long *values, int count);
#else
static inline int skerry_aos_refuse_argument(const char *routine, const char *rule, const long *values, int count) {
    (void)routine, (void)rule, (void)values, (void)count;
    return AOS_ERROR_ARGUMENT;
}
#endif
// Ends the job with an error message if the handle names no segment that exists. Called only if checks are on.
SKERRY_PRIVATE void skerry_aos_check_segment(const char *routine, const aos_segment_t *segment);
// Ends the job with an error message if `result`, the place for a fetched value, is NULL. Called only if checks are on.
SKERRY_PRIVATE void skerry_aos_check_result(const char *routine, const int64_t *result);
// Tests that this PE can read (put) or write (get) the first and the last byte of the range at `local`. If not, reports
// an error as skerry_aos_refuse_argument does. Returns AOS_SUCCESS without a test if checks are off.
SKERRY_PRIVATE int skerry_aos_check_local(const char *routine, const void *local, uint64_t bytes, bool put);
// Computes the distance in bytes from the first byte of a shape to its last byte (transfer.c). The pitches are those of the
// shape in one of the two memories. Returns false if a pitch is negative or the number overflows.
SKERRY_PRIVATE bool skerry_aos_extent_of_blocks(const struct skerry_aos_shape *shape, intptr_t line_pitch,
                                                intptr_t plane_pitch, uintptr_t *reached);
// Returns AOS_SUCCESS if the segment can be used with the protocols in `protocol`. If not, returns the error.
SKERRY_PRIVATE int skerry_aos_usable(const aos_segment_t *segment, uint32_t protocol);

// -- Segments (index.c, segment.c, place.c) ----------------------------------------------------------------------------

// Copies `wanted` to a free entry of this PE and inserts the entry into the index. Other PEs find the segment only
// after skerry_aos_publish. Returns the entry. On failure, returns NULL and stores the error to `*error`.
SKERRY_PRIVATE SKERRY_COLD struct skerry_aos_entry *skerry_aos_register(const struct skerry_aos_entry *wanted,
                                                                        int *error);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_publish(struct skerry_aos_entry *entry);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_unregister(struct skerry_aos_entry *entry);
// Copies the published entry of segment number `id` to `*copy`, and stores the entry's address to `*entry`. Returns
// false if no segment is published under this number.
SKERRY_PRIVATE SKERRY_COLD bool skerry_aos_find(uint64_t id, struct skerry_aos_entry *copy,
                                                struct skerry_aos_entry **entry);
SKERRY_PRIVATE SKERRY_COLD int skerry_aos_home(uint64_t id);
SKERRY_PRIVATE uint64_t skerry_aos_reference(const struct skerry_aos_entry *entry);
#if SKERRY_FAR_MESSAGES
// Inserts a copy of a segment's entry of another node into the index of PE `home`. The index is the table that finds
// segments by number. Returns AOS_SUCCESS or an error.
SKERRY_PRIVATE int skerry_aos_insert_copy(const struct skerry_aos_entry *entry, int home);
SKERRY_PRIVATE void skerry_aos_publish_copy(const struct skerry_aos_entry *entry, int home);
SKERRY_PRIVATE void skerry_aos_remove_copy(const struct skerry_aos_entry *entry, int home);
// Answers a PE of another node: copies the published entry of segment number `id` to `*copy`. The number is looked up
// on this node. Returns false if no segment is published under this number.
SKERRY_PRIVATE bool skerry_aos_find_copy(uint64_t id, struct skerry_aos_entry *copy);
// Returns true if the segment with this reference has not ended. The PE that created the segment must be on this node.
SKERRY_PRIVATE bool skerry_aos_is_current(uint64_t reference);
SKERRY_PRIVATE struct skerry_aos_entry *skerry_aos_entry_of(uint64_t reference);
// Returns the reference (a number for the entry) of a handle's segment. The segment can be of another node. Returns 0
// if the segment has no entry.
SKERRY_PRIVATE uint64_t skerry_aos_reference_of(const aos_segment_t *segment);
#endif
// Copies the entry of the segment (or of the queue, if `queue` is true) with number `id` to `*copy`. If the entry is
// not published yet, waits for it; with AOS_TRY in `flags`, does not wait. Returns an error if there is no entry, or if
// it is not for this PE.
SKERRY_PRIVATE SKERRY_COLD int skerry_aos_acquire(const char *routine, uint64_t id, uint32_t flags, bool queue,
                                                  struct skerry_aos_entry *copy, struct skerry_aos_entry **entry);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_form(aos_segment_t *segment, const struct skerry_aos_entry *values,
                                                struct skerry_aos_entry *entry);
SKERRY_PRIVATE SKERRY_COLD int skerry_aos_check_options(const char *routine, const aos_options_t *options,
                                                        uint32_t flags);
SKERRY_PRIVATE SKERRY_COLD int skerry_aos_let_find(const char *routine, aos_segment_t *segment);
SKERRY_PRIVATE SKERRY_COLD int skerry_aos_give_up(const char *routine, aos_segment_t *segment);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_destroy_own(void);
// Returns true if every PE can access the memory by load and store, and false if the memory is private. If true, sets
// `*global` to the address by which every PE accesses the memory. Sets `*owner` to the PE whose eventcount (place to
// sleep) is notified when the memory changes.
SKERRY_PRIVATE bool skerry_aos_is_global(const volatile void *address, uint64_t bytes, uint64_t *global, int *owner);

// Kinds of access to a part of a segment:
// NEAR: this PE accesses the memory by the machine's operations that take a PE's number.
// OUTSIDE: this PE accesses the memory by load and store. No PE owns the memory (skerry_is_outside).
// OWN: the memory is private memory of this PE.
// FAR: the memory is private memory of another PE. This PE accesses it by the kernel's copy between processes, or by a
// request. On a machine without private memory: there is no memory at the address.
// REMOTE: the memory belongs to a PE of another node, whose PEs access it by load and store.
enum skerry_aos_how { SKERRY_AOS_NEAR, SKERRY_AOS_OUTSIDE, SKERRY_AOS_OWN, SKERRY_AOS_FAR, SKERRY_AOS_REMOTE };

// Where [offset, offset + bytes) of a segment is, and how this PE accesses it.
struct skerry_aos_way {
    uint64_t address; // a global address if NEAR or REMOTE, else an address in the owner's own address space
    int owner;        // PE in whose memory this part is
    enum skerry_aos_how how;
};
SKERRY_PRIVATE struct skerry_aos_way skerry_aos_locate(const aos_segment_t *segment, uint64_t offset, uint64_t bytes);

// -- Words (modify.c) --------------------------------------------------------------------------------------------------

struct skerry_aos_place {
    uint64_t word;
    int owner;
    bool is_private; // true: the word is private memory of `owner`, which is this PE
};

// Does an operation on a word, if `when` is NULL or if the word at address `watched` satisfies `when`. Stores the
// word's old value to `*before`. If the condition does not hold, returns false and changes nothing.
SKERRY_PRIVATE bool skerry_aos_modify(const struct skerry_aos_place *place, uint32_t operation, int64_t value,
                                      int64_t expected, uint64_t watched, const aos_condition_t *when, int64_t *before);
SKERRY_PRIVATE int64_t skerry_aos_load_word(uint64_t word);

// -- Served by the owner (progress.c), replies (reply.c), deferred (deferred.c) ----------------------------------------

// Runs requests of other PEs that have arrived. Returns the number of requests that it ran.
SKERRY_PRIVATE int skerry_aos_progress(void);
// Returns true if a request of another PE has arrived or is running.
SKERRY_PRIVATE bool skerry_aos_has_request(void);
#if SKERRY_PRIVATE_MEMORY
// Both functions put a request into the request queue of PE `pe`. They wait while the queue is full, and return false
// if that PE has ended. Only the first function also interrupts that PE. The caller of the second function must call
// skerry_aos_await at once, which interrupts that PE if no answer arrives soon.
SKERRY_PRIVATE bool skerry_aos_send_request(const struct skerry_aos_request *request, int pe, uint32_t policy);
SKERRY_PRIVATE bool skerry_aos_send_awaited_request(const struct skerry_aos_request *request, int pe, uint32_t policy);
// Waits for PE `pe`'s answer to a request, and returns the operation's error. Polls for some microseconds, and
// interrupts PE `pe` if no answer has arrived in this time. If PEs are oversubscribed (more PEs than processors),
// interrupts at once.
SKERRY_PRIVATE int skerry_aos_await(aos_event_t *event, int pe);
// Returns true if this PE can access the word as the operation needs: read the word, or read and write it.
SKERRY_PRIVATE bool skerry_aos_may_do(uint32_t operation, uint64_t word);
// Puts a request into the queue of PE `pe` of this node. Returns false if the queue is full.
SKERRY_PRIVATE bool skerry_aos_try_to_send_request(const struct skerry_aos_request *request, int pe);
#endif
SKERRY_PRIVATE void skerry_aos_begin_serving(void);
SKERRY_PRIVATE void skerry_aos_end_serving(void);
// Lets requests of other PEs interrupt this PE from now on. Every wait of the library polls for requests from now on.
SKERRY_PRIVATE void skerry_aos_poll_requests(void);
// Makes PE `pe` poll for requests: at once if that PE accepts interrupts. If not, at its next wait in a routine of
// aos.h.
SKERRY_PRIVATE void skerry_aos_interrupt(int pe);

// Reserves a reply (a place for an answer) of this PE for an operation on memory of PE `at`. `served`: PE `at` itself
// must do the operation. Returns the reply's number, from 1, and stores the operation's sequence number to `*sequence`.
// Returns 0 if no reply is free.
SKERRY_PRIVATE uint32_t skerry_aos_take_reply(int at, bool served, uint64_t *sequence);
#if SKERRY_FAR_MESSAGES
// Does the same for a transfer of `parts` parts (transfer_far.c). `change` is what PE `at` must do after it.
SKERRY_PRIVATE uint32_t skerry_aos_take_reply_of_transfer(int at, bool is_put, skerry_word parts, uint8_t change,
                                                          uint64_t *sequence);
#endif
// Sends the answer to an operation of PE `initiator`. If the operation has no reply (`reply` is 0), sends nothing, but
// records an AOS_ERROR_FAULT for the initiator's next fence.
SKERRY_PRIVATE void skerry_aos_answer(int initiator, uint32_t reply, uint64_t sequence, int64_t value, int error);
#if SKERRY_FAR_MESSAGES
// Stores the answer of PE `at` to an operation of PE `initiator`, which must be on this node.
SKERRY_PRIVATE void skerry_aos_store_answer(int initiator, int at, uint32_t reply, uint64_t sequence, int64_t value,
                                            int error);
#endif
// Makes an event that happens when the answer to an operation has arrived in the reply with number `reply`.
SKERRY_PRIVATE void skerry_aos_expect(aos_event_t *event, uint32_t reply, uint64_t sequence, int64_t *result);
// Ends an event: stores the fetched value to the event's `result`, frees the reply, and returns the operation's error.
SKERRY_PRIVATE int skerry_aos_collect(aos_event_t *event);

SKERRY_PRIVATE SKERRY_AOS_DEFERRING int skerry_aos_defer(struct skerry_aos_deferred *wanted, int owner,
                                                         uint32_t policy);
// Polls the deferred atomics (conditional atomics that wait for their condition) on words of PE `owner`: does each
// atomic whose condition holds. Does not wait.
SKERRY_PRIVATE SKERRY_AOS_DEFERRING void skerry_aos_poll_deferred(int owner);
// Calls skerry_aos_poll_deferred for every PE where this PE has deferred an atomic.
SKERRY_PRIVATE SKERRY_AOS_DEFERRING void skerry_aos_poll_deferred_everywhere(void);
SKERRY_PRIVATE SKERRY_AOS_DEFERRING bool skerry_aos_has_deferred(int owner, uint64_t reference);
#if SKERRY_FAR_MESSAGES
// The next two functions do for PE `initiator` of another node what skerry_aos_defer and skerry_aos_has_deferred do for
// this PE. skerry_aos_defer_for returns SKERRY_AOS_FAR_DEFERRED or SKERRY_AOS_FAR_FULL. It returns SKERRY_AOS_FAR_GONE
// if the segment has ended. If the list is full but the atomic is done, it returns SKERRY_AOS_FAR_DONE and stores
// `*value` and `*error`.
SKERRY_PRIVATE int32_t skerry_aos_defer_for(struct skerry_aos_deferred *wanted, int owner, int64_t *value,
                                            int32_t *error);
// Does for PE `initiator` what skerry_aos_has_deferred does for this PE. Also stores the number of all atomics of PE
// `initiator` in the list to `*count`.
SKERRY_PRIVATE bool skerry_aos_has_deferred_of(int owner, int initiator, uint64_t reference, int64_t *count);
// A far stage of this PE is a buffer for the data of a request from another node. skerry_aos_far_stage_of returns the
// far stage that contains `data`. skerry_aos_return_far_stage frees a far stage.
SKERRY_PRIVATE struct skerry_aos_far_stage *skerry_aos_far_stage_of(const void *data);
SKERRY_PRIVATE void skerry_aos_return_far_stage(struct skerry_aos_far_stage *stage);
#endif
SKERRY_PRIVATE SKERRY_AOS_DEFERRING void skerry_aos_cancel_deferred(int owner, uint64_t reference);
// Cancels the deferred atomics that an earlier process of this PE has left: its own, and those of other PEs on its
// private memory. A PE has an earlier process if the master of an MPPA job has started the PE's program again.
SKERRY_PRIVATE SKERRY_AOS_DEFERRING void skerry_aos_forget_deferred(void);

// Returns true if the program is linked with the functions above for deferred atomics. These functions may be called
// only if the result is true. If the result is false, no PE ever has deferred atomics.
static inline bool skerry_aos_can_defer(void) {
#if SKERRY_ONE_PROGRAM && !defined(SKERRY_AOS_HAS_DEFERRED)
    return skerry_aos_run_deferred != 0;
#else
    return true;
#endif
}

static inline bool skerry_aos_has_any_deferred(int owner) {
    if (SKERRY_AOS_IS_FAR(owner)) return false; // the owner's node polls its list itself
    return skerry_aos_can_defer() && SKERRY_LOAD_ACQUIRE(&skerry_aos_area(owner)->deferred_count) != 0;
}

#if SKERRY_FAR_MESSAGES
#include "far.h"

// Returns what the owner's node must do after a put to a segment of another node: test the conditions of conditional
// atomics that wait (enum skerry_aos_change).
SKERRY_PRIVATE uint8_t skerry_aos_change_of(const aos_segment_t *segment);
// Begins a transfer with the owner of a segment, a PE of another node, and makes its event. `remote` is the address of the
// first byte there. Returns false if the caller must do the transfer before it returns:
// * The program has not asked for an event.
// * It is a put of blocks that the machine copies anyway before it returns, and no earlier put is under way.
// * No reply is free.
SKERRY_PRIVATE bool skerry_aos_begin_far(uintptr_t local, const aos_segment_t *segment, uintptr_t remote,
                                         const struct skerry_aos_shape *shape, bool put, aos_event_t *event);
#endif

// -- Promised slots of queues (credits.c) ------------------------------------------------------------------------------

#if SKERRY_FAR_WATCHES

// Make a new queue of this PE one with promised slots, and end this. skerry_aos_begin_promises returns the queue's
// identity, or 0 if its slots are not promised. skerry_aos_end_promises asks other PEs, so it must not hold a lock.
SKERRY_PRIVATE SKERRY_COLD uint32_t skerry_aos_begin_promises(struct skerry_queue *queue);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_end_promises(uint32_t identity);
// Enqueues a message if this PE has a credit for the far queue, and does not wait. Returns false if it has none, or if
// the message is too long.
SKERRY_PRIVATE bool skerry_aos_enqueue_with_credit(const aos_queue_t *queue, const void *data, size_t bytes);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_find_credit(aos_queue_t *queue);
// Enqueues a message to a queue of this PE. The caller must have called enter() (queue.c).
SKERRY_PRIVATE int skerry_aos_enqueue_near(const aos_queue_t *queue, const void *message, size_t bytes, bool waits);
// Called by a sender whose queue is full. If `waits` is true, waits for some time until this PE has credits. If it has
// none, collects those of the PEs in the set `pes`. Returns true if the sender must try again.
SKERRY_PRIVATE bool skerry_aos_make_room(const aos_queue_t *queue, uint64_t pes, bool waits);

// The next functions are for handlers. The first one promises a slot of this PE's queue to PE `from`. If there is no
// room, it returns false and stores the set of the other PEs that have credits; if `waits` is true, it also notes that
// PE `from` waits. The next two handle messages by which credits are given back.
SKERRY_PRIVATE bool skerry_aos_promise_for(struct skerry_queue *queue, uint32_t identity, int from, bool waits,
                                           int64_t *with_credit);
SKERRY_PRIVATE uint32_t skerry_aos_give_back(const struct skerry_aos_far_message *message);
SKERRY_PRIVATE void skerry_aos_put_back(const struct skerry_aos_far_message *message);
SKERRY_PRIVATE void skerry_aos_listen_for_credits(void);

#endif

#if SKERRY_FAR_WATCHES
// Returns true if `bytes` bytes at `offset` are inside a segment of memory that has not been given up, and whose size is
// smaller than the address space. The segment must have all the protocols.
static inline bool skerry_aos_is_simple(const aos_segment_t *segment, uint64_t offset, size_t bytes,
                                        uint32_t protocols) {
    const uint32_t size = (uint32_t)segment->bytes;
    return skerry_aos.initializations != 0 && segment->kind == SKERRY_AOS_WINDOW &&
           (segment->protocols & protocols) == protocols && (uint32_t)((segment->bytes | offset) >> 32) == 0 &&
           bytes <= size && (uint32_t)offset <= size - (uint32_t)bytes;
}
#endif

// -- Atomics (plain.c) -------------------------------------------------------------------------------------------------

SKERRY_PRIVATE int skerry_aos_check_word(const aos_segment_t *segment, uint64_t offset);

static inline bool skerry_aos_has_answer(uint32_t operation) {
    return operation >= SKERRY_AOS_PEEK;
}

#endif
