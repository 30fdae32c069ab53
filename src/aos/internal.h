// SPDX-License-Identifier: BSD-3-Clause
// Declares the functions that the files of this folder share.
#ifndef SKERRY_AOS_INTERNAL_H
#define SKERRY_AOS_INTERNAL_H

#ifndef SKERRY_NO_INLINE
#define SKERRY_NO_INLINE
#endif
#include "../machine/machine.h" // first: it defines SKERRY_NORETURN
#include <aos.h>

#include "../primitive/checking.h"
#include "area.h"
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

// Take and release own_lock of this PE, for a few loads and stores. Each transfer with an event does so three times. So
// these functions are inlined if handlers run on a processor of their own, where the holder of a lock masks nothing.
static inline void skerry_aos_lock_own(struct skerry_aos_area *area) {
#if SKERRY_FAR_WATCHES
    while (__atomic_exchange_n(&area->own_lock, 1, __ATOMIC_ACQUIRE) != 0) {
    }
#else
    skerry_aos_lock(&area->own_lock, skerry_my_pe());
#endif
}

static inline void skerry_aos_unlock_own(struct skerry_aos_area *area) {
#if SKERRY_FAR_WATCHES
    __atomic_store_n(&area->own_lock, 0, __ATOMIC_RELEASE);
#else
    skerry_aos_unlock(&area->own_lock, skerry_my_pe());
#endif
}

// -- Errors (refuse.c) -------------------------------------------------------------------------------------------------

// Returns `error`. If checks are on (skerry_checking), first reports the error in one line and ends the job. Does not
// do so for errors that a correct program expects (refuse.c, is_answer).
SKERRY_PRIVATE int skerry_aos_refuse(const char *routine, int error, const aos_segment_t *segment, uint64_t offset,
                                     uint64_t bytes);
// Reports the error in one line and ends the job, also if checks are off.
SKERRY_NORETURN SKERRY_PRIVATE void skerry_aos_report(const char *routine, int error, const aos_segment_t *segment,
                                                      uint64_t offset, uint64_t bytes);
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

// Ends a part of a transfer (transfer_far.c). The last part makes the event happen.
SKERRY_PRIVATE void skerry_aos_end_part(void *reply);

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

// -- Transfers of private memory behind the program (transfer_private.c) ------------------------------------------------

#if SKERRY_PRIVATE_MEMORY
// Numbers of transfers that have not ended: with each PE, and puts to each PE. Changed under own_lock.
struct skerry_aos_behind {
    uint32_t all;
    uint32_t of_pe[SKERRY_PES_MAX];
    uint32_t puts_to[SKERRY_PES_MAX];
};
extern SKERRY_PRIVATE struct skerry_aos_behind skerry_aos_behind;
// Waits until a number of transfers (`all` or an element of the arrays) is 0. Moves data meanwhile.
SKERRY_PRIVATE void skerry_aos_end_behind(const uint32_t *count, uint32_t policy);
// Moves data until the event of a transfer of this PE has happened, or no other thread needs help.
SKERRY_PRIVATE void skerry_aos_help(const aos_event_t *event);
// Returns the error of a transfer with PE `pe` (-1: with any PE) that has failed and whose event nobody has waited for.
// Each error is returned once. Returns AOS_SUCCESS if there is none.
SKERRY_PRIVATE int skerry_aos_untold_error(int pe);
// If there is such an error, ends the job with a message about it.
SKERRY_PRIVATE void skerry_aos_tell_errors(void);
// Called when the error of the transfer with this reply is returned. The caller holds own_lock.
SKERRY_PRIVATE void skerry_aos_note_told(uint32_t reply);
#endif

// Waits until this PE's puts to private memory of PE `pe` that are behind the program have ended. An operation that must
// be seen only after these puts calls it before it begins.
static inline void skerry_aos_order_private_puts(int pe, uint32_t policy) {
#if SKERRY_PRIVATE_MEMORY
    if (SKERRY_LOAD_ACQUIRE(&skerry_aos_behind.puts_to[pe]) != 0)
        skerry_aos_end_behind(&skerry_aos_behind.puts_to[pe], policy);
#else
    (void)pe, (void)policy;
#endif
}

// -- Atomics (plain.c) -------------------------------------------------------------------------------------------------

SKERRY_PRIVATE int skerry_aos_check_word(const aos_segment_t *segment, uint64_t offset);

static inline bool skerry_aos_has_answer(uint32_t operation) {
    return operation >= SKERRY_AOS_PEEK;
}

#endif
