// SPDX-License-Identifier: BSD-3-Clause
// Parallel regions. The master stores one double word, the region's function and the address of its data, into the mailbox
// of each other thread. Then it runs the function too. The region ends when all threads have met (meet.c).
//
// * Only thread 0 starts regions with more than one thread. A nested region is serial.
// * A thread clears its mailbox before it runs the function. The master stores the next region only after the threads have
//   met at the end of this one, which is after that.
// * The region's data are in the master's memory, where they are complete when the mailbox is written. Data in external
//   memory must have arrived before that.
#include "small.h"

struct omp_self skerry_omp_self = {.threads = 1, .settings = &skerry_omp_settings};
struct omp_settings skerry_omp_settings SKERRY_SHARED_WORD;

static struct omp_combined combined SKERRY_SHARED_WORD;
static struct omp_combined combined_here; // of nested regions of this thread

struct omp_settings *skerry_omp_own_settings(void) {
    static struct omp_settings own;
    struct omp_self *self = &skerry_omp_self;
    if (self->level > 0 && self->settings == &skerry_omp_settings) {
        own = skerry_omp_settings;
        self->settings = &own;
    }
    return self->settings;
}

struct omp_combined *skerry_omp_combined(void) {
    return skerry_omp_self.level <= 1 ? &combined : &combined_here;
}

struct omp_combined *skerry_omp_combined_below(void) {
    return skerry_omp_self.level == 0 ? &combined : &combined_here;
}

#pragma weak skerry_omp_loops_begin // only programs with such loops have this function

// The master stores to these words of each thread. `threads`: the number of threads of the next region. `region`: address
// of the function, and in the upper half of the data; 0: no region.
static struct {
    volatile uint64_t region;
    volatile uint32_t threads;
} mailbox;

static uint32_t prepared;                                         // number of threads for which this thread is prepared
static _Alignas(8) volatile uint64_t *mailboxes[OMP_THREADS_MAX]; // of the other threads of a region, for the master

OMP_INLINE void enter(struct omp_self *self, uint32_t thread, uint32_t threads) {
    self->thread = thread;
    self->threads = threads;
    self->level++;
    self->active_level += threads > 1;
    self->has_begun = false;
    self->task = NULL;
    self->is_final = false;
}

// Prepares all threads for regions of `threads` threads.
static void prepare(uint32_t threads) {
    for (uint32_t i = 1; i < threads; i++) {
        volatile uint64_t *to = skerry_global(&mailbox.region, (int)i);
        mailboxes[i - 1] = to;
        *(volatile uint32_t *)skerry_global(&mailbox.threads, (int)i) = threads;
    }
    mailboxes[threads - 1] = &mailbox.region; // the master stores to an even number of mailboxes; its own is not read
    skerry_omp_meet_set_up(threads);
    prepared = threads;
}

// Ends the state of a region that is not nested.
OMP_INLINE void leave(struct omp_self *self) {
    self->threads = 1;
    self->level = 0;
    self->active_level = 0;
    self->settings = &skerry_omp_settings;
}

// Runs a region with one thread, inside or outside another region.
static __attribute__((noinline)) void run_serially(omp_function *function, void *data) {
    struct omp_self *self = &skerry_omp_self;
    if (self->level == 0 && !self->task) {
        enter(self, 0, 1);
        function(data);
        leave(self);
        return;
    }
    const struct omp_self before = *self;
    enter(self, 0, 1);
    function(data);
    *self = before;
}

// Returns the number of threads of a region for which the program asks for `threads` threads; 0: it does not say.
static uint32_t choose(unsigned threads) {
    const struct omp_self *self = &skerry_omp_self;
    if (self->level > 0) return 1;
    if (threads == 0) threads = self->settings->threads;
    const uint32_t cores = (uint32_t)skerry_pe_count();
    if (OMP_LIKELY(threads <= cores)) return threads;
    if (!self->has_warned) skerry_omp_warn_of_fewer(threads);
    return cores;
}

void GOMP_parallel(omp_function *function, void *data, unsigned threads, unsigned flags) {
    (void)flags; // they say to which processors the threads should be bound
    struct omp_self *self = &skerry_omp_self;
    const uint32_t count = choose(threads);
    if (count == 1) return run_serially(function, data);
    if (count != prepared) prepare(count);
    skerry_omp_complete_external();
    if (self->work_shares != 0) skerry_omp_loops_begin();
    skerry_compiler_fence();
    const uint64_t region = (uint64_t)(uint32_t)(uintptr_t)data << 32 | (uint32_t)(uintptr_t)function;
    const uint64_t *two = (const uint64_t *)(const void *)mailboxes;
    for (uint32_t left = count; (int32_t)left > 1; left -= 2) {
        const uint64_t both = *two++;
        *(volatile uint64_t *)(uintptr_t)(uint32_t)both = region;
        *(volatile uint64_t *)(uintptr_t)(uint32_t)(both >> 32) = region;
    }
    enter(self, 0, count);
    self->work_shares = 0;
    function(data);
    skerry_omp_meet();
    leave(self);
}

void skerry_omp_begin_worker(void) {
    struct omp_self *self = &skerry_omp_self;
    const uint32_t me = (uint32_t)skerry_my_pe();
    for (;;) {
        uint64_t region;
        while ((region = mailbox.region) == 0) continue;
        mailbox.region = 0;
        if (mailbox.threads != prepared) {
            prepared = mailbox.threads;
            skerry_omp_meet_set_up(prepared);
        }
        self->level = 0;
        self->active_level = 0;
        self->settings = &skerry_omp_settings;
        enter(self, me, prepared);
        self->work_shares = 0;
        ((omp_function *)(uintptr_t)(uint32_t)region)((void *)(uintptr_t)(uint32_t)(region >> 32));
        skerry_omp_meet();
    }
}

bool skerry_omp_is_serial(void) {
    return skerry_omp_self.level == 0;
}

uint32_t skerry_omp_team_threads(void) {
    return prepared;
}

void GOMP_barrier(void) {
    if (skerry_omp_self.threads > 1) skerry_omp_meet();
}

// Stands for skerry_omp_complete_external in programs that share no data in external memory.
void skerry_omp_nothing(void);
void skerry_omp_nothing(void) {
}
