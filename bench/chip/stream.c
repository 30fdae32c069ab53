// SPDX-License-Identifier: BSD-3-Clause
// Measures the kernels of STREAM (copy, scale, add, triad) in OpenMP on cores that have memories of their own, as
// Tendulkar et al. (2011) did. The arrays of double words are in one of three places: in each thread's own memory, in
// the memory of the first core, which only waits, or in external memory. From the last two places each thread moves its
// share through buffers on its stack, which have the same size with all methods:
//   chunks  skerry_omp.h moves other chunks while the thread computes with one
//   single  skerry_omp.h moves a chunk, the thread computes, and the result is moved back
//   hand    the same without the header: by stores to the command lines and counters of the core's network interface
//   triple  by hand, with three sets of buffers: while the thread computes with one set, the operands of the next chunk and
//           the results of the last one are moved
// Each measurement runs twice, and the second run is printed, with the number of threads that compute:
//   result stream_PLACE_METHOD_KERNEL THREADS 0 CYCLES  cycles for each element of a thread's share, of the slowest thread
//   result region_PLACE_METHOD_KERNEL THREADS 0 CYCLES  cycles of a region less those that its slowest thread works
#include <omp.h>
#include <skerry_omp.h>
#include <stdbool.h>
#include <stdint.h>

#include "result_line.h"

#define THREADS_MAX 16 // 1, 2, 4 or 16
#define LOCAL 48       // elements of each array in a thread's own memory
#define LOCAL_TIMES 8  // runs over these arrays
#define NEAR 720       // elements of each array in the first core's memory; a multiple of 3 and 15
#define FAR 3840       // elements of each array in external memory: together 90 KB; a multiple of 16
#define CHUNK 56       // elements of a chunk of the method `chunks`
#define BUFFER (3 * 2 * CHUNK)
#define SINGLE_CHUNK (BUFFER / 3)
#define TRIPLE_CHUNK (BUFFER / 9 / 4 * 4)

enum place { OWN, CORE, EXTERNAL };
enum method { CHUNKS, SINGLE, HAND, TRIPLE };
enum kernel { COPY, SCALE, ADD, TRIAD };

static double near_arrays[3][NEAR];
static SKERRY_OMP_EXTERNAL double far_arrays[3][FAR];
// Cycles of each thread, in the first core's memory: of the kernel, and of all that the thread does in a region.
static uint32_t times[THREADS_MAX], busy[THREADS_MAX];

static uint32_t now(void) {
    uint32_t cycles;
    __asm__ volatile("rdcycle %0" : "=r"(cycles)::"memory");
    return cycles;
}

// Defines a loop that computes four elements in each round. First loads all operands, because a value that was loaded
// cannot be used in the next cycle, and then computes, because results of the floating-point unit arrive after 4 cycles.
// The order of the statements is kept by the two lines __asm__, which change nothing. The compiler must not replace the
// loop by a call of memcpy.
#define KERNEL(NAME, LOAD_B, VALUE)                                                                                    \
    __attribute__((noinline, optimize("O2", "no-tree-loop-distribute-patterns"))) static void NAME(                    \
        double *restrict to, const double *restrict a, const double *restrict b, size_t count) {                       \
        const double factor = 3;                                                                                       \
        (void)factor, (void)b;                                                                                         \
        for (size_t i = 0; i + 4 <= count; i += 4, to += 4, a += 4, b += LOAD_B ? 4 : 0) {                             \
            double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], b0 = 0, b1 = 0, b2 = 0, b3 = 0;                         \
            if (LOAD_B) b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];                                                    \
            __asm__ volatile("" : "+f"(a0), "+f"(a1), "+f"(a2), "+f"(a3));                                             \
            if (LOAD_B) __asm__ volatile("" : "+f"(b0), "+f"(b1), "+f"(b2), "+f"(b3));                                 \
            double r0 = VALUE(a0, b0), r1 = VALUE(a1, b1), r2 = VALUE(a2, b2), r3 = VALUE(a3, b3);                     \
            __asm__ volatile("" : "+f"(r0), "+f"(r1), "+f"(r2), "+f"(r3));                                             \
            to[0] = r0, to[1] = r1, to[2] = r2, to[3] = r3;                                                            \
        }                                                                                                              \
    }
