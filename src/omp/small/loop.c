// SPDX-License-Identifier: BSD-3-Clause
// Loops that ask the runtime for iterations: dynamic, guided, ordered, and those whose schedule the program reads at run
// time. (The compiler itself distributes static loops.) All threads call with the same bounds, so each thread keeps them in
// its own memory. What the threads share is a work share in the first core's memory: how much of the loop is taken. A thread
// changes it while it holds the work share's lock.
//
// A thread can be in a later loop than another one (nowait). There are WORK_SHARES of them, used in turn. The last thread
// that leaves a loop makes its work share free for another loop. Until then a thread that needs it waits.
#include "small.h"

#define WORK_SHARES 4
#define ORDERED 0x40000000u // a bit beside a schedule: the loop is ordered

static struct work_share {
    volatile uint32_t lock;
    volatile uint32_t uses;    // number of loops of this region that had this work share and are complete
    volatile uint32_t left;    // number of threads that have left the loop
    volatile uint32_t ordered; // number of the chunk that may run its ordered part
    volatile uint32_t chunks;  // number of chunks that were taken
    volatile uint64_t taken;   // position of the first iteration that no thread has taken
} work_shares[WORK_SHARES] SKERRY_SHARED_WORD;

void skerry_omp_loops_begin(void) {
    for (int i = 0; i < WORK_SHARES; i++) work_shares[i].uses = 0;
}

OMP_INLINE struct work_share *current(const struct omp_self *self) {
    return &work_shares[(self->work_shares - 1) % WORK_SHARES];
}

static bool needs_work_share(const struct omp_loop *loop) {
    return loop->schedule != OMP_STATIC || loop->is_ordered;
}

