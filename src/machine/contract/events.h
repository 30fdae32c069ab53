// SPDX-License-Identifier: BSD-3-Clause
// Declares the part of a machine's contract for counters in hardware, as Tendulkar et al. (2011) describe them: a store adds
// to a counter, without an answer, and a counter that becomes zero sends a word to some addresses. A machine without such
// counters defines SKERRY_EVENTS as 0. workers.h includes this file.
#ifndef SKERRY_MACHINE_CONTRACT_EVENTS_H
#define SKERRY_MACHINE_CONTRACT_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

// SKERRY_EVENTS: 1 if the machine can have counters in hardware.
#ifndef SKERRY_EVENTS
#error "the machine does not define SKERRY_EVENTS"
#endif

#if SKERRY_EVENTS

// SKERRY_EVENT_TARGETS: the largest number of addresses that a counter notifies.
#ifndef SKERRY_EVENT_TARGETS
#error "the machine does not define SKERRY_EVENT_TARGETS"
#endif

// A counter is near one worker. Other workers add to it at the cost of a store; only its worker should load it.
struct skerry_event_counter;

// skerry_event_counter_take returns a counter near a worker. Its value, its next value and its word are 0, and it notifies
// nobody. Returns NULL if the worker has no counter left, or if this machine has none. skerry_event_counter_give gives a
// counter back; NULL is allowed. Any worker may call both.
struct skerry_event_counter *skerry_event_counter_take(int worker);
void skerry_event_counter_give(struct skerry_event_counter *counter);

// Sets the value that the counter gets when it has become zero, and sets its present value to the same. May be called only
// when no addition and no notification of the counter is under way. Visible to a worker after skerry_complete_stores and
// a message to this worker.
void skerry_event_counter_begin(struct skerry_event_counter *counter, uint32_t next);

// Makes the counter send `word` when it has become zero, to the address `to`: `number` is from 0 to
// SKERRY_EVENT_TARGETS - 1. The word is the same for all addresses. `to` is the address of a word of 32 bits for which
// skerry_event_reaches is true, or the result of skerry_event_counter_target, where the word is added to another counter.
void skerry_event_counter_notify(struct skerry_event_counter *counter, uint32_t number, uint32_t *to, uint32_t word);
uint32_t *skerry_event_counter_target(struct skerry_event_counter *counter);

// Returns true if counters can send to an address, which lies in memory that was taken near worker `worker`. They cannot if
// that memory is not the worker's own.
bool skerry_event_reaches(const volatile void *address, int worker);

// Adds to a counter. It is no release: skerry_complete_stores must be called before. A worker that then sees the sum, or the
// counter's notification, sees what the adding workers have stored before.
void skerry_event_counter_add(struct skerry_event_counter *counter, uint32_t value);

// Returns the counter's value. The load is an acquire.
uint32_t skerry_event_counter_value(const struct skerry_event_counter *counter);

#endif

#endif