#define COPIED(x, y) (x)
#define SCALED(x, y) (factor * (x))
#define ADDED(x, y) ((x) + (y))
#define TRIAD_OF(x, y) ((x) + factor * (y))
KERNEL(copy, 0, COPIED)
KERNEL(scale, 0, SCALED)
KERNEL(add, 1, ADDED)
KERNEL(triad, 1, TRIAD_OF)

typedef void compute(double *restrict to, const double *restrict a, const double *restrict b, size_t count);

static inline compute *function_of(enum kernel kernel) {
    return kernel == COPY ? copy : kernel == SCALE ? scale : kernel == ADD ? add : triad;
}

// Computes with arrays on the thread's stack. Returns the time of the begin, after the arrays got their values.
__attribute__((noinline)) static uint32_t compute_own(enum kernel kernel) {
    double own[3][LOCAL];
    for (int i = 0; i < LOCAL; i++) own[1][i] = own[2][i] = i;
    const uint32_t start = now();
    for (int i = 0; i < LOCAL_TIMES; i++) function_of(kernel)(own[0], own[1], own[2], LOCAL);
    return start;
}

// Computes the elements [first, end) of the array `to` by chunks.
__attribute__((noinline)) static void move_and_compute(enum kernel kernel, double *to, double *a, double *b,
                                                       size_t first, size_t end) {
    double buffers[3][2 * CHUNK], *results;
    const double *operands, *others = NULL;
    skerry_omp_chunks_t from, other, into;
    const size_t count = end - first, bytes = sizeof buffers[0];
    compute *const function = function_of(kernel);
    skerry_omp_chunks_begin(&from, SKERRY_OMP_READ, a + first, count, sizeof *a, buffers[0], bytes);
    if (kernel >= ADD) skerry_omp_chunks_begin(&other, SKERRY_OMP_READ, b + first, count, sizeof *b, buffers[1], bytes);
    skerry_omp_chunks_begin(&into, SKERRY_OMP_WRITE, to + first, count, sizeof *to, buffers[2], bytes);
    while ((results = skerry_omp_chunks_next(&into))) {
        operands = skerry_omp_chunks_next(&from);
        if (kernel >= ADD) others = skerry_omp_chunks_next(&other);
        function(results, operands, others, into.count);
    }
}

// Computes the same, one chunk after the other.
__attribute__((noinline)) static void move_then_compute(enum kernel kernel, double *to, const double *a,
                                                        const double *b, size_t first, size_t end) {
    double buffers[3][SINGLE_CHUNK];
    skerry_omp_counter_t counter = {0};
    for (size_t count; first < end; first += count) {
        count = end - first < SINGLE_CHUNK ? end - first : SINGLE_CHUNK;
        skerry_omp_get_begin(&counter, buffers[0], a + first, count * sizeof *a);
        if (kernel >= ADD) skerry_omp_get_begin(&counter, buffers[1], b + first, count * sizeof *b);
        skerry_omp_complete(&counter);
        function_of(kernel)(buffers[2], buffers[0], buffers[1], count);
        skerry_omp_put_begin(&counter, to + first, buffers[2], count * sizeof *to);
        skerry_omp_complete(&counter);
    }
}

// -- By hand (docs/design/events.md): lines of the core's network interface that the OpenMP runtime does not use here ---

#define LINE(number) ((volatile uint32_t *)(0xe0000u + 32u * (number)))
#define TAG(number) (*(volatile uint32_t *)(0xe8000u + 4u * (number)))
enum { COPY_COMMAND = 100, COPY_COUNTERS = 102, COPY_COUNTERS_USED = 6 };

static void set_up_lines(void) {
    if (TAG(COPY_COMMAND) == 1) return;
    TAG(COPY_COMMAND) = 1;
    for (unsigned i = 0; i < COPY_COUNTERS_USED; i++) TAG(COPY_COUNTERS + i) = 2;
}

