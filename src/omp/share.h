// SPDX-License-Identifier: BSD-3-Clause
// Work-sharing constructs that need a word of the team's: loops with other than static schedules known to the compiler, sections, scope.
// The constructs of a region are numbered from 1, by each thread for itself; construct n has place n modulo OMP_SHARES of the
// team's ring, so that threads may be that many constructs apart. A place's `turn` says what it is for:
//     2n - 1   free for construct n; who raises it to 2n, by compare-swap, sets the construct up
//     2n + 1   construct n is ready: its constants are there (a release and an acquire carry them)
// The last thread to leave construct n, by counting, frees the place for n + OMP_SHARES.
#ifndef SKERRY_OMP_SHARE_H
#define SKERRY_OMP_SHARE_H

#include "group.h"

struct omp_doacross;

struct omp_share {
    _Alignas(SKERRY_APART) uint64_t turn;
    // Constants of a loop. Iterations are counted from 0: iteration i has the value start + i * increment, modulo 2^64.
    uint64_t iterations;
    uint64_t start, end, increment;
    uint64_t chunk;
    uint32_t schedule;     // enum omp_schedule, never runtime
    uintptr_t *reductions; // registered by the first thread
    void *memory;          // that the compiler has asked for
    struct omp_doacross *doacross;
    _Alignas(SKERRY_APART) uint64_t next;    // the first iteration that nobody has
    _Alignas(SKERRY_APART) uint32_t left;    // threads that have left
    _Alignas(SKERRY_APART) uint64_t ordered; // the iteration whose ordered region is next, as far as chunks have ended
};

// Enters the next construct. True: the caller is the first and has to set it up, and then call omp_share_ready.
bool skerry_omp_share_enter(struct omp_thread *self);
void skerry_omp_share_leave(struct omp_thread *self);

SKERRY_HOT void omp_share_ready(struct omp_thread *self) {
    skerry_post(&self->state.share->turn, 2 * (uint64_t)self->state.member->shares + 1, self->state.team->bell);
}

// What an entry of OpenMP 5.0 asks for beside a loop or sections: reductions for tasks, and zeroed memory for the construct.
void skerry_omp_share_extras(struct omp_thread *self, bool is_first, uintptr_t *reductions, void **memory);

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

SKERRY_HOT bool omp_next(struct omp_thread *self, uint32_t schedule, struct omp_chunk *chunk) {
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