uint64_t skerry_omp_divide(uint64_t dividend, uint64_t divisor) {
    uint64_t quotient = 0, bit = 1;
    if (divisor == 0) return 0;
    while (divisor < dividend && !(divisor >> 63)) divisor <<= 1, bit <<= 1;
    for (; bit; bit >>= 1, divisor >>= 1) {
        if (dividend < divisor) continue;
        dividend -= divisor;
        quotient |= bit;
    }
    return quotient;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

// Returns factor * value, or the largest number if the product is larger.
static uint64_t multiply(uint64_t value, uint64_t factor) {
    uint64_t product;
    return __builtin_mul_overflow(value, factor, &product) ? UINT64_MAX : product;
}

// Describes a loop from `start` to `end` in steps of `increment`.
static void describe(struct omp_loop *loop, uint64_t start, uint64_t end, uint64_t increment, bool is_down,
                     bool is_empty, uint32_t schedule, uint64_t chunk) {
    const bool is_ordered = schedule & ORDERED;
    schedule &= ~ORDERED;
    if (schedule == OMP_RUNTIME) {
        schedule = skerry_omp_self.settings->schedule & ~OMP_MONOTONIC;
        chunk = skerry_omp_self.settings->chunk;
    }
    if (schedule == OMP_AUTO) schedule = OMP_STATIC, chunk = 0;
    if (schedule != OMP_STATIC && chunk == 0) chunk = 1;
    loop->start = start;
    loop->is_down = is_down;
    loop->length = is_empty ? 0 : is_down ? start - end : end - start;
    loop->step = is_down ? 0 - increment : increment;
    loop->chunk = multiply(loop->step, chunk);
    loop->schedule = schedule;
    loop->is_ordered = is_ordered;
}

// Begins the loop in self->loop. A single thread takes the whole loop at once, in order.
static void begin(struct omp_self *self) {
    struct omp_loop *loop = &self->loop;
    if (self->threads == 1) {
        loop->schedule = OMP_STATIC;
        loop->chunk = 0;
        loop->is_ordered = false;
    }
    self->has_begun = true;
    self->has_chunk = false;
    self->chunk_number = self->thread;
    if (loop->schedule == OMP_STATIC) {
        if (loop->chunk == 0 && loop->length != 0) { // one chunk for each thread
            const uint64_t iterations = skerry_omp_divide(loop->length - 1, loop->step) + 1;
            loop->chunk = multiply(loop->step, skerry_omp_divide(iterations + self->threads - 1, self->threads));
        }
        self->position = multiply(loop->chunk, self->thread);
    }
    if (!needs_work_share(loop)) return;
    const uint32_t uses = self->work_shares++ / WORK_SHARES;
    const struct work_share *share = current(self);
    while (share->uses != uses) continue;
}

// Leaves the loop. The last thread that leaves makes the work share free. The caller holds the lock.
static void leave(const struct omp_self *self, struct work_share *share) {
    const uint32_t left = share->left + 1;
    if (left < self->threads) {
        share->left = left;
        return;
    }
    share->left = 0;
    share->ordered = 0;
    share->chunks = 0;
    share->taken = 0;
    share->uses++;
}

// Returns the size of the next chunk. A guided loop gives a thread the part of the rest that all threads would get, rounded
// down to the chunk size times a power of two; the number of threads is rounded up to a power of two.
static uint64_t next_size(const struct omp_self *self, uint64_t rest) {
    uint64_t size = self->loop.chunk;
    if (self->loop.schedule == OMP_GUIDED) {
        uint64_t part = rest;
        for (uint32_t threads = 1; threads < self->threads; threads *= 2) part /= 2;
        while (size <= part / 2) size *= 2;
    }
    return smaller(size, rest);
}

// Takes the thread's next chunk: stores the positions of its first iteration and of its end. Returns false if there is none.
static bool take(struct omp_self *self, uint64_t *first, uint64_t *end) {
    struct omp_loop *loop = &self->loop;
    struct work_share *share = needs_work_share(loop) ? current(self) : NULL;
    if (loop->is_ordered && self->has_chunk) { // lets the next chunk run its ordered part, in its turn
        while (share->ordered != self->chunk_number) continue;
        skerry_omp_complete_external();
        skerry_compiler_fence();
        share->ordered = self->chunk_number + 1;
        if (loop->schedule == OMP_STATIC) self->chunk_number += self->threads;
    }
    if (loop->schedule == OMP_STATIC) {
        self->has_chunk = self->position < loop->length;
        if (self->has_chunk) {
            *first = self->position;
            *end = *first + smaller(loop->chunk, loop->length - *first);
            const uint64_t distance = multiply(loop->chunk, self->threads);
            self->position = distance < loop->length - *first ? *first + distance : loop->length;
        } else if (share) {
            omp_acquire(&share->lock);
            leave(self, share);
            omp_release(&share->lock);
        }
        return self->has_chunk;
    }
    omp_acquire(&share->lock);
    *first = share->taken;
    const uint64_t rest = loop->length - *first;
    self->has_chunk = rest != 0;
    if (self->has_chunk) {
        share->taken = *end = *first + next_size(self, rest);
        if (loop->is_ordered) self->chunk_number = share->chunks++;
    } else {
        leave(self, share);
    }
    omp_release(&share->lock);
    return self->has_chunk;
}

static void begin_combined(struct omp_self *self) {
    self->loop = skerry_omp_combined()->loop;
    begin(self);
}

// -- Loop variables of type long ---------------------------------------------------------------------------------------

bool GOMP_loop_static_next(long *first, long *end);
bool GOMP_loop_static_next(long *first, long *end) {
    struct omp_self *self = &skerry_omp_self;
    uint64_t from, to;
    if (!self->has_begun) begin_combined(self);
    if (!take(self, &from, &to)) return false;
    const uint32_t start = (uint32_t)self->loop.start;
    *first = (long)(self->loop.is_down ? start - (uint32_t)from : start + (uint32_t)from);
    *end = (long)(self->loop.is_down ? start - (uint32_t)to : start + (uint32_t)to);
    return true;
}

static void describe_long(struct omp_loop *loop, long start, long end, long increment, uint32_t schedule, long chunk) {
    const bool is_down = increment < 0;
    describe(loop, (uint64_t)(int64_t)start, (uint64_t)(int64_t)end, (uint64_t)(int64_t)increment, is_down,
             is_down ? start <= end : start >= end, schedule, chunk > 0 ? (uint64_t)chunk : 0);
}

static __attribute__((noinline)) bool start_long(long start, long end, long increment, uint32_t schedule, long chunk,
                                                 long *first, long *last) {
    struct omp_self *self = &skerry_omp_self;
    describe_long(&self->loop, start, end, increment, schedule, chunk);
    begin(self);
    return GOMP_loop_static_next(first, last);
}

#define NEXT(NAME) bool GOMP_loop_##NAME##_next(long *first, long *end) __attribute__((alias("GOMP_loop_static_next")));
#define START(NAME, SCHEDULE)                                                                                          \
    bool GOMP_loop_##NAME##_start(long start, long end, long increment, long chunk, long *first, long *last);          \
    bool GOMP_loop_##NAME##_start(long start, long end, long increment, long chunk, long *first, long *last) {         \
        return start_long(start, end, increment, SCHEDULE, chunk, first, last);                                        \
    }
