// SPDX-License-Identifier: BSD-3-Clause
// Declares the work-sharing constructs in which threads share words: sections, scope and loops. A loop whose static
// schedule the compiler computes shares no words. The constructs of a team form a list, in the order in which all
// threads execute them. Each thread has a pointer to the node of the last construct that it entered. A thread can be
// any number of constructs ahead of another thread.
//
// How nodes are added and removed:
// * A thread that enters the next construct moves its pointer to the next node. If there is no next node, the thread
//   adds one by compare-swap, and sets the construct up.
// * A thread that enters a construct adds 1 to `passed` of the node before. When all threads have done this, no thread
//   will read that node any more. The last thread that adds 1 keeps the node as a spare node for a later construct.
//
// test/model/work_share.pml is a model of this protocol.
#ifndef SKERRY_OMP_SHARE_H
#define SKERRY_OMP_SHARE_H

#include "../task/group.h"

struct omp_doacross;

// A range: chunks of a loop that a thread has taken but not begun. The low half of `chunks` is the number of the first
// of these chunks. The high half is the number of the last of these chunks plus 1. The thread that owns the range takes
// chunks at its beginning, and other threads steal chunks at its end (schedule.c).
struct omp_range {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint64_t chunks;
};

struct omp_work_share {
    // NULL until the first thread that enters the next construct adds its node.
    _Alignas(SKERRY_FALSE_SHARING_RANGE) struct omp_work_share *next;
    // 1 when the construct is set up. The store is a release and the load an acquire: a thread that sees 1 also sees
    // the construct's constants.
    uint32_t ready;
    // Constants of a loop. Iterations are counted from 0: in iteration i the loop variable is start + i * increment,
    // modulo 2^64.
    uint32_t schedule; // enum omp_schedule, but never OMP_SCHEDULE_RUNTIME
    uint64_t iterations;
    uint64_t start, end, increment;
    uint64_t chunk;
    uint32_t chunks;       // number of chunks except the last one if threads have ranges; else 0
    bool may_wrap;         // `taken` could exceed 2^64 if threads added to it without a check
    uintptr_t *reductions; // array of reductions that the first thread registered
    void *memory;          // zeroed memory, of the size that the compiled program asked for
    struct omp_doacross *doacross;
    // The chunks that threads have taken or tried to take. If threads have no ranges: the number of iterations in these
    // chunks, which can exceed `iterations`. If threads have ranges: the number of these chunks, and in bit 63 a 1 if
    // the last chunk is taken.
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint64_t taken;
    // Number of threads that have entered the next construct.
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint32_t passed;
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint64_t ordered; // first iteration of the chunk whose turn it is (ordered.c)
    struct omp_range ranges[];                             // one range for each thread; empty between constructs
};

// Enters the thread's next work-sharing construct. Returns true in the first thread that enters the construct. This
// thread must set the construct up, and then call omp_work_share_ready. In each other thread the function waits until
// the first thread has called omp_work_share_ready, and returns false.
bool skerry_omp_work_share_enter(struct omp_thread *self);

SKERRY_ALWAYS_INLINE void omp_work_share_ready(struct omp_thread *self) {
    skerry_store_release_32(&self->state.work_share->ready, 1, self->state.team->eventcount);
}

// Ends the construct for this thread. Other threads can still use the construct's node.
SKERRY_ALWAYS_INLINE void omp_work_share_leave(struct omp_thread *self) {
    self->state.work_share = NULL;
}

// Does two things that some entry points of OpenMP 5.0 require for a construct. If `reductions` is not NULL, registers
// reductions for the construct's tasks. If `memory` is not NULL, allocates zeroed memory that all threads of the
// construct share. *memory contains its size in bytes, and the function replaces the size by the address.
void skerry_omp_work_share_extras(struct omp_thread *self, bool is_first, uintptr_t *reductions, void **memory);

// skerry_omp_loop_begin enters a loop. If this thread is the first that enters the loop, the function also sets the
// loop up. skerry_omp_loop_set_up only sets the loop up. Both replace schedule(runtime) by the schedule in the control
// variables (ICVs).
struct omp_loop {
    uint64_t start, end, increment;
    uint64_t chunk;
    uint32_t schedule;
    bool is_up;       // the increment is positive; used only for loops that count in unsigned long long
    bool is_unsigned; // the loop counts in unsigned long long
};
void skerry_omp_loop_begin(struct omp_thread *self, const struct omp_loop *loop);
void skerry_omp_loop_set_up(struct omp_thread *self, const struct omp_loop *loop);

// A chunk: iterations `first` to `last` - 1 of a loop. Each of the functions below takes the thread's next chunk of the
// loop and stores the chunk to *chunk. It returns false if no chunk is left for the thread.
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

// Defined in ordered.c:
// Records that this thread has taken `chunk` of a loop with ordered regions. `chunk` is NULL if no chunk was left for
// the thread.
void skerry_omp_ordered_chunk(struct omp_thread *self, const struct omp_chunk *chunk);

// Defined in reduction.c:
void skerry_omp_reduction_register(struct omp_thread *self, uintptr_t *data, const uintptr_t *first, uint32_t threads);

#endif
