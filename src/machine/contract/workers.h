// SPDX-License-Identifier: BSD-3-Clause
// Declares the part of a machine's contract for workers: the threads that a runtime starts by itself. The primitives
// (src/primitive) treat a worker as a PE. So the same queue, counter or mailbox works between cores of a chip and
// between threads of a process. This file has the operations that core.h does not have.
//
// Workers sleep at eventcounts. An eventcount is a flag and a number. A thread that stores a word notifies the word's
// eventcount, which wakes the threads that sleep there. Worker n has eventcount n. Eventcounts with higher numbers than
// any worker are for words that belong to no worker.
#ifndef SKERRY_MACHINE_CONTRACT_WORKERS_H
#define SKERRY_MACHINE_CONTRACT_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// -- Workers -----------------------------------------------------------------------------------------------------------

// SKERRY_WORKERS_MAX: the greatest number of workers that a machine supports, and of processors.
#ifndef SKERRY_WORKERS_MAX
#error "the machine does not define SKERRY_WORKERS_MAX"
#endif

// Starts a worker, which runs main(argument) and ends when main returns. Returns the worker's number, or one of these
// negative numbers, which say why there can be no further worker.
enum {
    SKERRY_NO_THREAD = -1, // the operating system refuses
    SKERRY_NO_CORE = -2,   // each core runs one worker, and no core is free
    SKERRY_NO_MEMORY = -3, // for the worker's stack, or for its data
    SKERRY_NO_NUMBER = -4  // there are SKERRY_WORKERS_MAX workers
};
typedef void skerry_worker_main(void *argument);
int skerry_worker_start(skerry_worker_main *main, void *argument);

// Returns the number of the worker that the calling worker will start next. With this number the caller can allocate
// memory near the new worker before the new worker starts (skerry_memory_take_near). Returns -1 if the number is not
// known, or if no further worker can be started.
int skerry_worker_next(void);

// Makes the calling thread, which the runtime did not start, a worker. When the thread ends, the thread calls `ends`. A
// thread must not call skerry_worker_adopt a second time.
void skerry_worker_adopt(void (*ends)(void));

// Records that the calling worker begins (`rests` true) or ends (`rests` false) a sleep until its next parallel region.
// A sleeping worker of this kind is not counted as awake. So it does not make the workers oversubscribed (more workers
// awake than processors).
void skerry_worker_is_idle(bool rests);

// Sets the stack size, in bytes, of workers that are started from now on. Returns false if the system does not allow
// this size.
bool skerry_worker_stack(size_t bytes);

// Switches deadlock detection on. If all workers of the process wait for each other, the process writes one line for
// each worker, and ends. The line says where the worker waits. If the process also has threads that are not workers,
// the lines are only a warning and the process continues. `describe` writes the calling worker's name, the beginning of
// its line, into `text` of `bytes` bytes. The runtime calls skerry_watch_for_deadlock before workers exist.
typedef void skerry_describe(char *text, size_t bytes);
void skerry_watch_for_deadlock(skerry_describe *describe);

// Gives a fixed spin budget (the time to poll before a sleep) to a wait that is about to begin. Other waits adapt the
// spin budget of later waits to their own length. This wait does not. Used for locks: chance decides which waiter gets
// a lock, so the length of the wait says nothing about other threads.
struct skerry_pause;
void skerry_pause_steadily(struct skerry_pause *pause);

// Returns true if the wait's next step (skerry_pause) is to sleep.
bool skerry_pause_is_armed(const struct skerry_pause *pause);

// Sets how long waits poll before they sleep. 0: for a time that the machine learns from earlier waits. 1: for a
// second. Then waits rarely yield or sleep while there are enough processors. 2: hardly at all, so that waits sleep at
// once.
void skerry_wait_policy(int policy);

// Calls `function` in each child process that this process forks, in the child's only thread. The child has no other
// workers.
void skerry_at_fork(void (*function)(void));

// Completes this worker's stores to the memories of all workers. A worker calls this function before it announces these
// stores to other workers by skerry_store_release_pair. One call is enough for any number of announcements. On some
// machines skerry_store_release_pair is a release for stores to all memories. There the function does nothing.
void skerry_complete_stores(void);

// Wakes at most `most` of the threads that sleep at an eventcount (a place where workers sleep). Returns the number of
// threads that it woke. The other threads continue to sleep until the next skerry_wake.
int skerry_wake_n(int eventcount, int most);

// Returns false if no worker sleeps, or is about to sleep, at any eventcount. A machine that does not know returns true. A
// worker that has stored a word, and then gets false, has nobody to wake for this word.
bool skerry_has_sleepers(void);

// Returns the number of the eventcount (a place where workers sleep) for a word that belongs to no worker. The same
// word always has the same number. Different words can have the same number.
int skerry_eventcount_of(const volatile void *word);

