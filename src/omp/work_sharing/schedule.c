// SPDX-License-Identifier: BSD-3-Clause
// Distributes a loop's iterations to threads. In this file iterations are numbered from 0, in 64 bits, for every type
// of the loop variable. With a dynamic schedule threads take chunks by adding to one word. If the sum of these
// additions could exceed 2^64, the threads use compare-swap instead.
#include "work_share.h"

static uint64_t count_iterations(const struct omp_loop *loop) {
    uint64_t span, step;
    if (loop->is_unsigned ? loop->is_up : (int64_t)loop->increment > 0) {
        bool is_empty = loop->is_unsigned ? loop->start >= loop->end : (int64_t)loop->start >= (int64_t)loop->end;
        if (is_empty) return 0;
        span = loop->end - loop->start;
        step = loop->increment;
    } else {
        bool is_empty = loop->is_unsigned ? loop->start <= loop->end : (int64_t)loop->start <= (int64_t)loop->end;
        if (is_empty) return 0;
        span = loop->start - loop->end;
        step = 0 - loop->increment;
    }
    return step ? (span - 1) / step + 1 : 0;
}

// Returns the number of chunks that threads take from ranges (struct omp_range): the number of all chunks of the loop
// except the last one. Returns 0 if this number is 2^31 - 1 or more, and the loop then uses no ranges. The reason: a
// range stores a chunk's number in each of its halves of 32 bits. An addition to one half must not overflow into the
// other half.
static uint32_t chunks_of_ranges(uint64_t iterations, uint64_t chunk) {
    uint64_t before_last = iterations ? (iterations - 1) / chunk : 0;
    return before_last < INT32_MAX ? (uint32_t)before_last : 0;
}

void skerry_omp_loop_set_up(struct omp_thread *self, const struct omp_loop *loop) {
    struct omp_work_share *work_share = self->state.work_share;
    const uint32_t flags = OMP_SCHEDULE_MONOTONIC | OMP_SCHEDULE_ANY_ORDER;
    bool any_order = (loop->schedule & flags) == OMP_SCHEDULE_ANY_ORDER;
    uint32_t schedule = loop->schedule & ~flags;
    uint64_t chunk = loop->chunk;
    if (schedule == OMP_SCHEDULE_RUNTIME) {
        const struct omp_icv *icv = self->state.task->icv;
        any_order &= !(icv->schedule & OMP_SCHEDULE_MONOTONIC);
        schedule = icv->schedule & ~OMP_SCHEDULE_MONOTONIC;
        chunk = icv->chunk > 0 ? (uint64_t)icv->chunk : 0;
    }
    if (schedule == OMP_SCHEDULE_AUTO || schedule == OMP_SCHEDULE_RUNTIME) {
        schedule = OMP_SCHEDULE_STATIC;
        chunk = 0;
    }
    if (chunk == 0 && schedule != OMP_SCHEDULE_STATIC) chunk = 1;
    work_share->iterations = count_iterations(loop);
    work_share->schedule = schedule;
    any_order &= schedule == OMP_SCHEDULE_DYNAMIC && self->state.team->threads > 1;
    work_share->chunks = any_order ? chunks_of_ranges(work_share->iterations, chunk) : 0;
    work_share->start = loop->start;
    work_share->end = loop->end;
    work_share->increment = loop->increment;
    work_share->chunk = chunk;
    work_share->may_wrap = chunk > (UINT64_MAX - work_share->iterations) / (self->state.team->threads + 1);
    __atomic_store_n(&work_share->taken, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&work_share->ordered, 0, __ATOMIC_RELAXED);
}

void skerry_omp_loop_begin(struct omp_thread *self, const struct omp_loop *loop) {
    if (!skerry_omp_work_share_enter(self)) return;
    skerry_omp_loop_set_up(self, loop);
    omp_work_share_ready(self);
}

