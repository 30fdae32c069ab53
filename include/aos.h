/* SPDX-License-Identifier: BSD-3-Clause
   Declares the asynchronous one-sided operations (AOS). A PE publishes a range of memory, a segment, under a number.
   Another PE clones the segment by its number and can then put to it, get from it, or do atomics on its words. If the
   segment is a queue, the other PE can enqueue messages. The operations follow J. Hascoët, B. Dupont de Dinechin, P.
   Guironnet de Massas, M. Q. Ho: "Asynchronous One-Sided Communications and Synchronizations for a Clustered Manycore
   Processor", ESTIMedia 2017. The headers under skerry/aos/ and the man pages describe each routine. */
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

// A routine returns 0 or one of these errors. An operation that returns an error has done nothing.
#define AOS_SUCCESS 0
#define AOS_ERROR_STATE (-1)     // the call is before aos_init or after aos_finalize
#define AOS_ERROR_ARGUMENT (-2)  // an argument has an invalid value
#define AOS_ERROR_BOUNDS (-3)    // the access is not inside the segment
#define AOS_ERROR_ALIGNMENT (-4) // the word of an atomic is not aligned
#define AOS_ERROR_PROTOCOL (-5)  // the segment was created without this kind of access
#define AOS_ERROR_EXISTS (-6)    // another segment or queue has this number
#define AOS_ERROR_NOT_FOUND (-7) // no segment is published under the number
#define AOS_ERROR_BINDING (-8)   // the segment is not for this PE, or only the segment's owner may do the operation
#define AOS_ERROR_MEMORY (-9)    // no memory is left, or a table has no free entry
#define AOS_ERROR_SIZE (-10)     // the message is larger than the queue allows, or larger than the buffer
#define AOS_ERROR_FULL (-11)     // the queue is full now
#define AOS_ERROR_EMPTY (-12)    // the queue has no message now
#define AOS_ERROR_GONE (-13)     // the segment was destroyed, or its owner has ended
#define AOS_ERROR_FAULT (-14)    // the owner has no memory at the address, or must not write to it

// -- Choices -----------------------------------------------------------------------------------------------------------

// Flag for the argument `flags` of aos_init
#define AOS_ALONE 1u // aos_init does not wait for the other PEs, which may call it later or run other programs

// Kinds of access that a segment of memory (not a queue) supports. They are flags, which can be combined.
#define AOS_LOAD_STORE 1u
#define AOS_PUT_GET 2u
#define AOS_ATOMIC 4u
#define AOS_CONDITIONAL 8u // atomics that are done when a condition holds
#define AOS_ALL_PROTOCOLS 15u

// How a PE waits in the routines for a segment:
//     AOS_WAIT_DEFAULT  the PE waits in the way that is best on the machine
//     AOS_WAIT_SPIN     the PE never sleeps
//     AOS_WAIT_SLEEP    the PE sleeps as soon as possible
#define AOS_WAIT_DEFAULT 0u
#define AOS_WAIT_SPIN 1u
#define AOS_WAIT_SLEEP 2u

// Flags for the creation of a segment or queue (aos_options_t)
#define AOS_UNPUBLISHED 1u  // no PE can find the segment before aos_segment_publish
#define AOS_ONE_SENDER 2u   // queue: only one thread of one PE ever enqueues
#define AOS_MANY_READERS 4u // queue: several threads of the owner may dequeue at the same time

#define AOS_QUEUE_ALIGNMENT 1024 // alignment in bytes of memory for a queue

// Flag for aos_segment_clone, aos_queue_clone and aos_segment_of_pe
#define AOS_TRY 1u // returns AOS_ERROR_NOT_FOUND instead of waiting for the segment to be published

// Conditions: comparisons of a word with a value. The word and the value are signed.
#define AOS_ALWAYS 0
#define AOS_EQUAL 1
#define AOS_NOT_EQUAL 2
#define AOS_LESS 3
#define AOS_LESS_EQUAL 4
#define AOS_GREATER 5
#define AOS_GREATER_EQUAL 6

// -- Types -------------------------------------------------------------------------------------------------------------

