// SPDX-License-Identifier: BSD-3-Clause
// Measures STREAM written by hand, like the second version in Tendulkar et al. (2011). Two threads meet at the start
// and at the end of each kernel, and spin while they wait. The kernel works directly on the arrays, or copies parts of
// them through three buffers (triple buffering). The measured speed is the limit of bench/openmp/stream.c: no OpenMP
// library can be faster.
#include "omp_team.h"
#include "../openmp/compute.h"

static struct omp_line order, joined;
static long given[2]; // number of kernels so far, counted by each thread
static long length;

static inline void fork_join(int me, long count, void (*kernel)(enum stream_kernel, long, long),
                             enum stream_kernel which) {
    long number = given[me];
    for (long last = number + count; number < last;) {
        number++;
        if (me == 0) __atomic_store_n(&order.value, number, __ATOMIC_RELEASE);
        else omp_await(&order.value, number, by_pause);
        kernel(which, length * me / 2, length * (me + 1) / 2);
        if (me == 0) omp_await(&joined.value, number, by_pause);
        else __atomic_store_n(&joined.value, number, __ATOMIC_RELEASE);
    }
    given[me] = number;
}

#define KERNEL(NAME)                                                                                                   \
    static void NAME##_directly(int me, int threads, long count) {                                                     \
        (void)threads;                                                                                                 \
        fork_join(me, count, stream_direct, stream_##NAME);                                                            \
    }                                                                                                                  \
    static void NAME##_by_buffers(int me, int threads, long count) {                                                   \
        (void)threads;                                                                                                 \
        fork_join(me, count, stream_buffered, stream_##NAME);                                                          \
    }
KERNEL(copy)
KERNEL(scale)
KERNEL(add)
KERNEL(triad)

int main(int argument_count, char **arguments) {
    int batches = limit_batches(argument_count, arguments, 100);
    omp_needs_two_processors(arguments[0]);
    static void (*const designs[])(int, int, long) = {copy_directly, copy_by_buffers, scale_directly, scale_by_buffers,
                                                      add_directly,  add_by_buffers,  triad_directly, triad_by_buffers};
    static const char *const names[] = {
        "omp_stream_copy", "omp_stream_copy_buffered", "omp_stream_scale", "omp_stream_scale_buffered",
        "omp_stream_add",  "omp_stream_add_buffered",  "omp_stream_triad", "omp_stream_triad_buffered"};
    enum { designs_all = sizeof names / sizeof names[0] };
    static struct limit limits[designs_all];
    omp_start_team(designs, 2, true);
    stream_fill();
    for (length = stream_small; length <= stream_large; length *= stream_large / stream_small) {
        for (int i = 0; i < designs_all; i++)
            limits[i] = (struct limit){
                .name = names[i], .parameter = length * (long)sizeof *stream_c, .loop = limit_team_loop, .design = i};
        limit_report(limits, designs_all, batches, NULL);
    }
    return 0;
}