// Stores the thread's next chunk of a static loop. Without a chunk size each thread gets one part of the iterations. If
// the iterations cannot be divided evenly, the first threads get one iteration more than the others. With a chunk size,
// thread t of n threads gets chunks t, t + n, t + 2n and so on.
bool skerry_omp_next_static(struct omp_thread *self, struct omp_chunk *chunk) {
    const struct omp_work_share *work_share = self->state.work_share;
    uint64_t threads = omp_threads(self), me = self->state.thread_number;
    uint64_t chunk_count = self->state.chunk_count++;
    if (work_share->chunk == 0) {
        if (chunk_count) return false;
        uint64_t part = work_share->iterations / threads, more = work_share->iterations % threads;
        chunk->first = me * part + (me < more ? me : more);
        chunk->last = chunk->first + part + (me < more);
        return chunk->first < chunk->last;
    }
    uint64_t number = chunk_count * threads + me;
    if (number > (work_share->iterations - 1) / work_share->chunk || work_share->iterations == 0) {
        self->state.chunk_count--;
        return false;
    }
    chunk->first = number * work_share->chunk;
    uint64_t left = work_share->iterations - chunk->first;
    chunk->last = chunk->first + (left < work_share->chunk ? left : work_share->chunk);
    return true;
}

// -- Dynamic, in any order ---------------------------------------------------------------------------------------------

// If all threads took every chunk from one word, the word's cache line would move to another processor for each chunk.
// A thread therefore takes a batch of several chunks at once. ranges[i] belongs to thread i. It contains the chunks of
// the thread's batch that the thread has not begun. A thread that finds no batch left steals half of another thread's
// range.
//
// Why no chunk is taken twice:
// * Thread i adds 1 to the first number of ranges[i] to take the first chunk. It stores a new range if ranges[i] is
//   empty.
// * Other threads steal by a compare-swap that lowers the end of a range that is not empty.
// * A chunk is in at most one range at a time and never returns to a range that it has left. If a compare-swap
//   succeeds, the range has therefore not changed since the thief (the thread that steals) read it.
// * The owner can add 1 to a range that a thief has just emptied. The first number is then above the end, which also
//   means empty. The owner notices this, and stores a new range before it adds again.
// * All accesses are relaxed, because a chunk transfers no data from one thread to another.
//
// test/model/ranges.pml is a model of this protocol.
#define BATCH_MOST 32
#define LAST_IS_TAKEN (UINT64_C(1) << 63) // bit of omp_work_share.taken
#define NOTHING_LEFT UINT64_MAX           // value of omp_state.chunk_count

SKERRY_ALWAYS_INLINE uint32_t range_first(uint64_t range) {
    return (uint32_t)range;
}

SKERRY_ALWAYS_INLINE uint32_t range_end(uint64_t range) {
    return (uint32_t)(range >> 32);
}

// Stores the chunks number + 1 to end - 1 as the thread's own range. The thread runs chunk `number` now, so this chunk
// is not in the range.
SKERRY_ALWAYS_INLINE void keep_range(uint64_t *own, uint32_t number, uint32_t end) {
    if (number + 1 < end) __atomic_store_n(own, (uint64_t)end << 32 | (number + 1), __ATOMIC_RELAXED);
}

static bool take_batch(struct omp_thread *self, struct omp_work_share *work_share, uint32_t *number) {
    const uint32_t count = work_share->chunks;
    // The size of a batch is the number of chunks that are left, divided by twice the number of threads. A load of
    // `taken`, the number of chunks that all threads have taken, would be slow here. The thread therefore uses
    // chunk_count, the end of its own last batch, as an estimate of this number.
    uint32_t batch = (count - (uint32_t)self->state.chunk_count) / (2 * self->state.team->threads);
    if (batch > BATCH_MOST) batch = BATCH_MOST;
    if (batch == 0) batch = 1;
    uint64_t first = __atomic_fetch_add(&work_share->taken, batch, __ATOMIC_RELAXED);
    if (first >= count) {
        self->state.chunk_count = count;
        return false;
    }
    uint64_t end = first + batch < count ? first + batch : count;
    self->state.chunk_count = end;
    *number = (uint32_t)first;
    keep_range(&work_share->ranges[self->state.thread_number].chunks, *number, (uint32_t)end);
    return true;
}

