// SPDX-License-Identifier: BSD-3-Clause
// Waiting of threads: spin, then yield, then sleep, and the sleeper pays. The protocol, and why no wake-up is lost, are those of
// ../wait.c (model: test/model/wait.pml), with one difference: all who write are threads of this process, so that the membarrier is the
// private one, and each bell stands for whatever words its owner's waiters agree on.
#define _GNU_SOURCE
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

#define YIELD_NANOSECONDS 5000000 // in a crowd: from one parallel region of a loop of them to the next, as a rule
#define LONG_YIELD_NANOSECONDS 300000
#define SLICE_NANOSECONDS 1500000 // a yield that lasted so long has gone to somebody who computes
#define PATIENT_NANOSECONDS 1000000000
#define NAP_NANOSECONDS 100000     // without membarrier
#define SLEEP_NANOSECONDS 10000000 // first limit of a sleep; it doubles
#define SLEEP_DOUBLINGS 7
#define WATCHED_NANOSECONDS 100000000 // a sleep's limit where standstills are looked for
#define DEAF_NANOSECONDS 50000        // first nap after a bell that was rung for somebody else; it doubles
#define DEAF_DOUBLINGS 5

struct skerry_bell skerry_bells[SKERRY_BELLS];
struct skerry_worker_facts skerry_worker_facts;
static uint64_t yield_nanoseconds = YIELD_NANOSECONDS;
static int wait_policy;
static bool has_membarrier;

uint64_t skerry_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void skerry_wait_policy(int policy) {
    wait_policy = policy;
    yield_nanoseconds = policy == 1 ? PATIENT_NANOSECONDS : policy == 2 ? 0 : YIELD_NANOSECONDS;
}

