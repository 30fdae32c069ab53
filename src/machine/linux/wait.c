// SPDX-License-Identifier: BSD-3-Clause
// Makes a thread wait: it polls or yields for its spin budget (spin_budget.c), then sleeps.
//
// The protocol. Every PE owns two words in its control block: the flag `sleeping` and the number `eventcount`.
//     writer                          sleeper (any thread, any PE that waits for a word of this partition)
//     W1 store the word               S1 load eventcount
//     W2 load sleeping                S2 store sleeping = 1
//     W3 if set: clear it,            S3 membarrier on every processor that runs a PE
//        add 1 to eventcount,         S4 poll the word again; sleep only while eventcount has
//        wake all sleepers               the value that S1 loaded
// W1 and W2 are a plain store and a plain load on different lines, so the processor may execute W2 first. S3 makes each
// running PE execute a full fence between S2 and S4. If that fence falls after W2 in the writer's order, W1, which is
// earlier still, is visible before S4, and S4 sees it. If the fence falls before W2, W2 loads what S2 stored, and the
// writer wakes the sleeper. A writer that is not running has entered the kernel, which fences. So no wake-up is lost in
// any case, and the writer pays no fence. Nothing weaker is right: without S3, both S4 and W2 may load the old values.
// If sleeps are frequent, writers fence instead and S3 is left out: sleep_flag.h.
//
// S1 comes before S2. If a writer notifies another sleeper between S1 and S2, S4 returns at once, never too late. A
// sleeper that loads the new eventcount at S1 also sees the words stored before it, because the addition of W3 is a
// locked operation.
//
// If the flag is set although no thread sleeps, the next writer pays one system call. A sleeper never clears the flag,
// because another sleeper may need it.
//
// A program that stores through a pointer from shmem_ptr does not notify. So a sleep has a limit, after which the
// sleeper polls its word.
//
// If the kernel has no membarrier, the sleeper cannot pay for the order. Then it does not announce itself, and sleeps
// only for short times between two polls.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"
#include "sleep_flag.h"
#include "spin_budget.h"

#define YIELD_NANOSECONDS 1000000         // budget if oversubscribed: a barrier of 1024 PEs on 2 processors ends in it
#define YIELD_MOST_NANOSECONDS 1000000000 // longest yield that may be added to a budget
#define NAP_NANOSECONDS 100000            // length of a sleep without membarrier
#define SLEEP_NANOSECONDS 1000000         // first limit of a sleep; it doubles
#define SLEEP_DOUBLINGS 5
#define DEAF_NANOSECONDS 50000 // first backoff after a notification for another waiter; it doubles
#define DEAF_DOUBLINGS 5
#define POLLS_OF_A_CLOCK 16 // calls of skerry_polled for each reading of the clock
// Polls of a long wait for each reading of the clock. Reading it takes as long as several polls, or as dozens of polls
// without pauses.
#define PAUSES_OF_A_CLOCK 8u
#define QUICK_POLLS_OF_A_CLOCK 64u
#define POLL_NANOSECONDS 5000
#define CALLS_NANOSECONDS 100000
#define TEST_NAP_NANOSECONDS 50000 // sleep after a test that failed, if a yield would cost a time slice

static void futex_wait(uint32_t *word, uint32_t value, uint64_t limit) {
    struct timespec time = {.tv_sec = (time_t)(limit / 1000000000u), .tv_nsec = (long)(limit % 1000000000u)};
    syscall(SYS_futex, word, FUTEX_WAIT, value, &time, NULL, 0);
}

// Returns true if a yield took no longer than the PEs that share this processor may have worked. If PEs compute in
// turn, a yield lasts as long as the other PEs work, about as long as this PE worked before it. A longer yield of a
// time slice went to another program.
static bool is_expected(struct skerry_yield yield) {
    return yield.took / 2 <= skerry_job.sharers * yield.worked;
}

// Yields the processor, and adapts later waits to the length of the yield. `now` is the clock's reading in nanoseconds.
static struct skerry_yield yield_processor(uint64_t now) {
    struct skerry_yield yield = skerry_yield_timed(now);
    skerry_learn_from_yield(yield.took > SKERRY_SLICE_NANOSECONDS && !is_expected(yield));
    return yield;
}

