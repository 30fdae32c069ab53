// SPDX-License-Identifier: BSD-3-Clause
// Implements the waits of OpenMP threads. A waiter polls, then yields, then sleeps at an eventcount (../eventcount.h).
// All writers are threads of this process. So a sleeper uses the kernel's private membarrier, which makes only threads
// of this process execute a fence. An eventcount can serve any set of words, if each writer and each waiter of these
// words uses this eventcount.
#define _GNU_SOURCE
#include <limits.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../eventcount.h"
#include "../spin_budget.h"
#include "internal.h"

#define YIELD_NANOSECONDS 5000000     // how long a wait yields if oversubscribed; usually a region begins in this time
#define LONG_YIELD_NANOSECONDS 300000 // a longer yield gave the processor to a thread that computes
#define IDLE_YIELD_NANOSECONDS 300000 // after this time without a long yield the waiter sleeps
#define ACTIVE_NANOSECONDS 1000000000 // spin budget and time of yields if skerry_wait_policy is 1
#define STEADY_NANOSECONDS 50000      // spin budget of a wait for a lock (skerry_pause_steadily)
#define NAP_NANOSECONDS 100000        // length of a sleep if the kernel has no membarrier
#define SLEEP_NANOSECONDS 10000000    // limit of a wait's first sleep; it doubles with each sleep
#define SLEEP_DOUBLINGS 7
#define WATCHED_NANOSECONDS 100000000 // limit of a sleep while deadlock detection is on
#define REFUSED_YIELDS 64 // after so many waits without a yield, may_yield checks again whether other programs compute

struct skerry_eventcount skerry_eventcounts[SKERRY_EVENTCOUNTS];
struct skerry_worker_facts skerry_worker_facts;
static uint64_t yield_nanoseconds = YIELD_NANOSECONDS;
static int wait_policy;
static bool has_membarrier;
static SKERRY_PER_THREAD uint32_t fences; // number of this thread's fences that found no sleeper (sleep_flag.h)

void skerry_wait_policy(int policy) {
    wait_policy = policy;
    yield_nanoseconds = policy == 1 ? ACTIVE_NANOSECONDS : policy == 2 ? 0 : YIELD_NANOSECONDS;
}

