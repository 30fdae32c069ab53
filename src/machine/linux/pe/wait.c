// SPDX-License-Identifier: BSD-3-Clause
// Implements the waits of a PE's threads. A thread that waits polls or yields until its spin budget is used up
// (spin_budget.c). Then it sleeps at the eventcount of the PE whose word it waits for (../eventcount.h). The two words
// of an eventcount, `sleeping` and `eventcount`, are in the control block of that PE (../job.h).
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../eventcount.h"
#include "../runnable.h"
#include "../spin_budget.h"
#include "internal.h"

#define YIELD_NANOSECONDS 1000000         // budget if oversubscribed: enough for a barrier of 1024 PEs on 2 processors
#define YIELD_MOST_NANOSECONDS 1000000000 // longest yield whose time is added to a budget
#define NAP_NANOSECONDS 100000            // length of a sleep if the kernel has no membarrier
#define SLEEP_NANOSECONDS 1000000         // limit of a wait's first sleep; it doubles with each sleep
#define SLEEP_DOUBLINGS 5
// The same in shmem_init and aos_init, before this PE has mapped the data of other PEs. There only the library stores to
// the word, and it notifies. With 32 PEs on each of 8 nodes this wait takes 0.3 s, in which each sleep costs 20 us.
#define FIRST_SLEEP_NANOSECONDS 4000000
#define FIRST_SLEEP_DOUBLINGS 6
#define POLLS_OF_A_CLOCK 16 // calls of skerry_polled for each reading of the clock
// A long wait reads the clock only once in this many polls. The first number is for polls with pauses, the second for
// polls without pauses. Reading the clock takes as long as several polls with pauses, or as dozens of polls without
// pauses.
#define PAUSES_OF_A_CLOCK 8u
#define QUICK_POLLS_OF_A_CLOCK 64u
#define POLL_NANOSECONDS 5000      // shortest time between two yields of skerry_polled, if its calls are a poll
#define CALLS_NANOSECONDS 100000   // shortest time between two yields of skerry_polled, if its calls are possibly work
#define TEST_NAP_NANOSECONDS 50000 // length of the sleep after a failed poll, if a yield would cost a time slice

// Returns true if the work of the other PEs that share this processor explains the length of the yield. If these PEs
// compute in turn, a yield lasts until each of them has had its turn. Each of them works for about as long as this PE
// has worked before the yield. If the yield lasted more than twice that time, the processor probably went to another
// program for a time slice.
static bool is_expected(struct skerry_yield yield) {
    return yield.took / 2 <= skerry_job.sharers * yield.worked;
}

// Returns true if a program other than this job possibly computes on this machine. This is so if the machine has more
// threads that can run (`runnable`) than PEs of this job that can run (`own`). A PE can run if it has a process and
// does not sleep in a wait. Also returns true if the kernel does not report the number of threads (`runnable` is not
// above 0). The function is called only after a yield that took a time slice, which is much longer.
static bool others_compute(void) {
    long runnable = skerry_runnable_threads(), own = 0;
    const uint8_t *can_run = skerry_first_control()->can_run;
    for (uint32_t i = 0; i < skerry_facts.near_count; i++) own += __atomic_load_n(&can_run[i], __ATOMIC_RELAXED);
    return runnable <= 0 || runnable > own;
}

// Yields the processor, and adapts later waits to the length of the yield. `now` is the time of the clock in
// nanoseconds.
static struct skerry_yield yield_processor(uint64_t now) {
    struct skerry_yield yield = skerry_yield_timed(now);
    skerry_learn_from_yield(yield.took > SKERRY_SLICE_NANOSECONDS && !is_expected(yield) && others_compute());
    return yield;
}

static void nap(long nanoseconds) {
    skerry_note_can_run(false);
    if (skerry_has_far_pes()) skerry_far_sleep(true);
    nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
    if (skerry_has_far_pes()) skerry_far_sleep(false);
    skerry_note_can_run(true);
}

void skerry_yield(void) {
    if (skerry_polls_requests) skerry_progress();
    if (!skerry_facts.oversubscribed) return;
    if (skerry_may_yield()) yield_processor(skerry_nanoseconds());
    else nap(TEST_NAP_NANOSECONDS);
}

// State of a thread for skerry_polled, which routines such as shmem_get call because a program can poll by them.
// `address` is the word that the routine read, or NULL if it read no word. Many calls in a row with the same address
// are a poll. Other calls are possibly work, such as a loop of gets. During such calls the thread yields so rarely that
// the yields take only some hundredths of the time.
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
    else if (is_poll) nap(TEST_NAP_NANOSECONDS);
    polled.yielded = skerry_nanoseconds();
}

void skerry_get_slowly(void *dest, const void *source, size_t bytes, int pe) {
    skerry_may_be_polling(source);
    if (skerry_is_near(pe)) skerry_copy(dest, skerry_global(source, pe), bytes);
    else skerry_far_get(dest, source, bytes, pe);
}

const void *skerry_load_slowly(const volatile void *source, size_t bytes, int pe) {
    skerry_may_be_polling(source);
    return skerry_is_near(pe) ? skerry_global(source, pe) : skerry_far_load(source, bytes, pe);
}

