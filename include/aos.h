/* SPDX-License-Identifier: BSD-3-Clause
   Asynchronous one-sided operations (AOS): a PE publishes a piece of memory, a segment, under a number; whoever clones the
   segment by its number puts, gets, does atomics on it or enqueues messages into it. After J. Hascoët, B. Dupont de Dinechin,
   P. Guironnet de Massas, M. Q. Ho: "Asynchronous One-Sided Communications and Synchronizations for a Clustered Manycore
   Processor", ESTIMedia 2017. See the chapters under skerry/aos/ for what each routine does. */
#ifndef AOS_H
#define AOS_H

#include <stddef.h>
#include <stdint.h>

#if !defined(SKERRY_BUILD) && defined(__GNUC__)
#pragma GCC system_header
#endif

#include <skerry/shmem/extensions_begin.h>

#ifndef SKERRY_NORETURN
#define SKERRY_NORETURN __attribute__((noreturn))
#endif

#ifdef __cplusplus
extern "C" {
#endif

// -- What routines return ----------------------------------------------------------------------------------------------

// 0, or one of these. An operation that returns an error has done nothing.
#define AOS_SUCCESS 0
#define AOS_ERROR_STATE (-1)     // before aos_init or after aos_finalize
#define AOS_ERROR_ARGUMENT (-2)  // an argument that no call may have
#define AOS_ERROR_BOUNDS (-3)    // outside the segment
#define AOS_ERROR_ALIGNMENT (-4) // an atomic on a word that is not aligned
#define AOS_ERROR_PROTOCOL (-5)  // the segment was created without this kind of access
#define AOS_ERROR_EXISTS (-6)    // the number is taken
#define AOS_ERROR_NOT_FOUND (-7) // no segment is published under the number
#define AOS_ERROR_BINDING (-8)   // the segment is not meant for this PE, or the operation is its owner's
#define AOS_ERROR_MEMORY (-9)    // no memory, or no entry in a table, is left
#define AOS_ERROR_SIZE (-10)     // a message larger than the queue's, or than the buffer
#define AOS_ERROR_FULL (-11)     // no room in the queue now
#define AOS_ERROR_EMPTY (-12)    // no message in the queue now
#define AOS_ERROR_GONE (-13)     // the segment was destroyed, or its owner has ended
#define AOS_ERROR_FAULT (-14)    // the owner has no memory at that place, or none that it may write

// -- Choices -----------------------------------------------------------------------------------------------------------

// aos_init
#define AOS_ALONE 1u // does not wait for the other PEs, which may come later, or never, or run other programs

// Kinds of access that a window segment supports.
#define AOS_LOAD_STORE 1u
#define AOS_PUT_GET 2u
#define AOS_ATOMIC 4u
#define AOS_CONDITIONAL 8u // atomics that wait for a condition
#define AOS_ALL_PROTOCOLS 15u

// How waits for a segment go: as the machine does best, never asleep, or asleep as soon as possible.
#define AOS_WAIT_DEFAULT 0u
#define AOS_WAIT_SPIN 1u
#define AOS_WAIT_SLEEP 2u

// Creation
#define AOS_UNPUBLISHED 1u  // nobody finds it before aos_segment_publish
#define AOS_ONE_SENDER 2u   // queue: only one thread of one PE ever enqueues
#define AOS_MANY_READERS 4u // queue: several threads of the owner dequeue at once

#define AOS_QUEUE_ALIGNMENT 1024 // of memory for a queue

// Cloning
#define AOS_TRY 1u // returns AOS_ERROR_NOT_FOUND instead of waiting for the segment to be published

// Conditions, of a word with a value, both signed.
#define AOS_ALWAYS 0
#define AOS_EQUAL 1
#define AOS_NOT_EQUAL 2
#define AOS_LESS 3
#define AOS_LESS_EQUAL 4
#define AOS_GREATER 5
#define AOS_GREATER_EQUAL 6

// -- Types -------------------------------------------------------------------------------------------------------------

// A segment as this PE reaches it. Any thread of the PE may use it; it may be copied. Its fields are the library's.
typedef struct {
    uint64_t id;
    unsigned char *base; // where byte 0 is: for this PE if it is near, else for the owner
    uint64_t bytes;
    uint64_t near_bytes;            // that puts and gets may reach by load and store; 0: none
    uint64_t near_words_end;        // offsets below it may begin a word of an atomic done right here
    const uint32_t *deferred;       // not 0 while conditional atomics wait in the owner's list; NULL: none ever do
    struct skerry_aos_entry *entry; // NULL for the segments that are always there
    size_t generation;              // of the entry
    int32_t owner;                  // PE in whose memory it is: whom writers wake
    int32_t creator;
    uint16_t protocols;
    uint8_t waiting;
    uint8_t kind;
    uint8_t is_near;     // reached by load and store
    uint8_t is_original; // the creator's handle, no clone
} aos_segment_t;

// What may be chosen at creation; all zero is the usual: every protocol that the memory can have, for all PEs.
typedef struct {
    uint32_t protocols; // AOS_LOAD_STORE ...; 0: all that the memory can have
    uint32_t waiting;   // AOS_WAIT_...
    uint32_t flags;     // AOS_UNPUBLISHED, AOS_ONE_SENDER, AOS_MANY_READERS
    int32_t first_pe;   // the PEs that may clone it are first_pe, first_pe + 1, ... pe_count of them
    int32_t pe_count;   // 0: all PEs
} aos_options_t;

// A condition that has happened or not. The fields are the library's; aos_event_set makes one for a word of the program's.
typedef struct {
    const void *word; // watched; NULL: it has happened
    int64_t value;
    int32_t condition;
    int32_t owner;   // PE in whose memory the word is
    uint32_t bits;   // of the word: 32 or 64
    uint32_t reply;  // number, from 1, of the reply that it waits for; 0: none
    int64_t *result; // where the value that the reply brings belongs
} aos_event_t;

// When a conditional atomic is to be done: when the signed 64-bit word at `offset` of the same segment satisfies this.
typedef struct {
    uint64_t offset;
    int64_t value;
    int32_t condition; // AOS_EQUAL ...
} aos_condition_t;

// Where a block lies in a larger array of xdim * ydim (* zdim) elements: its first element is that at xpos, ypos (, zpos).
// x runs fastest.
typedef struct {
    int32_t xpos, ypos;
    int32_t xdim, ydim;
} aos_point2d_t;

typedef struct {
    int32_t xpos, ypos, zpos;
    int32_t xdim, ydim, zdim;
} aos_point3d_t;

// A queue as this PE reaches it: for its owner to dequeue from, for the others to enqueue into.
typedef struct {
    aos_segment_t segment;
    struct skerry_queue *queue;
    size_t seen; // messages that were dequeued when this PE looked last
    uint32_t mask;
    uint32_t slot_bytes;
    uint32_t capacity;
    uint32_t flags;
    uint32_t message_bytes; // largest
    uint32_t next;          // ticket of this PE's next message if nobody else enqueues meanwhile
    uint32_t stood_back_at; // the owner: messages dequeued when it last stood back, or tried to
    uint32_t run_limit;      // after how many more it tries again
    uint32_t stands_back;
} aos_queue_t;

// A message in place.
typedef struct {
    const void *data;
    size_t bytes;
    uint32_t ticket; // the library's: its lower bits, which tell it from those in the queue
} aos_message_t;

// -- Routines ----------------------------------------------------------------------------------------------------------

#ifndef SKERRY_NO_INLINE
#include <skerry/aos/inline.h>
#endif
#undef SKERRY_AOS_SYMBOLS
#include <skerry/aos/api.h>
#include <skerry/aos/lists.h>

#ifdef __cplusplus
}
#endif

#include <skerry/shmem/extensions_end.h>

#endif