static inline void begin_copy(unsigned counter, void *to, const void *from, size_t count) {
    const uint32_t bytes = (uint32_t)(count * sizeof(double));
    *LINE(COPY_COUNTERS + counter) = 0u - bytes; // a store adds
    LINE(COPY_COMMAND)[0] = (uint32_t)(uintptr_t)to;
    LINE(COPY_COMMAND)[1] = (uint32_t)(uintptr_t)from;
    LINE(COPY_COMMAND)[4] = (uint32_t)(uintptr_t)LINE(COPY_COUNTERS + counter);
    __asm__ volatile("" ::: "memory");
    LINE(COPY_COMMAND)[2] = 3u << 8 | bytes << 10;
}

static inline void await_copies(unsigned counter) {
    while (*LINE(COPY_COUNTERS + counter) != 0) {
    }
    __asm__ volatile("" ::: "memory");
}

__attribute__((noinline, optimize("O2"))) static void
move_then_compute_by_hand(enum kernel kernel, double *to, const double *a, const double *b, size_t first, size_t end) {
    double buffers[3][SINGLE_CHUNK];
    set_up_lines();
    for (size_t count; first < end; first += count) {
        count = end - first < SINGLE_CHUNK ? end - first : SINGLE_CHUNK;
        begin_copy(0, buffers[0], a + first, count);
        if (kernel >= ADD) begin_copy(0, buffers[1], b + first, count);
        await_copies(0);
        function_of(kernel)(buffers[2], buffers[0], buffers[1], count);
        begin_copy(0, to + first, buffers[2], count);
        await_copies(0);
    }
}

struct buffers { // of one chunk
    double a[TRIPLE_CHUNK], b[TRIPLE_CHUNK], to[TRIPLE_CHUNK];
};

// Counter `set` counts the operands of a set of buffers, and counter 3 + `set` its results.
__attribute__((noinline, optimize("O2"))) static void
move_and_compute_by_hand(enum kernel kernel, double *to, const double *a, const double *b, size_t first, size_t end) {
    struct buffers sets[3];
    size_t ahead = first;
    unsigned next = 0;
    set_up_lines();
    for (unsigned set = 0; first < end; set = set < 2 ? set + 1 : 0) {
        while (ahead < end && ahead < first + 2 * TRIPLE_CHUNK) { // the operands of this chunk and of the next one
            const size_t count = end - ahead < TRIPLE_CHUNK ? end - ahead : TRIPLE_CHUNK;
            begin_copy(next, sets[next].a, a + ahead, count);
            if (kernel >= ADD) begin_copy(next, sets[next].b, b + ahead, count);
            next = next < 2 ? next + 1 : 0;
            ahead += count;
        }
        const size_t count = end - first < TRIPLE_CHUNK ? end - first : TRIPLE_CHUNK;
        await_copies(set);
        await_copies(3 + set); // of three chunks before
        function_of(kernel)(sets[set].to, sets[set].a, sets[set].b, count);
        begin_copy(3 + set, to + first, sets[set].to, count);
        first += count;
    }
    for (unsigned set = 0; set < 3; set++) await_copies(3 + set);
}

// Moves and computes by one of the methods.
static void compute_by(enum method method, enum kernel kernel, double *to, double *a, double *b, size_t first,
                       size_t end) {
    if (method == CHUNKS) move_and_compute(kernel, to, a, b, first, end);
    else if (method == SINGLE) move_then_compute(kernel, to, a, b, first, end);
    else if (method == HAND) move_then_compute_by_hand(kernel, to, a, b, first, end);
    else move_and_compute_by_hand(kernel, to, a, b, first, end);
}

// A measurement is one word, because each thread loads it from the first core's memory when a region begins: the kernel
// and the method in 4 bits each, and the place, the number of threads that do not compute, and the number of threads that
// compute in 8 bits each.
static uint32_t pack(enum place place, enum method method, enum kernel kernel, int idle, int threads) {
    return (uint32_t)kernel | (uint32_t)method << 4 | (uint32_t)place << 8 | (uint32_t)idle << 16 |
           (uint32_t)threads << 24;
}

