// SPDX-License-Identifier: BSD-3-Clause
// Implements loops with dependences between iterations: ordered(n) with depend(source) and depend(sink). The threads
// share the iterations of the outermost loop, in chunks. A thread runs the iterations of a chunk in order, so one row
// of counters for each chunk is enough. The row contains the numbers of the iteration that the thread posted last
// (depend(source)): one counter for each dimension, the outermost first.
//
// Why a waiter (depend(sink)) never continues too early:
// * To post an iteration, the thread stores the counters from the innermost to the outermost. A waiter loads them from
//   the outermost to the innermost.
// * If the waiter loads counters of two posts, the counters of the outer dimensions belong to the earlier post. The
//   loaded counters are therefore never ahead of the later post.
// * The waiter compares the counter of an inner dimension only if all outer counters are equal to those of the awaited
//   iteration.
//
// If all counters together fit into 64 bits, the row is one packed word, and a post is one store. A post is a release,
// and the waiter's load is an acquire. The waiter therefore sees everything that the posting thread stored before.
// test/model/doacross.pml is a model of this protocol.
#include <stdarg.h>

#include "work_share.h"

typedef unsigned long long ull;

struct omp_doacross {
    uint32_t dimensions;
    const uint64_t *counts; // number of iterations in each dimension
    bool is_packed;         // a row is one word; otherwise a row has a counter for each dimension
    uint8_t *rows;          // NULL if no thread has to wait
    size_t row_bytes;
    void *extra; // memory for the construct, of the size that the compiled program asked for
    // Number of consecutive outer iterations that share a row. 0: the schedule is static without a chunk size, and each
    // thread has one row for all its iterations. In this case the first `more` threads have part + 1 iterations each,
    // and the other threads have `part` iterations each. `boundary` is the number of the first iteration of these other
    // threads.
    uint64_t chunk;
    uint64_t part, more, boundary;
    uint8_t shifts[64]; // [i]: lowest bit of dimension i in the packed word
};

// -- Setting up --------------------------------------------------------------------------------------------------------

static uint32_t bits_of(uint64_t count) {
    return count < 2 ? 1 : 64 - (uint32_t)__builtin_clzll(count - 1);
}

// Chooses the bits that each dimension has in a packed word. Returns true if the packed number of every iteration fits
// into 63 bits. A post stores this number + 1, which then fits into 64 bits.
static bool pack(struct omp_doacross *doacross, const uint64_t *counts) {
    uint32_t bits = 0;
    if (doacross->dimensions > 64) return false;
    for (uint32_t i = doacross->dimensions; i-- > 0;) {
        if (bits >= 63) return false;
        doacross->shifts[i] = (uint8_t)bits;
        bits += bits_of(counts[i]);
    }
    return bits <= 63;
}

static uint64_t rows_of(const struct omp_work_share *work_share, uint32_t threads) {
    if (work_share->schedule == OMP_SCHEDULE_STATIC && work_share->chunk == 0) return threads;
    uint64_t chunk = work_share->schedule == OMP_SCHEDULE_GUIDED ? 1 : work_share->chunk;
    return (work_share->iterations - 1) / chunk + 1;
}

// Allocates and initialises the rows of counters. The first thread that arrives at the loop calls this function, after
// it has set up the loop over counts[0].
static void set_up(struct omp_thread *self, uint32_t dimensions, const uint64_t *counts, size_t extra) {
    struct omp_work_share *work_share = self->state.work_share;
    uint32_t threads = self->state.team->threads;
    bool is_empty = threads == 1;
    for (uint32_t i = 0; i < dimensions; i++) is_empty |= counts[i] == 0;
    if (is_empty && !extra) return;
    struct omp_doacross fixed = {.dimensions = dimensions};
    uint64_t rows = 0;
    if (!is_empty) {
        rows = rows_of(work_share, threads);
        fixed.is_packed = pack(&fixed, counts);
        // Each row is in cache lines (of SKERRY_LINE bytes) of its own.
        fixed.row_bytes =
            ((fixed.is_packed ? 1 : dimensions) * sizeof(uint64_t) + SKERRY_LINE - 1) & ~(size_t)(SKERRY_LINE - 1);
        if (work_share->schedule == OMP_SCHEDULE_STATIC && work_share->chunk == 0) {
            fixed.part = work_share->iterations / threads;
            fixed.more = work_share->iterations % threads;
            fixed.boundary = fixed.more * (fixed.part + 1);
        } else fixed.chunk = work_share->schedule == OMP_SCHEDULE_GUIDED ? 1 : work_share->chunk;
    }
    size_t head = (sizeof fixed + SKERRY_LINE - 1) & ~(size_t)(SKERRY_LINE - 1);
    size_t bytes = head + (size_t)rows * fixed.row_bytes, counts_bytes = dimensions * sizeof *counts;
    bool is_addressable = rows == 0 || rows <= SIZE_MAX / 2 / fixed.row_bytes;
    struct omp_doacross *doacross =
        is_addressable ? skerry_memory_take(bytes + counts_bytes + extra, SKERRY_LINE) : NULL;
    if (!doacross) skerry_stop("libgomp: no memory for the iterations of an ordered loop with depend");
    __builtin_memset(doacross, 0, bytes + counts_bytes + extra);
    fixed.rows = rows ? (uint8_t *)doacross + head : NULL;
    uint8_t *behind = (uint8_t *)doacross + bytes;
    fixed.counts = __builtin_memcpy(behind + extra, counts, counts_bytes);
    fixed.extra = behind;
    *doacross = fixed;
    work_share->doacross = doacross;
}