// Handle of a segment. Any thread of the PE may use it and may copy it. Only the library uses its fields.
typedef struct {
    uint64_t id;                    // number of the segment in the job
    unsigned char *base;            // address of the first byte: in this PE if is_near is 1, in the owner if not
    uint64_t bytes;                 // size of the segment
    uint64_t near_bytes;            // equal to bytes if puts and gets access the memory directly; 0 if not
    uint64_t near_words_end;        // this PE itself executes atomics on words at offsets below this value
    const uint32_t *deferred;       // number of conditional atomics that wait in the owner; NULL: this PE runs none
    struct skerry_aos_entry *entry; // the segment in a table; NULL: from aos_segment_of_pe or aos_segment_of_shared
    size_t generation;              // number in `entry` when this handle was made. It changes if the segment ends
    int32_t owner;                  // PE that has the memory; a write to the segment wakes this PE
    int32_t creator;                // PE that created the segment
    uint16_t protocols;             // kinds of access: AOS_LOAD_STORE ..., combined
    uint8_t waiting;                // how a PE waits: AOS_WAIT_...
    uint8_t kind;                   // what the handle stands for, such as a segment or a queue; 0: nothing
    uint8_t is_near;                // 1: this PE accesses the memory by loads and stores
    uint8_t is_original;            // 1: the creator's handle; 0: a clone
    uint8_t is_far;                 // 1: the memory is near memory of a PE of another node
} aos_segment_t;

// Options for the creation of a segment or queue. If all fields are zero, all PEs may clone the segment (make a handle
// of it). It then has every protocol (kind of access) that its memory can have.
typedef struct {
    uint32_t protocols; // AOS_LOAD_STORE ... combined; 0: all that the memory can have
    uint32_t waiting;   // AOS_WAIT_...
    uint32_t flags;     // AOS_UNPUBLISHED, AOS_ONE_SENDER, AOS_MANY_READERS
    int32_t first_pe;   // the PEs that may clone the segment: pe_count PEs, from first_pe on
    int32_t pe_count;   // 0: all PEs
} aos_options_t;

// An event is a condition on a word. The event has happened if the word satisfies the condition. An operation can make
// an event that happens when the operation is done. aos_event_set makes an event for a word of the program. Only the
// library uses the fields.
typedef struct {
    const void *word; // the word that the condition is about; NULL: the event has happened
    int64_t value;
    int32_t condition;
    int32_t owner;   // PE in whose memory the word is
    uint32_t bits;   // size of the word: 32 or 64 bits
    uint32_t reply;  // number, from 1, of the reply that the event waits for; 0: it waits for no reply
    int64_t *result; // receives the value of the reply
} aos_event_t;

// The condition of a conditional atomic. The atomic is done when the signed 64-bit word at `offset` of the same segment
// satisfies the comparison with `value`.
typedef struct {
    uint64_t offset;
    int64_t value;
    int32_t condition; // AOS_EQUAL ...
} aos_condition_t;

// Position of a block in a larger array of xdim * ydim (* zdim) elements: the block's first element is at xpos, ypos
// (and zpos). Elements with successive x are adjacent in memory.
typedef struct {
    int32_t xpos, ypos;
    int32_t xdim, ydim;
} aos_point2d_t;

typedef struct {
    int32_t xpos, ypos, zpos;
    int32_t xdim, ydim, zdim;
} aos_point3d_t;

// Handle of a queue: the owner dequeues from the queue, and other PEs enqueue into it. Only the library uses the
// fields. An owner that has read all messages can stand back: for a moment it does not access the queue's cache lines.
// So the senders can store their next messages without a transfer of these lines.
typedef struct {
    aos_segment_t segment;
    struct skerry_queue *queue;
    size_t seen; // number of dequeued messages when this PE last read that number
    uint32_t mask;
    uint32_t slot_bytes;
    uint32_t capacity;
    uint32_t flags;
    uint32_t message_bytes; // size of the largest message
    uint32_t next;          // number (ticket) of this PE's next message, if no other PE enqueues first; or an identity
    uint32_t stood_back_at; // in the owner: number of dequeued messages when it last stood back or tried to
    uint32_t run_limit;     // in the owner: number of messages after which it tries to stand back again
    uint32_t stands_back;   // in the owner: 1 if it stands back each time that it has read all messages
} aos_queue_t;

// A message that aos_dequeue_begin has returned. It is in the memory of its queue, and is valid until aos_dequeue_end.
typedef struct {
    const void *data;
    size_t bytes;
    uint32_t ticket; // for the library: lower bits of the message's ticket; no other message in the queue has them
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