void skerry_wake_sleepers(int pe) {
    static SKERRY_PER_THREAD uint32_t fences;
    struct skerry_control *control = skerry_control_of(pe);
    if (!skerry_sleep_has_sleepers(&control->sleeping, &fences) || !skerry_sleep_claim(&control->sleeping)) return;
    skerry_eventcount_wake(&control->eventcount, INT_MAX, SKERRY_OF_ALL_PROCESSES);
}

bool skerry_fence_everywhere(void) {
    return skerry_job.membarrier && syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0) == 0;
}

static void announce(struct skerry_pause *pause, struct skerry_control *control, int owner) {
    __atomic_store_n(&skerry_control_of(skerry_facts.my_pe)->wait_target, (uint32_t)owner + 1, __ATOMIC_RELAXED);
    skerry_eventcount_announce(&pause->sleep, &control->sleeping, &control->eventcount, skerry_fence_everywhere);
}

static void sleep_once(struct skerry_pause *pause, struct skerry_control *control) {
    uint64_t limit = skerry_job_is_open()
                         ? skerry_eventcount_limit(&pause->sleep, SLEEP_NANOSECONDS, SLEEP_DOUBLINGS)
                         : skerry_eventcount_limit(&pause->sleep, FIRST_SLEEP_NANOSECONDS, FIRST_SLEEP_DOUBLINGS);
    skerry_note_can_run(false);
    if (skerry_has_far_pes()) {
        const uint64_t most = skerry_far_sleep(true);
        if (most < limit) limit = most;
    }
    skerry_eventcount_sleep(&pause->sleep, &control->sleeping, &control->eventcount, limit, SKERRY_OF_ALL_PROCESSES);
    if (skerry_has_far_pes()) skerry_far_sleep(false);
    skerry_note_can_run(true);
}

// Ends the job with a message, because a handler waits, which is not allowed. While a handler of a PE waits, that PE
// runs no other request. So two PEs whose handlers wait for each other's requests would wait for ever.
static void refuse_to_wait(void) {
    const char *name = skerry_handled_function;
    if (!name) skerry_refuse("a handler of an interrupt must not wait (oshcc --check names the routine that waits)");
    skerry_refuse("%s: a remote procedure must not wait (oshcc --check names the routine that waits)", name);
}

// Executes the part of a wait's step that concerns requests. Runs requests that have arrived. If a request has run,
// restarts the wait, because the next request possibly follows soon. If not, pauses if this is one of the wait's first
// steps. Returns true if the step is finished, and false if the caller must poll on, yield or sleep.
static bool has_run_requests(struct skerry_pause *pause) {
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

// Ends the job if this PE waits before shmem_init or aos_init. Before these routines are called, no other PE can store
// to the word, so the wait would never end.
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

// Executes the part of a wait's step that concerns the network: sends and receives messages. If the network had work,
// restarts the wait and returns true. Reason: the next message possibly follows soon, and a thread that polls executes
// a message sooner than the network's helper thread. A poll of the network takes longer than the pauses between two
// polls. So the waits of a job of several nodes have no pauses (skerry_far_begin).
static bool has_network_progress(struct skerry_pause *pause) {
    if (!skerry_far_progress()) return false;
    skerry_pause_again(pause);
    return true;
}

void skerry_pause_slow(struct skerry_pause *pause, int owner) {
    struct skerry_control *control = skerry_control_of(owner);
    if (skerry_has_far_pes() && has_network_progress(pause)) return;
    if (skerry_polls_requests && has_run_requests(pause)) return;
    // After its first steps, a wait announces to other PEs that this thread polls for requests. So they need not
    // interrupt this PE.
    if (skerry_polls_requests && !(pause->at_end & SKERRY_AT_END_STOP_POLLING)) {
        skerry_begin_polling_requests();
        pause->at_end |= SKERRY_AT_END_STOP_POLLING;
        return;
    }
    if (pause->sleep.armed) {
        sleep_once(pause, control);
        return;
    }
    if (!pause->began) begin_slow_wait(pause);
    if (pause->elapsed < pause->budget) poll_on(pause);
    else if (skerry_eventcount_backs_off(&pause->sleep)) nap(skerry_eventcount_backoff(&pause->sleep));
    else if (skerry_job.membarrier) announce(pause, control, owner);
    else nap(NAP_NANOSECONDS);
}

void skerry_pause_finish(const struct skerry_pause *pause) {
    if (pause->at_end & SKERRY_AT_END_LEARN) skerry_spin_budget_learn(pause->began, pause->elapsed, pause->budget);
    if (pause->at_end & SKERRY_AT_END_STOP_POLLING) skerry_stop_polling_requests();
}

// Times of the clock in nanoseconds and of the tick counter at the start of the process.
static uint64_t start_nanoseconds, start_ticks;

__attribute__((constructor)) static void note_start(void) {
    start_nanoseconds = skerry_nanoseconds();
    start_ticks = skerry_ticks();
}

#define MEASURED_NANOSECONDS 20000000 // shortest time over which the two clocks are compared

uint64_t skerry_measure_ticks_per_second(void) {
    uint64_t now;
    while ((now = skerry_nanoseconds()) - start_nanoseconds < MEASURED_NANOSECONDS) {
    }
    const double ticks = (double)(skerry_ticks() - start_ticks);
    skerry_facts.ticks_per_second = (uint64_t)(ticks * 1e9 / (double)(now - start_nanoseconds));
    return skerry_facts.ticks_per_second;
}
