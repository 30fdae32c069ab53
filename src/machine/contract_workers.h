// SPDX-License-Identifier: BSD-3-Clause
// What a machine gives to a runtime that starts its own threads: workers. To the primitives a worker is what a PE is, so that a
// queue, a counter or a mailbox between cores of a chip is one between threads of a process too; here is what is beyond that.
// A bell is where one sleeps: each worker has one, by its number, and behind them are some for words that belong to no worker.
#ifndef SKERRY_MACHINE_CONTRACT_WORKERS_H
#define SKERRY_MACHINE_CONTRACT_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// -- Workers -----------------------------------------------------------------------------------------------------------

// Starts a worker, which runs main(argument) and ends when that returns. Its number; -1: the system gives no thread.
typedef void skerry_worker_main(void *argument);
int skerry_worker_start(skerry_worker_main *main, void *argument);

// Makes the calling thread, which somebody else has started, a worker; `ends` is called in it when it ends. Once a thread.
void skerry_worker_adopt(void (*ends)(void));

// A worker that is about to sleep until its next region says so, and again when it has one: those that rest do not crowd the processors.
void skerry_worker_is_idle(bool rests);

// Bytes of stack for workers to come; false: the system has no stacks of this size.
bool skerry_worker_stack(size_t bytes);

// From now on a process all of whose threads wait for each other ends with lines that say where, instead of hanging. `describe` writes
// who the calling worker is, as the beginning of such a line. Before there are workers.
typedef void skerry_describe(char *text, size_t bytes);
void skerry_watch_for_deadlock(skerry_describe *describe);

// Makes a wait that begins one of fixed patience, after which nothing is learned from it: for locks, which are got by chance.
struct skerry_pause;
void skerry_pause_steadily(struct skerry_pause *pause);

// How patient waits are: 0 as usual, 1 never sleep or yield while there are processors enough, 2 sleep at once.
void skerry_wait_policy(int policy);

// Calls `function` in a child process that was forked, in the only thread it has; the workers are gone then.
void skerry_at_fork(void (*function)(void));

// Wakes so many of those who sleep at a bell at most, and returns how many; the others sleep on until the next skerry_wake.
int skerry_wake_n(int eventcount, int most);

// The bell for a word that belongs to no worker: the same for the same word.
int skerry_eventcount_of(const volatile void *word);

// -- Processors --------------------------------------------------------------------------------------------------------

// Those that this process might use when it began: how many, and their numbers in ascending order.
int skerry_processors(void);
const int *skerry_processor_numbers(void);

// Which of them share something: for each, in the same order, the number of the group that it is in, or -1. False: it is not known.
enum skerry_group { SKERRY_GROUP_CORE, SKERRY_GROUP_SOCKET, SKERRY_GROUP_CACHE, SKERRY_GROUP_MEMORY };
bool skerry_processor_groups(enum skerry_group kind, int *groups);

// Makes the next place, numbered from 0, of some of them; and moves the calling thread to one.
void skerry_place_make(const int *processors, int count);
void skerry_place_enter(int place);

// For tools that watch for races: what this thread did before it publishes under an address has happened before what a thread does
// after it has seen that address. Orders nothing by itself.
void skerry_publishes(const volatile void *address);
void skerry_sees(const volatile void *address);

// -- Memory of all workers ---------------------------------------------------------------------------------------------

// Not zeroed; NULL: there is none. The alignment is a power of two.
void *skerry_memory_take(size_t bytes, size_t alignment);
void skerry_memory_give(void *memory);

// -- The world outside -------------------------------------------------------------------------------------------------

const char *skerry_environment(const char *name);

// Writes a line where a user sees errors; the same and ends the program with status 1.
void skerry_warn(const char *text);
SKERRY_NORETURN void skerry_stop(const char *text);

// Nanoseconds of a steady clock.
uint64_t skerry_nanoseconds(void);

// Seconds of a steady clock, and the shortest time it can tell.
double skerry_seconds(void);
double skerry_seconds_tick(void);

// What the system calls this machine, this process and the calling thread.
const char *skerry_host_name(void);
int64_t skerry_process_number(void);
int64_t skerry_thread_number(void);

#endif