static struct omp_thread *begin(uint32_t dimensions, const uint64_t *counts, uint32_t schedule, uint64_t chunk,
                                bool is_unsigned, uintptr_t *reductions, void **memory) {
    struct omp_thread *self = omp_self();
    bool is_first = skerry_omp_work_share_enter(self);
    struct omp_work_share *work_share = self->state.work_share;
    if (is_first) {
        skerry_omp_loop_set_up(self, &(struct omp_loop){.end = counts[0],
                                                        .increment = 1,
                                                        .schedule = schedule,
                                                        .chunk = chunk,
                                                        .is_up = true,
                                                        .is_unsigned = is_unsigned});
        set_up(self, dimensions, counts, memory ? (size_t)(uintptr_t)*memory : 0);
    }
    skerry_omp_work_share_extras(self, is_first, reductions, NULL);
    if (is_first) omp_work_share_ready(self);
    if (memory) *memory = work_share->doacross->extra;
    return self;
}

// -- Posting and waiting -----------------------------------------------------------------------------------------------

static uint64_t *row_of(const struct omp_doacross *doacross, uint64_t outer) {
    uint64_t row;
    if (doacross->chunk) row = outer / doacross->chunk;
    else if (outer < doacross->boundary) row = outer / (doacross->part + 1);
    else row = (outer - doacross->boundary) / doacross->part + doacross->more;
    return (uint64_t *)(void *)(doacross->rows + row * doacross->row_bytes);
}

static void post(const uint64_t *numbers) {
    struct omp_thread *self = omp_self();
    const struct omp_doacross *doacross = self->state.work_share ? self->state.work_share->doacross : NULL;
    if (!doacross || !doacross->rows) return;
    uint64_t *row = row_of(doacross, numbers[0]);
    skerry_publishes(doacross);
    if (doacross->is_packed) {
        uint64_t word = 0;
        for (uint32_t i = 0; i < doacross->dimensions; i++) word |= numbers[i] << doacross->shifts[i];
        omp_store_release(row, word + 1, self->state.team->eventcount);
        return;
    }
    for (uint32_t i = doacross->dimensions; i-- > 0;)
        omp_store_release(&row[i], numbers[i] + 1, self->state.team->eventcount);
}

// Returns true if the iteration with these numbers has been posted. The row then contains the counters of this
// iteration or of a later one. Compares the counters from the outermost dimension to the innermost.
static bool has_passed(const struct omp_doacross *doacross, const uint64_t *row, const uint64_t *numbers) {
    for (uint32_t i = 0; i < doacross->dimensions; i++) {
        uint64_t come = SKERRY_LOAD_ACQUIRE(&row[i]);
        if (come != numbers[i] + 1) return come > numbers[i] + 1;
    }
    return true;
}

static void await(const uint64_t *numbers) {
    struct omp_thread *self = omp_self();
    const struct omp_team *team = self->state.team;
    const struct omp_doacross *doacross = self->state.work_share ? self->state.work_share->doacross : NULL;
    if (!doacross || !doacross->rows) return;
    for (uint32_t i = 0; i < doacross->dimensions; i++)
        if (numbers[i] >= doacross->counts[i]) return; // no such iteration exists, so there is nothing to wait for
    const uint64_t *row = row_of(doacross, numbers[0]);
    if (doacross->is_packed) {
        uint64_t word = 0;
        for (uint32_t i = 0; i < doacross->dimensions; i++) word |= numbers[i] << doacross->shifts[i];
        SKERRY_WAIT_UNTIL(SKERRY_LOAD_ACQUIRE(row) > word || __atomic_load_n(&team->cancelled, __ATOMIC_RELAXED),
                          team->eventcount);
    } else
        SKERRY_WAIT_UNTIL(has_passed(doacross, row, numbers) || __atomic_load_n(&team->cancelled, __ATOMIC_RELAXED),
                          team->eventcount);
    skerry_sees(doacross);
}

#define DIMENSIONS_MAX 64

// Waits for an iteration. Its numbers, one for each dimension of the loop, are `first` and the arguments in `list`. The
// numbers are all of type long, or all of type unsigned long long.
static void await_arguments(uint64_t first, va_list list, bool is_unsigned) {
    const struct omp_thread *self = omp_self();
    const struct omp_doacross *doacross = self->state.work_share ? self->state.work_share->doacross : NULL;
    uint64_t numbers[DIMENSIONS_MAX] = {first};
    for (uint32_t i = 1; doacross && i < doacross->dimensions && i < DIMENSIONS_MAX; i++)
        numbers[i] = is_unsigned ? va_arg(list, unsigned long long) : (uint64_t)va_arg(list, long);
    await(numbers);
}

