// SPDX-License-Identifier: BSD-3-Clause
// Declares what the files of the small OpenMP runtime share. The runtime is for machines whose PEs are cores with a few
// tens of KB of memory each. Each core has one thread, and thread n of a region is PE n (docs/design/openmp-chip.md).
//
// Memory:
// * An ordinary variable of this runtime lies in each core's memory, at the same short address. Only its core loads it.
//   Other cores at most store to it, at the global address.
// * A variable declared SKERRY_SHARED_WORD lies once, in the memory of the first core, which is thread 0.
// * The stacks have global addresses. The program's static variables lie in the memory of the first core.
//
// Order: the stores of one core to the memory of another core arrive in order. A load ends before the core's next
// instruction begins. Everything else is the task of skerry_omp_meet (meet.c).
#ifndef SKERRY_OMP_SMALL_SMALL_H
#define SKERRY_OMP_SMALL_SMALL_H

#include "../../machine/machine.h"
#include SKERRY_SMALL_CORE_HEADER

#define OMP_INLINE static inline __attribute__((always_inline, unused))
#define OMP_LIKELY(condition) __builtin_expect(condition, 1)
#define OMP_THREADS_MAX 64

typedef void omp_function(void *data);

enum {
    OMP_STATIC = 1,
    OMP_DYNAMIC,
    OMP_GUIDED,
    OMP_AUTO,
    OMP_RUNTIME
};                                // schedules of loops; all but the last as in omp.h
#define OMP_MONOTONIC 0x80000000u // a bit beside a schedule

// A loop that asks the runtime for iterations (loop.c). A position is the distance of an iteration from the loop's start.
struct omp_loop {
    uint64_t start;
    uint64_t length; // position of the loop's end
    uint64_t step;   // distance of two iterations
    uint64_t chunk;  // distance of two chunks; 0: static, with one chunk for each thread
    uint32_t schedule;
    bool is_down, is_ordered;
};

// What a construct that combines a region with a loop or with sections tells the region's threads.
struct omp_combined {
    struct omp_loop loop;
    unsigned sections;
};

// Control variables. OpenMP gives each task its own. Here a region's threads begin with those of the program, and a thread
// that changes them gets its own until the region ends.
struct omp_settings {
    uint32_t threads; // of the next region, which has at most one for each core
    uint32_t schedule;
    unsigned long chunk;
};
extern struct omp_settings skerry_omp_settings; // the program's

// The state of this core's thread. No other core accesses it.
extern struct omp_self {
    uint32_t thread, threads; // the thread's number in the innermost region, and the number of this region's threads
    uint32_t level;           // number of regions around the program's current place
    uint32_t active_level;    // number of those with more than one thread: 0 or 1, because nested regions are serial
    uint32_t work_shares;     // number of loops with a work share that the thread has begun in the region (loop.c)
    bool has_begun;           // in a region that is combined with a loop or sections: the thread has begun these
    bool is_final;            // the innermost task is final
    bool has_warned;          // the thread has warned of a region with fewer threads than the program asks for
    struct omp_settings *settings;
    struct omp_task *task;           // the innermost explicit task; NULL: the thread is in its implicit task
    unsigned sections, next_section; // of the sections construct in which the thread is: their number, and its next one
    struct omp_loop loop;            // the loop in which the thread is
    uint64_t position;               // of its next chunk, if the schedule is static
    uint32_t chunk_number;           // of its chunk, in the order of the iterations, if the loop is ordered
    bool has_chunk;
} skerry_omp_self;

struct omp_settings *skerry_omp_own_settings(void); // for a change

// Return what the region in which the thread is, and the region that the thread is about to start, are combined with. For
// regions that are not nested it is in the first core's memory, and for nested regions in the thread's own core.
struct omp_combined *skerry_omp_combined(void);
struct omp_combined *skerry_omp_combined_below(void);

// Returns when all threads of the region have called it. Then all stores that these threads made before are visible to
// all threads. The region has at least 2 threads. The linker script chooses one of the functions below: those with tasks
// for programs with tasks, and the external ones for programs that share data in external memory.
void skerry_omp_meet(void);
void skerry_omp_meet_here(void);
void skerry_omp_meet_external(void);
void skerry_omp_meet_with_tasks(void);
void skerry_omp_meet_with_tasks_external(void);

// A task, described on the stack of the thread that runs it.
struct omp_task {
    uint32_t children; // that other threads have, and that have not ended; only the task's own thread uses this word
    uint32_t groups;   // number of taskgroups in which the task is
    uint32_t
        cores; // bit c % 32: the task may share variables on the stack of core c; bit 0 is set, for static variables
};

// What the barrier needs to know of tasks. `were_made`: a thread has given a task to another since the last barrier. The
// first thread that does so sets the word of all threads. `has_told`: this thread need not set these words, because it has
// done so, or because a thread whose task it has run has done so. A thread sets these words only before it announces
// itself, so they have arrived when a thread has all announcements.
extern struct omp_tasks {
    volatile uint8_t were_made;
    bool has_told;
    bool may_give;            // this thread has prepared itself for giving tasks since the last barrier
    struct omp_task implicit; // the implicit task of this core's thread
} skerry_omp_tasks;

void skerry_omp_end_tasks(void); // returns when the children of the implicit task have ended
bool skerry_omp_run_any(void);   // runs a task of another thread, if there is one for this thread

// Prepares the calling thread for regions with this number of threads.
void skerry_omp_meet_set_up(uint32_t threads);

// Completes the calling core's stores to external memory, in programs that share data there (linker script).
void skerry_omp_complete_external(void);

void GOMP_barrier(void);
void GOMP_parallel(omp_function *function, void *data, unsigned threads, unsigned flags);
bool skerry_omp_is_serial(void);                    // true if the program is outside all regions
SKERRY_NORETURN void skerry_omp_begin_worker(void); // runs regions on a core that is not the first
void skerry_omp_begin(void) SKERRY_COLD; // reads the environment variables; the first core calls it before main

// Warn, once, that a region has as many threads as there are cores instead of `wanted`, and that nested regions have one.
void skerry_omp_warn_of_fewer(uint32_t wanted) SKERRY_COLD;
void skerry_omp_warn_of_nesting(void) SKERRY_COLD;

uint32_t skerry_omp_team_threads(void); // of the region at level 1 in which the thread is

// Makes the work shares of the last region free again. Called between regions, if work_shares of thread 0 is not 0.
void skerry_omp_loops_begin(void);

// Divides, in some 500 cycles. Returns 0 if the divisor is 0. The machine has no instruction for it, and the compiler's
// function for 64 bits would be larger.
uint64_t skerry_omp_divide(uint64_t dividend, uint64_t divisor);

// Acquires the lock: sets the word from 0 to 1.
OMP_INLINE void omp_acquire(volatile uint32_t *lock) {
    while (skerry_test_and_set(lock) != 0) continue;
}

// Releases the lock. The store to the lock's core arrives after all earlier stores of this core to that core.
OMP_INLINE void omp_release(volatile uint32_t *lock) {
    skerry_compiler_fence();
    *lock = 0;
}

#endif