static void work(uint32_t measurement, int me) {
    const uint32_t entered = now();
    const enum kernel kernel = (enum kernel)(measurement & 0xf);
    const enum method method = (enum method)(measurement >> 4 & 0xf);
    const enum place place = (enum place)(measurement >> 8 & 0xff);
    const int idle = (int)(measurement >> 16 & 0xff);
    const size_t share = (size_t)(me - idle), shares = measurement >> 24;
    if (me < idle) return;
    uint32_t start = now();
    if (place == OWN) {
        start = compute_own(kernel);
    } else if (place == CORE) {
        const size_t elements = NEAR / shares;
        compute_by(method, kernel, near_arrays[0], near_arrays[1], near_arrays[2], elements * share,
                   elements * (share + 1));
    } else {
        const size_t elements = FAR / shares;
        compute_by(method, kernel, far_arrays[0], far_arrays[1], far_arrays[2], elements * share,
                   elements * (share + 1));
    }
    const uint32_t end = now();
    times[me] = end - start;
    busy[me] = end - entered;
}

static void measure(enum place place, enum method method, enum kernel kernel) {
    static const char *const places[] = {"own", "core", "external"},
                             *const methods[] = {"chunks", "single", "hand", "triple"},
                             *const kernels[] = {"copy", "scale", "add", "triad"};
    const int idle = place == CORE, threads = omp_get_max_threads() - idle;
    const uint32_t elements = place == OWN    ? LOCAL * LOCAL_TIMES
                              : place == CORE ? NEAR / (uint32_t)threads
                                              : FAR / (uint32_t)threads;
    const uint32_t measurement = pack(place, method, kernel, idle, threads);
    uint32_t whole = 0, slowest = 0, longest = 0;
    for (int run = 0; run < 2; run++) {
        const uint32_t start = now();
#pragma omp parallel firstprivate(measurement)
        work(measurement, omp_get_thread_num());
        whole = now() - start;
        slowest = longest = 0;
        for (int i = idle; i < threads + idle; i++) {
            if (times[i] > slowest) slowest = times[i];
            if (busy[i] > longest) longest = busy[i];
        }
    }
    const char *const kind = place == OWN ? kernels[kernel] : methods[method];
    const char *const last = place == OWN ? NULL : kernels[kernel];
    print_result((const char *const[]){"stream", places[place], kind, last, NULL}, threads, slowest * 10 / elements);
    print_result((const char *const[]){"region", places[place], kind, last, NULL}, threads, (whole - longest) * 10);
}

// Returns true if the results of the last kernel, triad, are right: to[i] = i + 3 * 2i.
static bool is_right(const double *results, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (results[i] != 7 * (double)i) return false;
    return true;
}

static void clear(double *results, size_t count) {
    for (size_t i = 0; i < count; i++) results[i] = 0;
}

int main(void) {
    static const char wrong[] = "stream: the results are wrong\n";
    for (size_t i = 0; i < NEAR; i++) near_arrays[1][i] = (double)i, near_arrays[2][i] = 2 * (double)i;
    for (size_t i = 0; i < FAR; i++) far_arrays[1][i] = (double)i, far_arrays[2][i] = 2 * (double)i;
    for (enum kernel kernel = COPY; kernel <= TRIAD; kernel++) measure(OWN, CHUNKS, kernel);
    for (enum method method = CHUNKS; method <= TRIPLE; method++) {
        const bool is_near = omp_get_max_threads() > 1;           // otherwise no thread computes
        const bool is_far = method == CHUNKS || method == TRIPLE; // the link is slower than the other methods' waits
        clear(near_arrays[0], NEAR);
        if (is_far) clear(far_arrays[0], FAR);
        for (enum kernel kernel = COPY; is_near && kernel <= TRIAD; kernel++) measure(CORE, method, kernel);
        for (enum kernel kernel = COPY; is_far && kernel <= TRIAD; kernel++) measure(EXTERNAL, method, kernel);
        if ((is_near && !is_right(near_arrays[0], NEAR)) || (is_far && !is_right(far_arrays[0], FAR)))
            return write(STDERR_FILENO, wrong, sizeof wrong - 1) < 0 ? 2 : 1;
    }
    return 0;
}