void skerry_yield(void) {
    if (skerry_serves) skerry_progress();
    if (!skerry_facts.oversubscribed) return;
    if (skerry_may_yield()) yield_processor(skerry_nanoseconds());
    else nanosleep(&(struct timespec){.tv_nsec = TEST_NAP_NANOSECONDS}, NULL);
}

// State of a thread whose program may poll by calling a routine that reads `address`, or a routine that reads no
// address (NULL). Many calls with the same address in a row are a poll. Other calls may be work, such as a loop of
// gets. Between two yields in such calls there is so much time that yields cost only some hundredths of it.
static SKERRY_PER_THREAD struct {
    const volatile void *address;
    uint32_t calls;
    uint32_t repeated;
    uint64_t yielded; // reading of the clock after the last yield
} polled;

void skerry_polled(const volatile void *address) {
    polled.repeated = address && address == polled.address ? polled.repeated + 1 : 0;
    polled.address = address;
    if (++polled.calls % POLLS_OF_A_CLOCK) return;
    bool is_poll = polled.repeated >= POLLS_OF_A_CLOCK;
    uint64_t now = skerry_nanoseconds();
    if (now - polled.yielded < (is_poll ? POLL_NANOSECONDS : CALLS_NANOSECONDS)) return;
    if (skerry_may_yield()) yield_processor(now);
    else if (is_poll) nanosleep(&(struct timespec){.tv_nsec = TEST_NAP_NANOSECONDS}, NULL);
    polled.yielded = skerry_nanoseconds();
}

