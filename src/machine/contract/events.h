// SPDX-License-Identifier: BSD-3-Clause
// Declares the part of a machine's contract for counters and queues in hardware, as Tendulkar et al. (2011) describe
// them. A worker adds to a counter by a store, so the worker does not wait for an answer. A counter that becomes zero
// sends a word to some addresses. A queue answers requests for its items in the order in which they arrive. A machine
// without counters and queues defines SKERRY_EVENTS as 0. Then none of the functions below exists.
#ifndef SKERRY_MACHINE_CONTRACT_EVENTS_H
#define SKERRY_MACHINE_CONTRACT_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// SKERRY_EVENTS: 1 if the machine can have counters and queues in hardware, else 0.
#ifndef SKERRY_EVENTS
#error "the machine does not define SKERRY_EVENTS"
#endif

#if SKERRY_EVENTS

// A counter is near one worker. Other workers can add to the counter at the cost of a store. Only the worker near the
// counter should load it, because a load by another worker is slow.
struct skerry_event_counter;

// skerry_event_counter_take returns a counter near a worker, with these properties:
// * The counter's value is 0. The value that the counter gets when it has become zero is 0 too, until
//   skerry_event_counter_begin sets another.
// * The word that the counter sends is 0, and the counter has no address to which it sends the word.
// Returns NULL if the worker has no counter left, or if this machine has none. skerry_event_counter_give gives a
// counter back, and ignores NULL. Any worker is allowed to call both.
struct skerry_event_counter *skerry_event_counter_take(int worker);
void skerry_event_counter_give(struct skerry_event_counter *counter);

// SKERRY_EVENT_TARGETS: number of addresses to which a counter can send a word. If it is 0, a counter that becomes zero stays
// zero and sends nothing, and the next three functions do not exist.
#ifndef SKERRY_EVENT_TARGETS
#error "the machine does not define SKERRY_EVENT_TARGETS"
#endif
#if SKERRY_EVENT_TARGETS
// Sets the value that the counter gets when it has become zero, and sets the counter's current value to the same.
// Allowed only while no addition and no notification of the counter is under way. The caller then calls
// skerry_complete_stores and sends a message to another worker. A worker that has received the message sees the new
// values.
void skerry_event_counter_begin(struct skerry_event_counter *counter, uint32_t next);

// Makes the counter send `word` to the address `to` when the counter has become zero. `number`, from 0 to 3, is the index
// of this address among the counter's addresses. `word` must be the same for all
// addresses. `to` is one of two things:
// * the address of a word of 32 bits for which skerry_event_reaches is true
// * the result of skerry_event_counter_target for another counter, to which `word` is then added
void skerry_event_counter_notify(struct skerry_event_counter *counter, uint32_t number, uint32_t *to, uint32_t word);
uint32_t *skerry_event_counter_target(struct skerry_event_counter *counter);
#endif

// Returns true if counters can send to `address`, which lies in memory of skerry_memory_take_near for worker `worker`.
// Returns false if that memory is not in the worker's own core.
bool skerry_event_reaches(const volatile void *address, int worker);

// Adds to a counter. The addition is no release, so each worker must call skerry_complete_stores before its addition.
// After that, a worker that sees the sum also sees the stores that the adding workers made before their additions. The
// same is true for a worker that sees the word that the counter sends.
void skerry_event_counter_add(struct skerry_event_counter *counter, uint32_t value);

// Returns the counter's value. The load is an acquire.
uint32_t skerry_event_counter_value(const struct skerry_event_counter *counter);

// A queue with several readers, near one worker. Any worker sends items to it and requests items from it. A request
// that finds no item waits in the queue, and gets the next item that arrives.
struct skerry_event_queue;

// skerry_event_queue_take returns an empty queue near a worker, with places for `items` items or waiting requests.
// Returns NULL if the worker's core has too little left for such a queue, or if this machine has no queues.
// skerry_event_queue_give gives a queue back; NULL is allowed. Items and requests that are still in the queue are lost.
// Any worker may call both.
struct skerry_event_queue *skerry_event_queue_take(int worker, uint32_t items);
void skerry_event_queue_give(struct skerry_event_queue *queue);

// Returns the words of the calling worker's next item: SKERRY_EVENT_WORDS words of 32 bits. They keep their values when
// the item has been sent.
#ifndef SKERRY_EVENT_WORDS
#error "the machine does not define SKERRY_EVENT_WORDS"
#endif
volatile uint32_t *skerry_event_item(void);

// skerry_event_aim chooses the queue to which the calling worker's items go from now on. skerry_event_enqueue sends the
// worker's item (skerry_event_item) to this queue, and returns before the item has arrived. If the queue is full, the
// item arrives when a place is free. As long as several items wait for a place, skerry_event_enqueue can block. So a
// caller that must not block makes sure that the queue has a place. The item is no release: call
// skerry_event_complete_stores before.
void skerry_event_aim(struct skerry_event_queue *queue);
void skerry_event_enqueue(void);

// Requests an item from a queue. Returns at once. Later all words of the item are stored to `answer` at the same
// moment. `answer` is an address of SKERRY_EVENT_WORDS words for which skerry_event_reaches is true. A request cannot be
// withdrawn.
void skerry_event_request(struct skerry_event_queue *queue, uint32_t *answer);

// Copies that the hardware makes while the worker goes on (RDMA). Their words move in any order relative to the worker's
// own loads and stores, except that a copy from another memory does not overtake the worker's earlier stores there.
//
// skerry_copy_begin begins to copy `bytes` bytes, which must not overlap, and returns. Until skerry_copy_complete, no
// worker may write the source, and none may access the destination. `*pending` must be 0, or what an earlier call has left
// there; then both copies are completed together. If the hardware cannot make this copy, the worker copies before it
// returns: on a machine without such hardware, if an address or the size is no multiple of 4, if none of both blocks is in
// the worker's own memory, or if the worker has begun copies with too many other words `pending`.
void skerry_copy_begin(size_t *pending, void *to, const void *from, size_t bytes);

// Waits until the copies that were begun with `pending` are complete, and sets it to 0. The data has then arrived in the
// destination's memory. This is no release: the worker's other stores have possibly not arrived.
void skerry_copy_complete(size_t *pending);

// Completes this worker's stores to the memories of all workers, as skerry_complete_stores does, but does not wait for
// items that the worker has sent. So it takes no time if all stores were to the worker's own memory.
void skerry_event_complete_stores(void);

#endif

#endif