static bool steal_chunks(struct omp_thread *self, struct omp_work_share *work_share, uint32_t *number) {
    uint32_t threads = omp_threads(self), me = self->state.thread_number;
    for (uint32_t i = 1; i < threads; i++) {
        uint32_t victim = me + i < threads ? me + i : me + i - threads;
        uint64_t *theirs = &work_share->ranges[victim].chunks, range = __atomic_load_n(theirs, __ATOMIC_RELAXED);
        while (range_first(range) < range_end(range)) {
            uint32_t end = range_end(range), first = end - (end - range_first(range) + 1) / 2;
            uint64_t rest = (uint64_t)first << 32 | range_first(range);
            if (!__atomic_compare_exchange_n(theirs, &range, rest, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) continue;
            *number = first;
            keep_range(&work_share->ranges[me].chunks, first, end);
            return true;
        }
    }
    return false;
}

// Takes the last chunk of the loop, which is in no range. The first thread that finds no other chunk takes the last
// chunk, and gets no further chunk. GCC's code for lastprivate requires this: after the loop each thread compares the
// end of the chunk that it ran last with the end of the loop.
static bool take_last(struct omp_thread *self, struct omp_work_share *work_share, uint32_t *number) {
    self->state.chunk_count = NOTHING_LEFT;
    if (__atomic_load_n(&work_share->taken, __ATOMIC_RELAXED) & LAST_IS_TAKEN) return false;
    *number = work_share->chunks;
    return !(__atomic_fetch_or(&work_share->taken, LAST_IS_TAKEN, __ATOMIC_RELAXED) & LAST_IS_TAKEN);
}

static SKERRY_COLD bool refill(struct omp_thread *self, struct omp_work_share *work_share, uint32_t *number) {
    if (self->state.chunk_count == NOTHING_LEFT) return false;
    if (self->state.chunk_count < work_share->chunks && take_batch(self, work_share, number)) return true;
    return steal_chunks(self, work_share, number) || take_last(self, work_share, number);
}

SKERRY_ALWAYS_INLINE bool next_of_range(struct omp_thread *self, struct omp_work_share *work_share,
                                        struct omp_chunk *chunk) {
    uint64_t *own = &work_share->ranges[self->state.thread_number].chunks,
             range = __atomic_load_n(own, __ATOMIC_RELAXED);
    uint32_t number = 0;
    if (range_first(range) < range_end(range)) range = __atomic_fetch_add(own, 1, __ATOMIC_RELAXED);
    if (OMP_LIKELY(range_first(range) < range_end(range))) number = range_first(range);
    else if (!refill(self, work_share, &number)) return false;
    chunk->first = number * work_share->chunk;
    uint64_t left = work_share->iterations - chunk->first;
    chunk->last = chunk->first + (left < work_share->chunk ? left : work_share->chunk);
    return true;
}

// -- Dynamic and guided, by one word -----------------------------------------------------------------------------------

static bool take_exactly(struct omp_work_share *work_share, uint64_t *first) {
    uint64_t next;
    *first = __atomic_load_n(&work_share->taken, __ATOMIC_RELAXED);
    do {
        if (*first >= work_share->iterations) return false;
        next =
            work_share->iterations - *first <= work_share->chunk ? work_share->iterations : *first + work_share->chunk;
    } while (!__atomic_compare_exchange_n(&work_share->taken, first, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return true;
}

bool skerry_omp_next_dynamic(struct omp_thread *self, struct omp_chunk *chunk) {
    struct omp_work_share *work_share = self->state.work_share;
    if (OMP_LIKELY(work_share->chunks)) return next_of_range(self, work_share, chunk);
    uint64_t iterations = work_share->iterations, first;
    // The thread adds to the word without loading it first. A load would fetch the cache line for reading, and the
    // addition would then fetch the line again for writing.
    if (OMP_LIKELY(!work_share->may_wrap)) {
        first = __atomic_fetch_add(&work_share->taken, work_share->chunk, __ATOMIC_RELAXED);
        if (first >= iterations) return false;
    } else if (!take_exactly(work_share, &first)) return false;
    uint64_t left = iterations - first;
    chunk->first = first;
    chunk->last = first + (left < work_share->chunk ? left : work_share->chunk);
    return true;
}

bool skerry_omp_next_guided(struct omp_thread *self, struct omp_chunk *chunk) {
    struct omp_work_share *work_share = self->state.work_share;
    uint64_t threads = self->state.team->threads;
    uint64_t first = __atomic_load_n(&work_share->taken, __ATOMIC_RELAXED), size;
    do {
        if (first >= work_share->iterations) return false;
        uint64_t left = work_share->iterations - first;
        size = left / threads + (left % threads != 0);
        if (size < work_share->chunk) size = work_share->chunk;
        if (size > left) size = left;
    } while (!__atomic_compare_exchange_n(&work_share->taken, &first, first + size, false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    chunk->first = first;
    chunk->last = first + size;
    return true;
}