#define START_RUNTIME(NAME, SCHEDULE)                                                                                  \
    bool GOMP_loop_##NAME##_start(long start, long end, long increment, long *first, long *last);                      \
    bool GOMP_loop_##NAME##_start(long start, long end, long increment, long *first, long *last) {                     \
        return start_long(start, end, increment, SCHEDULE, 0, first, last);                                            \
    }
START(static, OMP_STATIC)
START(dynamic, OMP_DYNAMIC)
START(guided, OMP_GUIDED)
START(nonmonotonic_dynamic, OMP_DYNAMIC)
START(nonmonotonic_guided, OMP_GUIDED)
START(ordered_static, OMP_STATIC | ORDERED)
START(ordered_dynamic, OMP_DYNAMIC | ORDERED)
START(ordered_guided, OMP_GUIDED | ORDERED)
START_RUNTIME(runtime, OMP_RUNTIME)
START_RUNTIME(nonmonotonic_runtime, OMP_RUNTIME)
START_RUNTIME(maybe_nonmonotonic_runtime, OMP_RUNTIME)
START_RUNTIME(ordered_runtime, OMP_RUNTIME | ORDERED)
NEXT(dynamic)
NEXT(guided)
NEXT(nonmonotonic_dynamic)
NEXT(nonmonotonic_guided)
NEXT(ordered_static)
NEXT(ordered_dynamic)
NEXT(ordered_guided)
NEXT(runtime)
NEXT(nonmonotonic_runtime)
NEXT(maybe_nonmonotonic_runtime)
NEXT(ordered_runtime)

// -- Loop variables of type unsigned long long -------------------------------------------------------------------------

typedef unsigned long long wide;

bool GOMP_loop_ull_static_next(wide *first, wide *end);
bool GOMP_loop_ull_static_next(wide *first, wide *end) {
    struct omp_self *self = &skerry_omp_self;
    uint64_t from, to;
    if (!take(self, &from, &to)) return false;
    *first = self->loop.is_down ? self->loop.start - from : self->loop.start + from;
    *end = self->loop.is_down ? self->loop.start - to : self->loop.start + to;
    return true;
}

static __attribute__((noinline)) bool start_wide(bool is_up, wide start, wide end, wide increment, uint32_t schedule,
                                                 wide chunk, wide *first, wide *last) {
    struct omp_self *self = &skerry_omp_self;
    describe(&self->loop, start, end, increment, !is_up, is_up ? start >= end : start <= end, schedule, chunk);
    begin(self);
    return GOMP_loop_ull_static_next(first, last);
}

#define WIDE_NEXT(NAME)                                                                                                \
    bool GOMP_loop_ull_##NAME##_next(wide *first, wide *end) __attribute__((alias("GOMP_loop_ull_static_next")));
#define WIDE_START(NAME, SCHEDULE)                                                                                     \
    bool GOMP_loop_ull_##NAME##_start(bool up, wide start, wide end, wide increment, wide chunk, wide *first,          \
                                      wide *last);                                                                     \
    bool GOMP_loop_ull_##NAME##_start(bool up, wide start, wide end, wide increment, wide chunk, wide *first,          \
                                      wide *last) {                                                                    \
        return start_wide(up, start, end, increment, SCHEDULE, chunk, first, last);                                    \
    }
#define WIDE_START_RUNTIME(NAME, SCHEDULE)                                                                             \
    bool GOMP_loop_ull_##NAME##_start(bool up, wide start, wide end, wide increment, wide *first, wide *last);         \
    bool GOMP_loop_ull_##NAME##_start(bool up, wide start, wide end, wide increment, wide *first, wide *last) {        \
        return start_wide(up, start, end, increment, SCHEDULE, 0, first, last);                                        \
    }