// Returns `numbers` as an array of 64-bit integers. If `long` has 64 bits, this is the same array; if `long` has 32
// bits, it is a copy in `room`.
static const uint64_t *widen(const long *numbers, uint32_t count, uint64_t room[DIMENSIONS_MAX]) {
    if (sizeof(long) == sizeof(uint64_t)) return (const uint64_t *)(const void *)numbers;
    for (uint32_t i = 0; i < count && i < DIMENSIONS_MAX; i++) room[i] = (uint64_t)numbers[i];
    return room;
}

OMP_EXPORT void GOMP_doacross_post(long *numbers) {
    const struct omp_thread *self = omp_self();
    const struct omp_doacross *doacross = self->state.work_share ? self->state.work_share->doacross : NULL;
    uint64_t room[DIMENSIONS_MAX];
    if (doacross) post(widen(numbers, doacross->dimensions, room));
}

OMP_EXPORT void GOMP_doacross_ull_post(unsigned long long *numbers) {
    post((const uint64_t *)(const void *)numbers);
}

OMP_EXPORT void GOMP_doacross_wait(long first, ...) {
    va_list list;
    va_start(list, first);
    await_arguments((uint64_t)first, list, false);
    va_end(list);
}

OMP_EXPORT void GOMP_doacross_ull_wait(unsigned long long first, ...) {
    va_list list;
    va_start(list, first);
    await_arguments(first, list, true);
    va_end(list);
}

// -- Entry points ------------------------------------------------------------------------------------------------------

// start_long and start_ull begin a loop and take the thread's first chunk, according to the loop's schedule. They
// return false if no chunk is left.
static bool start_long(unsigned dimensions, const long *counts, uint32_t schedule, long chunk, uintptr_t *reductions,
                       void **memory, long *first, long *last) {
    uint64_t room[DIMENSIONS_MAX];
    struct omp_thread *self =
        begin(dimensions, widen(counts, dimensions, room), schedule, (uint64_t)chunk, false, reductions, memory);
    struct omp_chunk part;
    if (!omp_next(self, self->state.work_share->schedule, &part)) return false;
    *first = (long)part.first;
    *last = (long)part.last;
    return true;
}

static bool start_ull(unsigned dimensions, const ull *counts, uint32_t schedule, ull chunk, uintptr_t *reductions,
                      void **memory, ull *first, ull *last) {
    struct omp_thread *self =
        begin(dimensions, (const uint64_t *)(const void *)counts, schedule, chunk, true, reductions, memory);
    struct omp_chunk part;
    if (!omp_next(self, self->state.work_share->schedule, &part)) return false;
    *first = part.first;
    *last = part.last;
    return true;
}

#define DOACROSS(NAME, SCHEDULE)                                                                                       \
    OMP_EXPORT bool GOMP_loop_doacross_##NAME##_start(unsigned dimensions, long *counts, long chunk, long *first,      \
                                                      long *last) {                                                    \
        return start_long(dimensions, counts, SCHEDULE, chunk, NULL, NULL, first, last);                               \
    }                                                                                                                  \
    OMP_EXPORT bool GOMP_loop_ull_doacross_##NAME##_start(unsigned dimensions, ull *counts, ull chunk, ull *first,     \
                                                          ull *last) {                                                 \
        return start_ull(dimensions, counts, SCHEDULE, chunk, NULL, NULL, first, last);                                \
    }
DOACROSS(static, OMP_SCHEDULE_STATIC)
DOACROSS(dynamic, OMP_SCHEDULE_DYNAMIC)
DOACROSS(guided, OMP_SCHEDULE_GUIDED)

OMP_EXPORT bool GOMP_loop_doacross_runtime_start(unsigned dimensions, long *counts, long *first, long *last) {
    return start_long(dimensions, counts, OMP_SCHEDULE_RUNTIME, 0, NULL, NULL, first, last);
}

OMP_EXPORT bool GOMP_loop_ull_doacross_runtime_start(unsigned dimensions, ull *counts, ull *first, ull *last) {
    return start_ull(dimensions, counts, OMP_SCHEDULE_RUNTIME, 0, NULL, NULL, first, last);
}

OMP_EXPORT bool GOMP_loop_doacross_start(unsigned dimensions, long *counts, long schedule, long chunk, long *first,
                                         long *last, uintptr_t *reductions, void **memory) {
    return start_long(dimensions, counts, (uint32_t)schedule, chunk, reductions, memory, first, last);
}

OMP_EXPORT bool GOMP_loop_ull_doacross_start(unsigned dimensions, ull *counts, long schedule, ull chunk, ull *first,
                                             ull *last, uintptr_t *reductions, void **memory) {
    return start_ull(dimensions, counts, (uint32_t)schedule, chunk, reductions, memory, first, last);
}
