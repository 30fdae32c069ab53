// SPDX-License-Identifier: BSD-3-Clause
// Declares the messages by which a PE uses segments of PEs of other nodes (far PEs). far.c sends the messages. A
// process of the target's node handles them (landing.c). This process maps the areas (tables) of all PEs of its node.
// So this process does the operation as a PE of that node would do it. area.h includes this file.
#ifndef SKERRY_AOS_FAR_INTERNAL_H
#define SKERRY_AOS_FAR_INTERNAL_H

#if SKERRY_FAR_MESSAGES

#define SKERRY_AOS_MESSAGE 2 // number of the handler of all messages of this folder (skerry_far_on_message)
#if SKERRY_FAR_WATCHES
#define SKERRY_AOS_QUEUE_MESSAGE 3 // handler of messages with a credit (credits.c)
#endif

// Kinds of messages. The sender of a message with an answer waits for a struct skerry_aos_far_answer.
enum skerry_aos_far_kind {
    // Messages to the PE that looks a segment's number up (the number's home PE). The sender waits for their answers.
    SKERRY_AOS_FAR_FIND,
    SKERRY_AOS_FAR_REGISTER,
    SKERRY_AOS_FAR_PUBLISH,
    SKERRY_AOS_FAR_UNREGISTER,
    SKERRY_AOS_FAR_IS_UP, // to any PE: asks whether it is between aos_init and aos_finalize. The sender waits for the answer.
    // Messages to the owner of a segment. The sender waits for their answers.
    SKERRY_AOS_FAR_REQUEST, // an operation on private memory, for the owner's queue of requests (machines that have it)
    SKERRY_AOS_FAR_ENQUEUE, // a message for a queue
    SKERRY_AOS_FAR_FETCH,   // an atomic with an answer
    SKERRY_AOS_FAR_DEFER,   // a conditional atomic
    SKERRY_AOS_FAR_HAS_DEFERRED, // asks whether a conditional atomic of the sender is in the owner's list
    SKERRY_AOS_FAR_GIVE_BACK,    // asks for the credits of the target's PE for a queue (credits.c)
    // Messages without an answer.
    SKERRY_AOS_FAR_PUT_BACK, // to the owner of a queue: credits that a PE has given back
    SKERRY_AOS_FAR_POST,     // to the owner of a segment: an atomic without an answer
    SKERRY_AOS_FAR_CHANGED,  // to the owner of a segment: memory has changed, and conditions possibly hold now
    SKERRY_AOS_FAR_ANSWER    // to the initiator of a request or of a conditional atomic: the operation is done
};

// Flags of a message of kind SKERRY_AOS_FAR_ENQUEUE.
#define SKERRY_AOS_FAR_WAITS 1u      // the sender waits for a free slot: takes a ticket even if the queue is full
#define SKERRY_AOS_FAR_HAS_TICKET 2u // the sender has taken a ticket by an earlier message
#define SKERRY_AOS_FAR_HAS_DATA 4u   // the message of the queue is in this message
#define SKERRY_AOS_FAR_PUTS 8u       // the sender will put the message of the queue into the slot
#define SKERRY_AOS_FAR_HAS_PUT 16u   // the sender has put the message of the queue into the slot

// A message to the node of another PE. If the kind is REQUEST, ENQUEUE or ANSWER, `bytes` bytes of data follow
// (skerry_aos_far_data).
struct skerry_aos_far_message {
    uint32_t kind;
    uint32_t bytes;     // number of bytes of data that follow
    uint64_t reference; // of the segment's entry (skerry_aos_reference); 0: the segment has no entry
    union {
        struct skerry_aos_entry entry; // REGISTER: a copy (internal.h). FIND, PUBLISH, UNREGISTER: `id`, `original`
#if SKERRY_PRIVATE_MEMORY
        struct skerry_aos_request request;
#endif
        struct skerry_aos_deferred deferred;
        struct {           // FETCH, POST
            uint64_t word; // its global address
            int64_t value;
            int64_t expected;
            uint32_t operation;
        } atomic;
        struct {             // ENQUEUE
            uint64_t queue;  // its global address
            uint64_t ticket; // if the flags have SKERRY_AOS_FAR_HAS_TICKET
            uint32_t flags;  // SKERRY_AOS_FAR_WAITS ...
            uint32_t bytes;  // size of the queue's message
        } enqueue;
        struct { // GIVE_BACK, PUT_BACK
            uint32_t identity;
            uint32_t new_identity; // GIVE_BACK, if the queue has ended; else 0
            int32_t owner;         // of the queue
            int32_t pe;            // PUT_BACK: PE that has given the credits back
            uint32_t count;        // PUT_BACK
        } credits;
        struct { // ANSWER
            uint64_t sequence;
            int64_t value;
            uint64_t dest; // address of the data's destination on the initiator's node
            uint32_t reply;
            int32_t error;
            int32_t deferred_at; // of a conditional atomic: the owner of its words; else -1
        } answer;
        bool is_private; // CHANGED: the memory is private memory of the owner
    } u;
};