void skerry_prepare_waiting(void) {
    has_membarrier = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void skerry_notify_all(int eventcount) {
    struct skerry_eventcount *own = &skerry_eventcounts[eventcount];
    if (!skerry_sleep_has_sleepers(&own->sleeping, &fences) || !skerry_sleep_claim(&own->sleeping)) return;
    // Counts the worker as awake before it is woken. If the worker counted itself after it has woken up, `awake` would
    // be too small until then. Other threads would poll although this worker needs a processor.
    if (__atomic_load_n(&own->rests, __ATOMIC_RELAXED)) skerry_worker_is_awake(eventcount);
    skerry_eventcount_wake(&own->count, INT_MAX, SKERRY_OF_THIS_PROCESS);
}

// Wakes at most `most` of the threads that sleep at the eventcount. Does not clear the flag `sleeping`, because other
// threads possibly still sleep at this eventcount.
int skerry_notify_n(int eventcount, int most) {
    struct skerry_eventcount *own = &skerry_eventcounts[eventcount];
    if (!skerry_sleep_has_sleepers(&own->sleeping, &fences)) return 0;
    return skerry_eventcount_wake(&own->count, most, SKERRY_OF_THIS_PROCESS);
}

bool skerry_fence_everywhere(void) {
    return has_membarrier && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

// Adds the calling worker to the number of sleepers if the worker does not rest. A resting worker sleeps until its next
// parallel region and is not counted as awake, so it must not be counted as a sleeper. Returns the number, 0 or 1, that
// was added. end_sleep subtracts this number, because `rests` can change during the sleep.
static int32_t begin_sleep(const struct skerry_eventcount *eventcount) {
    const int32_t counted = !__atomic_load_n(&eventcount->rests, __ATOMIC_RELAXED);
    __atomic_fetch_add(&skerry_worker_facts.sleepers, counted, __ATOMIC_RELAXED);
    return counted;
}

static void end_sleep(int32_t counted) {
    __atomic_fetch_sub(&skerry_worker_facts.sleepers, counted, __ATOMIC_RELAXED);
}

static void sleep_once(struct skerry_pause *pause, struct skerry_eventcount *eventcount) {
    uint64_t most = skerry_eventcount_limit(&pause->sleep, SLEEP_NANOSECONDS, SLEEP_DOUBLINGS);
    if (skerry_is_deadlock_watched()) {
        skerry_look_for_deadlock(pause);
        if (most > WATCHED_NANOSECONDS) most = WATCHED_NANOSECONDS;
    }
    const int32_t counted = begin_sleep(eventcount);
    skerry_eventcount_sleep(&pause->sleep, &eventcount->sleeping, &eventcount->count, most, SKERRY_OF_THIS_PROCESS);
    end_sleep(counted);
}

static void sleep_for(long nanoseconds, const struct skerry_eventcount *eventcount) {
    const int32_t counted = begin_sleep(eventcount);
    nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
    end_sleep(counted);
}

// Yields the processor once, and decides whether this wait continues with a sleep. There are two reasons to sleep:
// 1. The yield was long: it gave the processor to a thread that computes, and the next yield of this wait would do the
//    same. If that thread belongs to this process, it makes progress, so later waits still yield.
// 2. All yields of this wait were short: no thread of this process has work on this processor. Other threads possibly
//    wait in the queue of another processor. The kernel moves them to this processor only if this processor is idle. So
//    this wait sleeps, if no other program computes.
static void yield(struct skerry_pause *pause) {
    bool was_idle = pause->elapsed >= IDLE_YIELD_NANOSECONDS;
    uint64_t took = skerry_yield_timed(pause->began + pause->elapsed).took;
    skerry_learn_from_yield(took > SKERRY_SLICE_NANOSECONDS && skerry_others_compute());
    pause->elapsed += took;
    bool is_idle = !was_idle && pause->elapsed >= IDLE_YIELD_NANOSECONDS && wait_policy <= 0;
    bool sleeps = took > LONG_YIELD_NANOSECONDS || (is_idle && !skerry_others_compute());
    if (sleeps && pause->elapsed < yield_nanoseconds) pause->elapsed = yield_nanoseconds;
}

static void nap(const struct skerry_pause *pause, const struct skerry_eventcount *eventcount) {
    if (skerry_is_deadlock_watched()) skerry_look_for_deadlock(pause);
    sleep_for(NAP_NANOSECONDS, eventcount);
}

static void choose_budget(struct skerry_pause *pause) {
    pause->learns = wait_policy <= 0 && !pause->is_steady;
    pause->budget = wait_policy == 1   ? ACTIVE_NANOSECONDS
                    : wait_policy == 2 ? 1
                    : pause->is_steady ? STEADY_NANOSECONDS
                                       : skerry_spin_budget(pause->began);
}

void skerry_pause_learn(const struct skerry_pause *pause) {
    skerry_spin_budget_learn(pause->began, pause->elapsed, pause->budget);
}

// Returns true if a wait is allowed to yield. Called while more threads are awake than there are processors. As long as
// waits are not allowed to yield, one call in REFUSED_YIELDS checks whether other programs still compute.
static bool may_yield(void) {
    static uint32_t refused; // number of refused calls of all threads together
    if (skerry_may_yield()) return true;
    uint32_t count = __atomic_add_fetch(&refused, 1, __ATOMIC_RELAXED);
    if (count % REFUSED_YIELDS || skerry_others_compute()) return false;
    skerry_allow_yields();
    return true;
}

void skerry_pause_slow(struct skerry_pause *pause, int number) {
    struct skerry_eventcount *eventcount = &skerry_eventcounts[number];
    if (pause->sleep.armed) {
        sleep_once(pause, eventcount);
        return;
    }
    // The clock is read at every eighth step only, because reading the clock takes as long as several polls.
    pause->steps++;
    if (!pause->began) {
        pause->began = skerry_nanoseconds();
        if (skerry_is_oversubscribed() && !may_yield()) pause->elapsed = yield_nanoseconds;
    } else if ((pause->steps & 7) == 0) {
        uint64_t elapsed = skerry_nanoseconds() - pause->began;
        if (elapsed > pause->elapsed) pause->elapsed = elapsed;
    }
    bool oversubscribed = skerry_is_oversubscribed();
    if (!oversubscribed && !pause->budget) choose_budget(pause);
    if (!oversubscribed && pause->elapsed < pause->budget) skerry_arch_relax();
    else if ((oversubscribed || pause->is_steady) && pause->elapsed < yield_nanoseconds) yield(pause);
    else if (skerry_eventcount_backs_off(&pause->sleep))
        sleep_for(skerry_eventcount_backoff(&pause->sleep), eventcount);
    else if (has_membarrier)
        skerry_eventcount_announce(&pause->sleep, &eventcount->sleeping, &eventcount->count, skerry_fence_everywhere);
    else nap(pause, eventcount);
}
