// SPDX-License-Identifier: BSD-3-Clause
// Declares the area of a PE: a struct with the tables by which PEs find each other's segments, queues, replies and
// requests. It lies in memory that every PE of the node accesses. The comment of a field names the lock under which the
// field is written, or the atomic operation that changes the field. The holder of a lock never waits for anything. So a
// PE is allowed to wait for a lock even while it runs requests of other PEs.
#ifndef SKERRY_AOS_AREA_H
#define SKERRY_AOS_AREA_H

#include "../machine/machine.h" // first: it defines SKERRY_NORETURN
#include <aos.h>

#include "../config/config.h"
#include "../heap/heap.h"
#include "../primitive/event.h"
#include "../primitive/queue.h"

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

#endif