// -- Processors --------------------------------------------------------------------------------------------------------

// Return the processors that this process was allowed to use when it began. skerry_processors returns how many
// processors these are. skerry_processor_numbers returns an array with the operating system's number of each of them,
// in ascending order.
int skerry_processors(void);
const int *skerry_processor_numbers(void);

// SKERRY_PLACES: 1 if threads can be bound to sets of processors. 0: each thread stays on its own processor.
#ifndef SKERRY_PLACES
#error "the machine does not define SKERRY_PLACES"
#endif
#if SKERRY_PLACES
// Finds the processors that share a core, a socket, a cache or a memory, and numbers the groups. For each processor, in
// the order of skerry_processor_numbers, writes the number of its group to `groups`, or -1 if the processor is in no
// group. Returns false if the groups are not known.
enum skerry_group { SKERRY_GROUP_CORE, SKERRY_GROUP_SOCKET, SKERRY_GROUP_CACHE, SKERRY_GROUP_MEMORY };
bool skerry_processor_groups(enum skerry_group kind, int *groups);

// skerry_place_make defines the next place: a set of `count` processors, given by the operating system's numbers.
// Places get the numbers from 0 on, in the order of the calls. skerry_place_enter moves the calling thread to a place.
void skerry_place_make(const int *processors, int count);
void skerry_place_enter(int place);
#endif

// Tell a race detector about order. What a thread does before skerry_publishes of an address happens before what
// another thread does after skerry_sees of the same address. The two functions themselves order no memory accesses.
void skerry_publishes(const volatile void *address);
void skerry_sees(const volatile void *address);

// -- Memory of all workers ---------------------------------------------------------------------------------------------

// skerry_memory_take allocates `bytes` bytes that all workers can access. The bytes are not zeroed. `alignment` is in
// bytes, a power of two. Returns NULL if there is no memory. skerry_memory_give frees such memory, and ignores NULL.
void *skerry_memory_take(size_t bytes, size_t alignment);
// Allocates as skerry_memory_take does, in memory that worker `worker` accesses as fast as possible, for example the
// memory of its core. If `worker` is -1, the memory need not be near any particular worker.
void *skerry_memory_take_near(size_t bytes, size_t alignment, int worker);
// SKERRY_NEAR_MEMORY: 1 if each worker accesses some memory faster than other memory, for example the memory of its
// core. In this case data that a worker frequently polls or changes lies near this worker, and the worker polls no
// other memory. 0: the data of all workers lies together.
#ifndef SKERRY_NEAR_MEMORY
#error "the machine does not define SKERRY_NEAR_MEMORY"
#endif
#if SKERRY_NEAR_MEMORY
// A machine with such memory defines the type skerry_pair: two words that one instruction stores. skerry_store_pair stores
// them to words[0] and words[1], which are in memory near `worker` and aligned to 8 bytes. The worker sees both or none.
// The store is no release: call skerry_complete_stores before.
skerry_pair skerry_pair_make(uint32_t first, uint32_t second);
void skerry_store_pair(uint32_t *words, skerry_pair pair, int worker);
// Calls free_some(worker) when skerry_memory_take_near, or skerry_event_counter_take (events.h), finds nothing free near
// `worker`. The function runs on the calling worker. It returns true if it has freed something near `worker`; then the
// machine tries again. The machine holds no lock meanwhile, and does not call the function for a call that the function makes.
void skerry_memory_on_shortage(bool (*free_some)(int worker));
#endif
void skerry_memory_give(void *memory);

// SKERRY_STATIC_LIBRARY: 1 if a program contains those files of the library that it calls. 0: the library is shared.
#ifndef SKERRY_STATIC_LIBRARY
#error "the machine does not define SKERRY_STATIC_LIBRARY"
#endif

#include "events.h"

// -- The world outside -------------------------------------------------------------------------------------------------

// Returns the value of an environment variable. Returns NULL if the variable is not set, or if the process must not
// trust its environment (secure_getenv).
const char *skerry_environment(const char *name);
// Returns false if no environment variable is set. The runtime then asks for none of them.
bool skerry_has_environment(void);

// skerry_warn writes one line to the error output. skerry_stop writes one line and ends the program with exit code 1.
void skerry_warn(const char *text);
SKERRY_NORETURN void skerry_stop(const char *text);

// Returns the time of a steady clock in nanoseconds.
uint64_t skerry_nanoseconds(void);

// skerry_seconds returns the time of a steady clock in seconds. skerry_seconds_tick returns the resolution of this
// clock in seconds.
double skerry_seconds(void);
double skerry_seconds_tick(void);

// Return the name of this computer, and the numbers by which the operating system identifies this process and the
// calling thread.
const char *skerry_host_name(void);
int64_t skerry_process_number(void);
int64_t skerry_system_thread(void);

#endif