WIDE_START(static, OMP_STATIC)
WIDE_START(dynamic, OMP_DYNAMIC)
WIDE_START(guided, OMP_GUIDED)
WIDE_START(nonmonotonic_dynamic, OMP_DYNAMIC)
WIDE_START(nonmonotonic_guided, OMP_GUIDED)
WIDE_START(ordered_static, OMP_STATIC | ORDERED)
WIDE_START(ordered_dynamic, OMP_DYNAMIC | ORDERED)
WIDE_START(ordered_guided, OMP_GUIDED | ORDERED)
WIDE_START_RUNTIME(runtime, OMP_RUNTIME)
WIDE_START_RUNTIME(nonmonotonic_runtime, OMP_RUNTIME)
WIDE_START_RUNTIME(maybe_nonmonotonic_runtime, OMP_RUNTIME)
WIDE_START_RUNTIME(ordered_runtime, OMP_RUNTIME | ORDERED)
WIDE_NEXT(dynamic)
WIDE_NEXT(guided)
WIDE_NEXT(nonmonotonic_dynamic)
WIDE_NEXT(nonmonotonic_guided)
WIDE_NEXT(ordered_static)
WIDE_NEXT(ordered_dynamic)
WIDE_NEXT(ordered_guided)
WIDE_NEXT(runtime)
WIDE_NEXT(nonmonotonic_runtime)
WIDE_NEXT(maybe_nonmonotonic_runtime)
WIDE_NEXT(ordered_runtime)

// -- Constructs that combine a region with a loop ----------------------------------------------------------------------

#define COMBINED(NAME, SCHEDULE)                                                                                       \
    void GOMP_parallel_loop_##NAME(omp_function *function, void *data, unsigned threads, long start, long end,         \
                                   long increment, long chunk, unsigned flags);                                        \
    void GOMP_parallel_loop_##NAME(omp_function *function, void *data, unsigned threads, long start, long end,         \
                                   long increment, long chunk, unsigned flags) {                                       \
        describe_long(&skerry_omp_combined_below()->loop, start, end, increment, SCHEDULE, chunk);                     \
        GOMP_parallel(function, data, threads, flags);                                                                 \
    }
#define COMBINED_RUNTIME(NAME)                                                                                         \
    void GOMP_parallel_loop_##NAME(omp_function *function, void *data, unsigned threads, long start, long end,         \
                                   long increment, unsigned flags);                                                    \
    void GOMP_parallel_loop_##NAME(omp_function *function, void *data, unsigned threads, long start, long end,         \
                                   long increment, unsigned flags) {                                                   \
        describe_long(&skerry_omp_combined_below()->loop, start, end, increment, OMP_RUNTIME, 0);                      \
        GOMP_parallel(function, data, threads, flags);                                                                 \
    }
COMBINED(static, OMP_STATIC)
COMBINED(dynamic, OMP_DYNAMIC)
COMBINED(guided, OMP_GUIDED)
COMBINED(nonmonotonic_dynamic, OMP_DYNAMIC)
COMBINED(nonmonotonic_guided, OMP_GUIDED)
COMBINED_RUNTIME(runtime)
COMBINED_RUNTIME(nonmonotonic_runtime)
COMBINED_RUNTIME(maybe_nonmonotonic_runtime)

// -- The end of a loop, and ordered parts ------------------------------------------------------------------------------

void GOMP_loop_end(void);
void GOMP_loop_end(void) {
    GOMP_barrier();
}

void GOMP_loop_end_nowait(void);
void GOMP_loop_end_nowait(void) {
}

void GOMP_ordered_start(void);
void GOMP_ordered_start(void) {
    const struct omp_self *self = &skerry_omp_self;
    if (!self->loop.is_ordered) return;
    const struct work_share *share = current(self);
    while (share->ordered != self->chunk_number) continue;
    skerry_compiler_fence();
}

// The next chunk gets its turn when this thread asks for another chunk.
void GOMP_ordered_end(void);
void GOMP_ordered_end(void) {
}
