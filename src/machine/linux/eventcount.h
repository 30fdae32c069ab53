// SPDX-License-Identifier: BSD-3-Clause
// Defines how a thread sleeps, and why no wake-up is lost. The waits of PEs (pe/wait.c) and of the threads of a process
// (threads/wait.c) use this protocol. The model is test/model/wait.pml.
//
// An eventcount is a place where threads sleep until another thread or process notifies them after a store. It has two
// words: the flag `sleeping` (sleep_flag.h) and the number `count` of notifications. A PE has one eventcount for all
// words of its partition (its part of the job's memory). A thread of OpenMP has one eventcount too. Some further
// eventcounts are for words that belong to no thread.
//
//     writer                          sleeper (any thread that waits for a word of this eventcount)
//     W1 store the word               S1 load count
//     W2 load sleeping                S2 store sleeping = 1
//     W3 if set: clear it,            S3 membarrier on every processor that runs a writer
//        add 1 to count,              S4 poll the word again; sleep only while count has
//        wake all sleepers               the value that S1 loaded
//
// Why no wake-up is lost, although the writer executes no fence:
// * W1 and W2 are a plain store and a plain load on different cache lines. So the processor can execute W2 first.
// * S3 makes each running writer execute a full fence between S2 and S4.
// * Suppose that the writer executes this fence after W2. Then W1 is visible before S4, and S4 loads the new value.
// * Suppose that the writer executes this fence before W2. Then W2 loads the value that S2 stored, and the writer wakes
//   the sleeper.
// * A writer that is not running has entered the kernel, which fences.
// * Nothing weaker is right: without S3, both S4 and W2 can load the old values.
// * If sleeps are frequent, writers execute a fence instead, and S3 is left out (sleep_flag.h).
//
// Further rules:
// * S1 comes before S2. If a writer notifies another sleeper between S1 and S2, the sleep of S4 ends at once: too
//   early, but never too late.
// * The addition in W3 is a locked operation. So a sleeper that loads the new value of `count` at S1 also sees the
//   words that the writer stored before.
// * A sleeper that wakes up never clears the flag, because another sleeper possibly needs the flag. So the flag can be
//   set although no thread sleeps. Then the next writer makes one system call that wakes no thread.
// * A program that stores through a pointer from shmem_ptr notifies no eventcount. So the length of each sleep is
//   limited, and the sleeper polls its word after each sleep.
// * If the kernel has no membarrier, the sleeper cannot execute S3. In this case it does not announce itself, and
//   sleeps only for short times between two polls.
#ifndef SKERRY_MACHINE_LINUX_EVENTCOUNT_H
#define SKERRY_MACHINE_LINUX_EVENTCOUNT_H

#include <linux/futex.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sleep.h"
#include "sleep_flag.h"

// Flags for the futex system calls. A flag says which threads use an eventcount (a place where threads sleep): the
// threads of all processes that map the eventcount, or only the threads of this process.
enum { SKERRY_OF_ALL_PROCESSES = 0, SKERRY_OF_THIS_PROCESS = FUTEX_PRIVATE_FLAG };

#define SKERRY_BACKOFF_NANOSECONDS 50000 // length of a wait's first backoff; each further backoff is twice as long
#define SKERRY_BACKOFF_DOUBLINGS 5       // after so many doublings the length stays the same

// Adds 1 to `count` and wakes at most `most` sleepers. Returns the number of threads that it woke. A thread that is
// about to sleep finds that `count` has changed, and polls once more.
static inline int skerry_eventcount_wake(uint32_t *count, int most, int scope) {
    __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
    return (int)syscall(SYS_futex, count, FUTEX_WAKE | scope, most, NULL, NULL, 0);
}

// Executes the steps S1 to S3 of the protocol above. `membarrier` (skerry_fence_everywhere) is the function that
// executes S3: it makes every running writer execute a fence.
static inline void skerry_eventcount_announce(struct skerry_sleep *sleep, uint32_t *sleeping, const uint32_t *count,
                                              bool (*membarrier)(void)) {
    sleep->seen = __atomic_load_n(count, __ATOMIC_SEQ_CST);
    skerry_sleep_announce(sleeping, membarrier);
    sleep->armed = 1;
}

// Returns the limit of the wait's next sleep, in nanoseconds. The limit is `first`, doubled once for each earlier sleep
// of this wait, but at most `doublings` times.
static inline uint64_t skerry_eventcount_limit(const struct skerry_sleep *sleep, uint64_t first, uint32_t doublings) {
    return first << (sleep->sleeps < doublings ? sleep->sleeps : doublings);
}

// Executes the sleep of step S4, which ends after a notification or after `limit` nanoseconds. After a notification the
// wait must announce its next sleep again.
static inline void skerry_eventcount_sleep(struct skerry_sleep *sleep, const uint32_t *sleeping, uint32_t *count,
                                           uint64_t limit, int scope) {
    struct timespec time = {.tv_sec = (time_t)(limit / 1000000000u), .tv_nsec = (long)(limit % 1000000000u)};
    syscall(SYS_futex, count, FUTEX_WAIT | scope, sleep->seen, &time, NULL, 0);
    sleep->sleeps++;
    // If the flag is still set and no writer has notified, the announcement is still valid. Then the sleeper need not
    // execute S3 again.
    if (skerry_sleep_is_announced(sleeping) && __atomic_load_n(count, __ATOMIC_SEQ_CST) == sleep->seen) return;
    sleep->armed = 0;
    sleep->notified++;
}

// Returns true if the wait must back off: a notification has come, but the wait's word has not changed. Such a
// notification is usually for another word of this eventcount. If the waiter announced itself again at once, each
// further write to that word would cost its writer another notification. So the waiter first sleeps without announcing
// itself, each time longer.
static inline bool skerry_eventcount_backs_off(const struct skerry_sleep *sleep) {
    return sleep->notified != sleep->backed_off;
}

// Returns the length of the backoff in nanoseconds. The caller sleeps for this time.
static inline long skerry_eventcount_backoff(struct skerry_sleep *sleep) {
    uint32_t doublings =
        sleep->notified - 1 < SKERRY_BACKOFF_DOUBLINGS ? sleep->notified - 1 : SKERRY_BACKOFF_DOUBLINGS;
    sleep->backed_off = sleep->notified;
    return (long)SKERRY_BACKOFF_NANOSECONDS << doublings;
}

#endif