void skerry_prepare_waiting(void) {
    has_membarrier = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void skerry_ring(int bell) {
    struct skerry_bell *own = &skerry_bells[bell];
    if (!__atomic_exchange_n(&own->sleeping, 0, __ATOMIC_SEQ_CST)) return; // somebody else rings
    __atomic_fetch_add(&own->rings, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &own->rings, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

// The announcement stays, for those who are left. Who is about to sleep finds that the bell was rung, and looks once more.
int skerry_ring_few(int bell, int most) {
    struct skerry_bell *own = &skerry_bells[bell];
    __atomic_fetch_add(&own->rings, 1, __ATOMIC_SEQ_CST);
    return (int)syscall(SYS_futex, &own->rings, FUTEX_WAKE_PRIVATE, most, NULL, NULL, 0);
}

bool skerry_fence_everywhere(void) {
    return has_membarrier && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

static void announce(struct skerry_pause *pause, struct skerry_bell *bell) {
    pause->rings = __atomic_load_n(&bell->rings, __ATOMIC_SEQ_CST);
    __atomic_store_n(&bell->sleeping, 1, __ATOMIC_SEQ_CST);
    skerry_fence_everywhere();
    pause->armed = 1;
}

static void sleep_once(struct skerry_pause *pause, struct skerry_bell *bell) {
    uint32_t doublings = pause->sleeps < SLEEP_DOUBLINGS ? pause->sleeps : SLEEP_DOUBLINGS;
    uint64_t most = (uint64_t)SLEEP_NANOSECONDS << doublings;
    if (skerry_is_standstill_watched()) {
        skerry_look_for_standstill(pause);
        if (most > WATCHED_NANOSECONDS) most = WATCHED_NANOSECONDS;
    }
    struct timespec limit = {.tv_sec = (time_t)(most / 1000000000), .tv_nsec = (long)(most % 1000000000)};
    syscall(SYS_futex, &bell->rings, FUTEX_WAIT_PRIVATE, pause->rings, &limit, NULL, 0);
    pause->sleeps++;
    // Still announced and not rung: the announcement holds, and no other membarrier is owed.
    if (__atomic_load_n(&bell->sleeping, __ATOMIC_SEQ_CST) &&
        __atomic_load_n(&bell->rings, __ATOMIC_SEQ_CST) == pause->rings)
        return;
    pause->armed = 0;
    pause->rung++;
}

static void nap_deaf(struct skerry_pause *pause) {
    uint32_t doublings = pause->rung - 1 < DEAF_DOUBLINGS ? pause->rung - 1 : DEAF_DOUBLINGS;
    nanosleep(&(struct timespec){.tv_nsec = (long)DEAF_NANOSECONDS << doublings}, NULL);
    pause->deaf = pause->rung;
}

// A yield that lasts has given the processor to another program, and the next one would again: asleep, this thread is given
// the processor when it is woken. So its next waits do not yield, and more of them each time that this happens.
#define WAITS_WITHOUT_LEAST 256u
#define WAITS_WITHOUT_MOST 4096u
static SKERRY_PER_THREAD uint32_t waits_without, waits_without_next = WAITS_WITHOUT_LEAST;

static bool may_yield(void) {
    if (!waits_without) return true;
    waits_without--;
    return false;
}

static void yield(struct skerry_pause *pause) {
    uint64_t before = skerry_nanoseconds();
    sched_yield();
    uint64_t now = skerry_nanoseconds();
    pause->elapsed = now - pause->began;
    if (now - before <= LONG_YIELD_NANOSECONDS) {
        if (waits_without_next > WAITS_WITHOUT_LEAST) waits_without_next--;
        return;
    }
    if (pause->elapsed < yield_nanoseconds) pause->elapsed = yield_nanoseconds;
    if (now - before <= SLICE_NANOSECONDS) return;
    waits_without = waits_without_next;
    if (waits_without_next < WAITS_WITHOUT_MOST) waits_without_next *= 2;
}

static void nap(const struct skerry_pause *pause) {
    if (skerry_is_standstill_watched()) skerry_look_for_standstill(pause);
    nanosleep(&(struct timespec){.tv_nsec = NAP_NANOSECONDS}, NULL);
}

// -- How long to look before sleeping, where each thread has a processor -----------------------------------------------

// Looking is worth while as long as what is waited for is being done, and harms nobody where nobody else wants the processor. Whether
// somebody does is seen from how often threads of this process were made to leave one: as long as that does not change, they look for
// milliseconds. Once it does, looking may keep from running just who is waited for. How much of it is good then nobody tells, so each
// thread learns it from its waits: one that ends while it looks shows that so much patience is good, one that does not that less is
// enough. Waits that end within the first microsecond do not come here. Now and then it tries more than it has learned.
#define PATIENCE_MOST 2000000
#define PATIENCE_LEAST 2000
#define PATIENCE_STEADY 50000
#define PATIENCE_PROBE 100000 // at most, of a try
#define LONG_WAIT 8           // times the patience: it was a small part of that, and says nothing about short waits
#define WAITS_OF_A_PROBE 16
#define PROBE_DOUBLINGS 4
#define SHARED_LEAVINGS 2            // that make processors shared: one now and then is the system itself
#define SHARED_NANOSECONDS 100000000 // for so long, then it is looked again

static SKERRY_PER_THREAD uint32_t learned = PATIENCE_MOST / 2, waits;
static uint64_t shared_until;  // of all threads: whichever looks last is right
static int64_t leavings_known; // when somebody last looked

static void look_whether_shared(uint64_t now) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return;
    int64_t known = __atomic_exchange_n(&leavings_known, (int64_t)usage.ru_nivcsw, __ATOMIC_RELAXED);
    __atomic_store_n(&shared_until, usage.ru_nivcsw - known >= SHARED_LEAVINGS ? now + SHARED_NANOSECONDS : 0,
                     __ATOMIC_RELAXED);
}

static bool is_shared(uint64_t now) {
    uint64_t until = __atomic_load_n(&shared_until, __ATOMIC_RELAXED);
    if (until && now >= until) {
        look_whether_shared(now);
        until = __atomic_load_n(&shared_until, __ATOMIC_RELAXED);
    }
    return until != 0;
}

static uint32_t learned_or_more(void) {
    if (++waits % WAITS_OF_A_PROBE || learned >= PATIENCE_PROBE) return learned;
    uint64_t more = (uint64_t)learned << (2 * (waits / WAITS_OF_A_PROBE % PROBE_DOUBLINGS + 1));
    return more < PATIENCE_PROBE ? (uint32_t)more : PATIENCE_PROBE;
}

static void be_patient(struct skerry_pause *pause) {
    pause->learns = wait_policy <= 0 && !pause->is_steady;
    pause->patience = wait_policy == 1          ? PATIENT_NANOSECONDS
                      : wait_policy == 2        ? 1
                      : pause->is_steady        ? PATIENCE_STEADY
                      : is_shared(pause->began) ? learned_or_more()
                                                : PATIENCE_MOST;
}

// A wait has ended.
void skerry_pause_learn(const struct skerry_pause *pause) {
    bool has_looked_enough = pause->elapsed < pause->patience;
    if (has_looked_enough && !__atomic_load_n(&shared_until, __ATOMIC_RELAXED)) return;
    uint64_t now = skerry_nanoseconds();
    if (!is_shared(now)) {
        look_whether_shared(now);
        return;
    }
    if (has_looked_enough) {
        uint64_t enough = 2 * pause->elapsed;
        if (enough > learned) learned = enough < PATIENCE_MOST ? (uint32_t)enough : PATIENCE_MOST;
    } else if (now - pause->began <= (uint64_t)LONG_WAIT * pause->patience)
        learned = learned / 2 > PATIENCE_LEAST ? learned / 2 : PATIENCE_LEAST;
}

void skerry_pause_slow(struct skerry_pause *pause, int number) {
    struct skerry_bell *bell = &skerry_bells[number];
    if (pause->armed) {
        sleep_once(pause, bell);
        return;
    }
    // The clock is read at every eighth step only: it costs as much as several looks.
    pause->steps++;
    if (!pause->began) {
        pause->began = skerry_nanoseconds();
        if (skerry_is_crowded() && !may_yield()) pause->elapsed = yield_nanoseconds;
    } else if ((pause->steps & 7) == 0) {
        uint64_t elapsed = skerry_nanoseconds() - pause->began;
        if (elapsed > pause->elapsed) pause->elapsed = elapsed;
    }
    bool crowded = skerry_is_crowded();
    if (!crowded && !pause->patience) be_patient(pause);
    if (!crowded && pause->elapsed < pause->patience) skerry_arch_relax();
    else if ((crowded || pause->is_steady) && pause->elapsed < yield_nanoseconds) yield(pause);
    else if (pause->rung != pause->deaf) nap_deaf(pause);
    else if (has_membarrier) announce(pause, bell);
    else nap(pause);
}
