// SPDX-License-Identifier: BSD-3-Clause
// Work-sharing constructs that need shared words: sections, scope, and loops other than those whose static schedule the
// compiler computes. The constructs of a team form a list in the order in which its threads meet them, which is the
// same for all threads. A thread remembers the last construct that it entered and goes on to the next in the list. If
// there is none yet, the thread adds one by compare-swap and sets it up. So threads may be any number of constructs
// apart. A thread that enters a construct adds itself to `passed` of the one before. The last thread to do so keeps
// that node as a spare, because no thread will read it any more. Model: test/model/work_share.pml.
//     next     NULL until the first thread at the next construct adds it
//     ready    set when the construct is set up. The store is a release and the load an acquire: they carry
//              the constants
//     passed   number of threads that entered the next construct
#ifndef SKERRY_OMP_SHARE_H
#define SKERRY_OMP_SHARE_H

#include "group.h"

struct omp_doacross;

// Chunks of a loop that a thread took and has not begun. The low half is the number of the next chunk, the high half
// the end of the range. The owner takes chunks from the front, other threads steal from the end (schedule.c).
struct omp_range {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint64_t chunks;
};

struct omp_work_share {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) struct omp_work_share *next;
    uint32_t ready;
    // Constants of a loop. Iterations are counted from 0: iteration i has the value start + i * increment, modulo 2^64.
    uint32_t schedule; // enum omp_schedule, but never OMP_SCHEDULE_RUNTIME
    uint64_t iterations;
    uint64_t start, end, increment;
    uint64_t chunk;
    uint32_t chunks;       // if threads have ranges: number of chunks without the last one; else 0
    bool may_wrap;         // `taken` could pass 2^64 if threads just added chunks to it
    uintptr_t *reductions; // registered by the first thread
    void *memory;          // zeroed memory that the compiler asked for
    struct omp_doacross *doacross;
    // Without ranges: number of iterations given to threads, or more. With ranges: number of chunks.
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint64_t taken;
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint32_t passed;
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint64_t ordered; // first iteration of the chunk whose turn it is (ordered.c)
    struct omp_range ranges[];                             // one for each thread; all empty between constructs
};

// Enters the next construct. Returns true to the first thread, which has to set the construct up and then call
// omp_work_share_ready.
bool skerry_omp_work_share_enter(struct omp_thread *self);

SKERRY_ALWAYS_INLINE void omp_work_share_ready(struct omp_thread *self) {
    skerry_store_release_32(&self->state.work_share->ready, 1, self->state.team->eventcount);
}

// Ends the construct for this thread. Other threads may still use its node.
SKERRY_ALWAYS_INLINE void omp_work_share_leave(struct omp_thread *self) {
    self->state.work_share = NULL;
}

// Gives a construct what an entry point of OpenMP 5.0 asks for: reductions for tasks, and zeroed memory. `*memory` is
// the number of bytes at the call and the address afterwards.
void skerry_omp_work_share_extras(struct omp_thread *self, bool is_first, uintptr_t *reductions, void **memory);

// Both set a loop up; schedule(runtime) is replaced by the schedule of the control variable. skerry_omp_loop_begin
// enters the construct first.
struct omp_loop {
    uint64_t start, end, increment;
    uint64_t chunk;
    uint32_t schedule;
    bool is_up;       // for unsigned loops: the increment is positive
    bool is_unsigned; // the loop counts in unsigned long long
};
void skerry_omp_loop_begin(struct omp_thread *self, const struct omp_loop *loop);
void skerry_omp_loop_set_up(struct omp_thread *self, const struct omp_loop *loop);

// Each stores the next chunk of this thread, iterations first .. last - 1. Returns false if there is none.
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

// ordered.c: says that `chunk` was given to this thread; NULL: no chunk was left.
void skerry_omp_ordered_chunk(struct omp_thread *self, const struct omp_chunk *chunk);

// reduction.c
void skerry_omp_reduction_register(struct omp_thread *self, uintptr_t *data, const uintptr_t *first, uint32_t threads);

#endif
