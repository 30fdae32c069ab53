// SPDX-License-Identifier: BSD-3-Clause
// How iterations are given to threads. All loops are counted from 0 in 64 bits here, whatever the program counts in. Dynamic schedules take
// chunks by adding to one word, and where what all threads add could pass 2^64, by compare-swap.
#include "share.h"

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

void skerry_omp_loop_set_up(struct omp_thread *self, const struct omp_loop *loop) {
    struct omp_share *share = self->state.share;
    uint32_t schedule = loop->schedule & ~OMP_SCHEDULE_MONOTONIC;
    uint64_t chunk = loop->chunk;
    if (schedule == OMP_SCHEDULE_RUNTIME) {
        const struct omp_icv *icv = self->state.task->icv;
        schedule = icv->schedule & ~OMP_SCHEDULE_MONOTONIC;
        chunk = icv->chunk > 0 ? (uint64_t)icv->chunk : 0;
    }
    if (schedule == OMP_SCHEDULE_AUTO || schedule == OMP_SCHEDULE_RUNTIME) {
        schedule = OMP_SCHEDULE_STATIC;
        chunk = 0;
    }
    if (chunk == 0 && schedule != OMP_SCHEDULE_STATIC) chunk = 1;
    share->schedule = schedule;
    share->iterations = count_iterations(loop);
    share->start = loop->start;
    share->end = loop->end;
    share->increment = loop->increment;
    share->chunk = chunk;
    share->may_wrap = chunk > (UINT64_MAX - share->iterations) / (self->state.team->threads + 1);
    __atomic_store_n(&share->taken, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&share->ordered, 0, __ATOMIC_RELAXED);
}

void skerry_omp_loop_begin(struct omp_thread *self, const struct omp_loop *loop) {
    if (!skerry_omp_share_enter(self)) return;
    skerry_omp_loop_set_up(self, loop);
    omp_share_ready(self);
}

// Without a chunk size every thread has one part, the first ones one iteration more if they do not come out even; with one, chunks
// go round.
bool skerry_omp_next_static(struct omp_thread *self, struct omp_chunk *chunk) {
    const struct omp_share *share = self->state.share;
    uint64_t threads = self->state.team->threads, me = self->state.thread_number;
    uint64_t trip = self->state.trip++;
    if (share->chunk == 0) {
        if (trip) return false;
        uint64_t part = share->iterations / threads, more = share->iterations % threads;
        chunk->first = me * part + (me < more ? me : more);
        chunk->last = chunk->first + part + (me < more);
        return chunk->first < chunk->last;
    }
    uint64_t number = trip * threads + me;
    if (number > (share->iterations - 1) / share->chunk || share->iterations == 0) {
        self->state.trip--;
        return false;
    }
    chunk->first = number * share->chunk;
    uint64_t left = share->iterations - chunk->first;
    chunk->last = chunk->first + (left < share->chunk ? left : share->chunk);
    return true;
}

static bool take_exactly(struct omp_share *share, uint64_t *first) {
    uint64_t next;
    *first = __atomic_load_n(&share->taken, __ATOMIC_RELAXED);
    do {
        if (*first >= share->iterations) return false;
        next = share->iterations - *first <= share->chunk ? share->iterations : *first + share->chunk;
    } while (!__atomic_compare_exchange_n(&share->taken, first, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return true;
}

bool skerry_omp_next_dynamic(struct omp_thread *self, struct omp_chunk *chunk) {
    struct omp_share *share = self->state.share;
    uint64_t iterations = share->iterations;
    // A look first: threads that come late leave the line to others.
    if (__atomic_load_n(&share->taken, __ATOMIC_RELAXED) >= iterations) return false;
    uint64_t first;
    if (OMP_LIKELY(!share->may_wrap)) {
        first = __atomic_fetch_add(&share->taken, share->chunk, __ATOMIC_RELAXED);
        if (first >= iterations) return false;
    } else if (!take_exactly(share, &first)) return false;
    uint64_t left = iterations - first;
    chunk->first = first;
    chunk->last = first + (left < share->chunk ? left : share->chunk);
    return true;
}

bool skerry_omp_next_guided(struct omp_thread *self, struct omp_chunk *chunk) {
    struct omp_share *share = self->state.share;
    uint64_t threads = self->state.team->threads;
    uint64_t first = __atomic_load_n(&share->taken, __ATOMIC_RELAXED), size;
    do {
        if (first >= share->iterations) return false;
        uint64_t left = share->iterations - first;
        size = left / threads + (left % threads != 0);
        if (size < share->chunk) size = share->chunk;
        if (size > left) size = left;
    } while (
        !__atomic_compare_exchange_n(&share->taken, &first, first + size, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    chunk->first = first;
    chunk->last = first + size;
    return true;
}
