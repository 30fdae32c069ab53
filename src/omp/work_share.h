// SPDX-License-Identifier: BSD-3-Clause
// Work-sharing constructs that need words of the team's: loops with other than static schedules known to the compiler, sections, scope.
// Those of a team form a list in the order in which its threads meet them, which is the same for all. A thread remembers the last
// one it has entered and goes on to the one behind; if there is none yet it adds it, by compare-swap, and sets it up. So threads may be any
// number of constructs apart. A thread that enters a construct counts itself off the one before, and the last to do so has that
// for later use: nobody will look at it any more. Model: test/model/work_share.pml.
//     next     NULL until the thread that comes first to the next construct adds that
//     ready    set when the construct is set up: a release, and looking an acquire, carry its constants
//     passed   threads that have entered the next one
#ifndef SKERRY_OMP_SHARE_H
#define SKERRY_OMP_SHARE_H

#include "group.h"

struct omp_doacross;

// Chunks of a loop that a thread has taken and not begun: the low half is the next one's number, the high half the end. The owner takes
// from the front, other threads from the back (schedule.c).
struct omp_range {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint64_t chunks;
};

struct omp_work_share {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) struct omp_work_share *next;
    uint32_t ready;
    // Constants of a loop. Iterations are counted from 0: iteration i has the value start + i * increment, modulo 2^64.
    uint32_t schedule; // enum omp_schedule, never runtime
    uint64_t iterations;
    uint64_t start, end, increment;
    uint64_t chunk;
    uint32_t chunks;       // of a dynamic loop whose threads have ranges, less the last one; else 0
    bool may_wrap;         // taken, if chunks were just added to it
    uintptr_t *reductions; // registered by the first thread
    void *memory;          // that the compiler has asked for
    struct omp_doacross *doacross;
    _Alignas(SKERRY_FALSE_SHARING_RANGE)
        uint64_t taken; // iterations that threads have, or more; where threads have ranges: chunks
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint32_t passed;
    _Alignas(SKERRY_FALSE_SHARING_RANGE)
        uint64_t ordered;      // the iteration whose ordered region is next, as far as chunks have ended
    struct omp_range ranges[]; // of each thread; all empty between constructs
};

// Enters the next construct. True: the caller is the first and has to set it up, and then call omp_work_share_ready.
bool skerry_omp_work_share_enter(struct omp_thread *self);

SKERRY_ALWAYS_INLINE void omp_work_share_ready(struct omp_thread *self) {
    skerry_store_release_32(&self->state.work_share->ready, 1, self->state.team->eventcount);
}

// The construct ends for this thread; what is left of it may still be looked at by others.
SKERRY_ALWAYS_INLINE void omp_work_share_leave(struct omp_thread *self) {
    self->state.work_share = NULL;
}

// What an entry of OpenMP 5.0 asks for beside a loop or sections: reductions for tasks, and zeroed memory for the construct.
void skerry_omp_work_share_extras(struct omp_thread *self, bool is_first, uintptr_t *reductions, void **memory);

// Sets a loop up. Runtime schedules are looked up here.
struct omp_loop {
    uint64_t start, end, increment;
    uint64_t chunk;
    uint32_t schedule;
    bool is_up;       // increment goes up; of unsigned loops
    bool is_unsigned; // of unsigned long long
};
void skerry_omp_loop_begin(struct omp_thread *self, const struct omp_loop *loop);
void skerry_omp_loop_set_up(struct omp_thread *self, const struct omp_loop *loop);

// The next chunk of this thread: iterations first .. last - 1. False: none.
struct omp_chunk {
    uint64_t first, last;
};
bool skerry_omp_next_static(struct omp_thread *self, struct omp_chunk *chunk);
bool skerry_omp_next_dynamic(struct omp_thread *self, struct omp_chunk *chunk);
bool skerry_omp_next_guided(struct omp_thread *self, struct omp_chunk *chunk);

SKERRY_ALWAYS_INLINE bool omp_next(struct omp_thread *self, uint32_t schedule, struct omp_chunk *chunk) {
    if (schedule == OMP_SCHEDULE_STATIC) return skerry_omp_next_static(self, chunk);
    if (schedule == OMP_SCHEDULE_GUIDED) return skerry_omp_next_guided(self, chunk);
    return skerry_omp_next_dynamic(self, chunk);
}

// ordered.c
void skerry_omp_ordered_chunk(struct omp_thread *self,
                              const struct omp_chunk *chunk); // has been given to this thread; NULL: none left

// reduction.c
void skerry_omp_reduction_register(struct omp_thread *self, uintptr_t *data, const uintptr_t *first, uint32_t threads);

#endif