// Returns the number of bytes, from the beginning of the struct, that a message of this kind uses. Only they are sent. A
// stage (below) has a place for the data, so messages that are stages are whole structs.
static inline size_t skerry_aos_far_bytes(uint32_t kind, bool has_stage) {
    const struct skerry_aos_far_message *message = 0;
    const size_t before = offsetof(struct skerry_aos_far_message, u);
    if (has_stage) return sizeof *message;
    switch ((enum skerry_aos_far_kind)kind) {
    case SKERRY_AOS_FAR_IS_UP:
    case SKERRY_AOS_FAR_HAS_DEFERRED: return before;
    case SKERRY_AOS_FAR_ENQUEUE: return before + sizeof message->u.enqueue;
    case SKERRY_AOS_FAR_FETCH:
    case SKERRY_AOS_FAR_POST: return before + sizeof message->u.atomic;
    case SKERRY_AOS_FAR_GIVE_BACK:
    case SKERRY_AOS_FAR_PUT_BACK: return before + sizeof message->u.credits;
    case SKERRY_AOS_FAR_CHANGED: return before + sizeof message->u.is_private;
    case SKERRY_AOS_FAR_ANSWER: return before + sizeof message->u.answer;
    default: return sizeof *message;
    }
}

// Returns the address of the data that follows a message without a stage.
static inline const void *skerry_aos_far_data(const struct skerry_aos_far_message *message) {
    return (const char *)message + skerry_aos_far_bytes(message->kind, false);
}

// Largest number of bytes of data in a message.
#define SKERRY_AOS_FAR_PIECE (SKERRY_FAR_MESSAGE_MAX - sizeof(struct skerry_aos_far_message))

// A message with its data. The area (tables) of each PE contains SKERRY_AOS_FAR_STAGES of these structs, its far
// stages. A far stage holds the data of a request from another node. It is in use from the arrival of the request until
// the owner of the memory has run the request. A PE that has taken a far stage never waits for a PE of another node
// before it frees the stage. So two nodes whose far stages are all in use cannot deadlock.
struct skerry_aos_far_stage {
    struct skerry_aos_far_message message;
    uint8_t data[SKERRY_AOS_FAR_PIECE];
};
#define SKERRY_AOS_FAR_STAGES 16 // at most 32: bits of far_stages_in_use

enum skerry_aos_far_outcome {
    SKERRY_AOS_FAR_DONE,     // REQUEST: the operation is done or will be done; a message of kind ANSWER follows
    SKERRY_AOS_FAR_DONE_NOW, // REQUEST: the operation is done, or has failed
    SKERRY_AOS_FAR_FULL,     // no slot, stage or entry is free
    SKERRY_AOS_FAR_ROOM,     // ENQUEUE: the slot of the ticket is free
    SKERRY_AOS_FAR_WAIT,     // ENQUEUE: the slot of the ticket is not free yet
    SKERRY_AOS_FAR_DEFERRED, // DEFER: the atomic is in the owner's list; a message of kind ANSWER follows
    SKERRY_AOS_FAR_GONE,     // the segment was destroyed, or its owner has ended
    SKERRY_AOS_FAR_NONE      // FIND: no segment is published under the number
};

struct skerry_aos_far_answer {
    int32_t outcome; // enum skerry_aos_far_outcome; for REGISTER an error of aos.h; for HAS_DEFERRED and IS_UP 1 or 0
    int32_t error;   // REQUEST and DEFER, if the operation was done at once: its error
    // FETCH and DEFER: old value of the word. ENQUEUE: ticket. HAS_DEFERRED: number of the sender's atomics in the list
    int64_t value;
    uint64_t slot;                 // ENQUEUE with SKERRY_AOS_FAR_PUTS: global address of the slot's message
    struct skerry_aos_entry entry; // FIND; not sent for other kinds
};

#endif
#endif