void skerry_wake_sleepers(int pe) {
    static SKERRY_PER_THREAD uint32_t fences;
    struct skerry_control *control = skerry_control_of(pe);
    if (!skerry_sleep_has_sleepers(&control->sleeping, &fences) || !skerry_sleep_claim(&control->sleeping)) return;
    __atomic_fetch_add(&control->eventcount, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &control->eventcount, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

bool skerry_fence_everywhere(void) {
    return skerry_job.membarrier && syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0) == 0;
}

static void announce(struct skerry_pause *pause, struct skerry_control *control, int owner) {
    __atomic_store_n(&skerry_control_of(skerry_facts.my_pe)->wait_target, (uint32_t)owner + 1, __ATOMIC_RELAXED);
    pause->eventcount = __atomic_load_n(&control->eventcount, __ATOMIC_SEQ_CST);
    skerry_sleep_announce(&control->sleeping, skerry_fence_everywhere);
    pause->armed = 1;
}

static void sleep_once(struct skerry_pause *pause, struct skerry_control *control) {
    uint32_t doublings = pause->sleeps < SLEEP_DOUBLINGS ? pause->sleeps : SLEEP_DOUBLINGS;
    futex_wait(&control->eventcount, pause->eventcount, (uint64_t)SLEEP_NANOSECONDS << doublings);
    pause->sleeps++;
    // If the flag is still set and no writer has notified, the announcement holds, and no other membarrier is needed.
    bool holds = skerry_sleep_is_announced(&control->sleeping) &&
                 __atomic_load_n(&control->eventcount, __ATOMIC_SEQ_CST) == pause->eventcount;
    if (holds) return;
    pause->armed = 0;
    pause->notified++;
}

// Sleeps for a backoff after a notification that did not change the word: other PEs write to other words of this
// partition. If the waiter announced itself at once, each of their next writes would notify again. So the waiter first
// sleeps without announcing itself, longer every time.
static void nap_in_backoff(struct skerry_pause *pause) {
    uint32_t doublings = pause->notified - 1 < DEAF_DOUBLINGS ? pause->notified - 1 : DEAF_DOUBLINGS;
    nanosleep(&(struct timespec){.tv_nsec = (long)DEAF_NANOSECONDS << doublings}, NULL);
    pause->backed_off = pause->notified;
}

// Ends the job: a handler must not wait. No request runs while a handler waits, so the handlers of two PEs
// would wait for each other.
static void refuse_to_wait(void) {
    const char *name = skerry_handled_function;
    if (!name) skerry_refuse("a handler of an interrupt must not wait (oshcc --check names the routine that waits)");
    skerry_refuse("%s: a remote procedure must not wait (oshcc --check names the routine that waits)", name);
}

// Executes a step of a wait that polls for requests. Returns true if the wait continues with its next step. After a
// request has run, the next one may follow soon, so the wait begins anew.
static bool has_served(struct skerry_pause *pause) {
    if (skerry_in_handler()) refuse_to_wait();
    if (skerry_progress()) {
        skerry_pause_again(pause);
        return true;
    }
    if (skerry_facts.oversubscribed || pause->steps >= skerry_facts.quick_polls) return false;
    if (pause->steps == 0) skerry_arch_full_fence();
    else skerry_poll_pause();
    pause->steps++;
    return true;
}

// Ends the job if this PE waits before set-up: no other PE can reach the word, so no other PE can end the wait.
static void refuse_early_wait(void) {
    if (__atomic_load_n(&skerry_control_of(skerry_facts.my_pe)->state, __ATOMIC_ACQUIRE) == SKERRY_PE_ATTACHED)
        skerry_refuse("this PE waits for a word before shmem_init or aos_init; no other PE can change it");
}

static void begin_slow_wait(struct skerry_pause *pause) {
    refuse_early_wait();
    pause->began = skerry_nanoseconds();
    if (skerry_facts.oversubscribed) {
        pause->budget = skerry_may_yield() ? YIELD_NANOSECONDS : 0;
    } else {
        pause->budget = skerry_spin_budget(pause->began);
        pause->at_end |= SKERRY_AT_END_LEARN;
    }
}

static void add_to_budget(struct skerry_pause *pause, uint64_t nanoseconds) {
    pause->budget = nanoseconds < UINT32_MAX - pause->budget ? pause->budget + (uint32_t)nanoseconds : UINT32_MAX;
}

static void poll_on(struct skerry_pause *pause) {
    if (skerry_facts.oversubscribed) {
        struct skerry_yield yield = yield_processor(pause->began + pause->elapsed);
        pause->elapsed += yield.took;
        if (is_expected(yield) && yield.took < YIELD_MOST_NANOSECONDS) add_to_budget(pause, yield.took);
        return;
    }
    skerry_poll_pause();
    if (++pause->steps % (skerry_facts.poll_pauses ? PAUSES_OF_A_CLOCK : QUICK_POLLS_OF_A_CLOCK) == 0)
        pause->elapsed = skerry_nanoseconds() - pause->began;
}

void skerry_pause_slow(struct skerry_pause *pause, int owner) {
    struct skerry_control *control = skerry_control_of(owner);
    if (skerry_serves && has_served(pause)) return;
    // In a longer wait this thread announces that it polls for requests. Then other PEs need not interrupt this PE.
    if (skerry_serves && !(pause->at_end & SKERRY_AT_END_STOP_ATTENDING)) {
        skerry_begin_polling_requests();
        pause->at_end |= SKERRY_AT_END_STOP_ATTENDING;
        return;
    }
    if (pause->armed) {
        sleep_once(pause, control);
        return;
    }
    if (!pause->began) begin_slow_wait(pause);
    if (pause->elapsed < pause->budget) poll_on(pause);
    else if (pause->notified != pause->backed_off) nap_in_backoff(pause);
    else if (skerry_job.membarrier) announce(pause, control, owner);
    else nanosleep(&(struct timespec){.tv_nsec = NAP_NANOSECONDS}, NULL);
}

void skerry_pause_finish(const struct skerry_pause *pause) {
    if (pause->at_end & SKERRY_AT_END_LEARN) skerry_spin_budget_learn(pause->began, pause->elapsed, pause->budget);
    if (pause->at_end & SKERRY_AT_END_STOP_ATTENDING) skerry_stop_polling_requests();
}

uint64_t skerry_measure_ticks_per_second(void) {
    uint64_t began = skerry_nanoseconds();
    uint64_t first = skerry_ticks();
    while (skerry_nanoseconds() - began < 20000000) {
    }
    uint64_t ticks = skerry_ticks() - first;
    skerry_facts.ticks_per_second = ticks * 1000000000u / (skerry_nanoseconds() - began);
    return skerry_facts.ticks_per_second;
}
