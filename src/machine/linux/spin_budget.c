// SPDX-License-Identifier: BSD-3-Clause
// Adapts the spin budget (how long a wait polls before it sleeps), and decides whether waits yield. Waits that end
// within the first microsecond call no function of this file.
//
// Polling:
// * Polling is harmless if no other thread wants the processor. The kernel counts how often it took a processor from
//   this process (involuntary context switches). While that count does not change, waits poll for milliseconds.
// * When the count changes, a polling thread possibly keeps another thread from running, even the thread that it waits
//   for. In this case the best spin budget is not known, so each thread learns it from its waits.
// * If a wait ends while it polls, polling for so long was useful. If not, the polling was useless, and a smaller
//   budget is better.
// * From time to time a wait polls for longer than was learned, so that a budget can grow again.
//
// Yielding:
// * If more threads are awake than there are processors, and they have little work, yields are useful. The processor
//   soon goes to the thread whose result the waiting thread needs.
// * If another program computes on the processor, a yield costs a whole time slice. A thread that sleeps gets the
//   processor as soon as it is woken. So after a yield to another program, the next waits of all threads of the process
//   sleep without yielding. Their number doubles after each such yield.
// * A long yield does not always mean another program, because threads of the same job can also compute in turn. The
//   callers of skerry_learn_from_yield distinguish the two cases.
#define _GNU_SOURCE
#include "spin_budget.h"

#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#define BUDGET_MOST 2000000 // nanoseconds: limits of a spin budget
#define BUDGET_LEAST 2000
#define PROBE_MOST 100000 // nanoseconds: longest budget of a wait that polls for longer than was learned
#define PROBE_WAITS 16    // one wait in this number polls for longer than was learned
#define PROBE_DOUBLINGS 4 // such waits poll for 4, 16, 64 and 256 times the learned budget, in turn
// If a wait lasts longer than LONG_WAIT times its spin budget (the time for which it polls), the learned budget does
// not change. Polling was only a small part of this wait.
#define LONG_WAIT 8
// If the kernel has counted at least this number of involuntary context switches since the last reading, other programs
// share the processors. A smaller number is ignored, because the system itself causes some switches.
#define SHARED_SWITCHES 2
// For how many nanoseconds the processors are treated as shared with other programs. After this time the number of
// context switches is read again.
#define SHARED_NANOSECONDS 100000000

uint64_t skerry_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// -- Polling -----------------------------------------------------------------------------------------------------------

static SKERRY_PER_THREAD uint32_t learned = BUDGET_MOST / 2, waits;
// Time of the clock in nanoseconds until which the processors are treated as shared with other programs. 0: they are
// not shared. All threads of the process store to this word without a lock. It does not matter which thread's value
// remains, because each value is right.
static uint64_t shared_until;
static int64_t switches_known; // involuntary context switches of this process when a thread last read them

static void read_switches(uint64_t now) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return;
    int64_t known = __atomic_exchange_n(&switches_known, (int64_t)usage.ru_nivcsw, __ATOMIC_RELAXED);
    __atomic_store_n(&shared_until, usage.ru_nivcsw - known >= SHARED_SWITCHES ? now + SHARED_NANOSECONDS : 0,
                     __ATOMIC_RELAXED);
}

static bool is_shared(uint64_t now) {
    uint64_t until = __atomic_load_n(&shared_until, __ATOMIC_RELAXED);
    if (until && now >= until) {
        read_switches(now);
        until = __atomic_load_n(&shared_until, __ATOMIC_RELAXED);
    }
    return until != 0;
}

uint32_t skerry_spin_budget(uint64_t now) {
    if (!is_shared(now)) return BUDGET_MOST;
    if (++waits % PROBE_WAITS || learned >= PROBE_MOST) return learned;
    uint64_t more = (uint64_t)learned << (2 * (waits / PROBE_WAITS % PROBE_DOUBLINGS + 1));
    return more < PROBE_MOST ? (uint32_t)more : PROBE_MOST;
}

void skerry_spin_budget_learn(uint64_t began, uint64_t polled, uint32_t budget) {
    bool was_enough = polled < budget;
    if (was_enough && !__atomic_load_n(&shared_until, __ATOMIC_RELAXED)) return;
    uint64_t now = skerry_nanoseconds();
    if (!is_shared(now)) {
        read_switches(now);
        return;
    }
    if (was_enough) {
        uint64_t enough = 2 * polled;
        if (enough > learned) learned = enough < BUDGET_MOST ? (uint32_t)enough : BUDGET_MOST;
    } else if (now - began <= (uint64_t)LONG_WAIT * budget)
        learned = learned / 2 > BUDGET_LEAST ? learned / 2 : BUDGET_LEAST;
}

// -- Yielding ----------------------------------------------------------------------------------------------------------

// waits_without: number of the next waits that do not yield. waits_without_next: number of waits that will not yield
// after the next yield to another program. All threads of the process share both numbers. So all threads yield less
// often after a yield has cost one thread a time slice. If two threads store at the same time, one update is lost, but
// this changes little.
static uint32_t waits_without, waits_without_next = SKERRY_WAITS_WITHOUT_YIELD;

bool skerry_may_yield(void) {
    uint32_t left = __atomic_load_n(&waits_without, __ATOMIC_RELAXED);
    if (!left) return true;
    __atomic_store_n(&waits_without, left - 1, __ATOMIC_RELAXED);
    return false;
}

void skerry_allow_yields(void) {
    __atomic_store_n(&waits_without, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&waits_without_next, SKERRY_WAITS_WITHOUT_YIELD, __ATOMIC_RELAXED);
}

void skerry_learn_from_yield(bool went_to_others) {
    uint32_t next = __atomic_load_n(&waits_without_next, __ATOMIC_RELAXED);
    if (went_to_others) {
        __atomic_store_n(&waits_without, next, __ATOMIC_RELAXED);
        if (next < SKERRY_WAITS_WITHOUT_YIELD_MOST) __atomic_store_n(&waits_without_next, 2 * next, __ATOMIC_RELAXED);
    } else if (next > SKERRY_WAITS_WITHOUT_YIELD) __atomic_store_n(&waits_without_next, next - 1, __ATOMIC_RELAXED);
}

static SKERRY_PER_THREAD uint64_t yield_ended; // reading of the clock when the last yield of this thread returned

struct skerry_yield skerry_yield_timed(uint64_t before) {
    uint64_t worked = before - yield_ended;
    sched_yield();
    yield_ended = skerry_nanoseconds();
    return (struct skerry_yield){.took = yield_ended - before, .worked = worked};
}
