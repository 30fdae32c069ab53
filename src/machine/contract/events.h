// SPDX-License-Identifier: BSD-3-Clause
// Declares the part of a machine's contract for counters in hardware, as Tendulkar et al. (2011) describe them. A
// worker adds to a counter by a store, so the worker does not wait for an answer. A counter that becomes zero sends a
// word to some addresses. A machine without such counters defines SKERRY_EVENTS as 0.
#ifndef SKERRY_MACHINE_CONTRACT_EVENTS_H
#define SKERRY_MACHINE_CONTRACT_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

// SKERRY_EVENTS: 1 if the machine can have counters in hardware, else 0.
#ifndef SKERRY_EVENTS
#error "the machine does not define SKERRY_EVENTS"
#endif

#if SKERRY_EVENTS

// SKERRY_EVENT_TARGETS: the largest number of addresses that a counter notifies.
#ifndef SKERRY_EVENT_TARGETS
#error "the machine does not define SKERRY_EVENT_TARGETS"
#endif

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

// Sets the value that the counter gets when it has become zero, and sets the counter's current value to the same.
// Allowed only while no addition and no notification of the counter is under way. The caller then calls
// skerry_complete_stores and sends a message to another worker. A worker that has received the message sees the new
// values.
void skerry_event_counter_begin(struct skerry_event_counter *counter, uint32_t next);

// Makes the counter send `word` to the address `to` when the counter has become zero. `number`, from 0 to
// SKERRY_EVENT_TARGETS - 1, is the index of this address among the counter's addresses. `word` must be the same for all
// addresses. `to` is one of two things:
// * the address of a word of 32 bits for which skerry_event_reaches is true
// * the result of skerry_event_counter_target for another counter, to which `word` is then added
void skerry_event_counter_notify(struct skerry_event_counter *counter, uint32_t number, uint32_t *to, uint32_t word);
uint32_t *skerry_event_counter_target(struct skerry_event_counter *counter);

// Returns true if counters can send to `address`, which lies in memory of skerry_memory_take_near for worker `worker`.
// Returns false if that memory is not in the worker's own core.
bool skerry_event_reaches(const volatile void *address, int worker);

// Adds to a counter. The addition is no release, so each worker must call skerry_complete_stores before its addition.
// After that, a worker that sees the sum also sees the stores that the adding workers made before their additions. The
// same is true for a worker that sees the word that the counter sends.
void skerry_event_counter_add(struct skerry_event_counter *counter, uint32_t value);

// Returns the counter's value. The load is an acquire.
uint32_t skerry_event_counter_value(const struct skerry_event_counter *counter);

#endif

#endif
