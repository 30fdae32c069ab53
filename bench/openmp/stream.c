// SPDX-License-Identifier: BSD-3-Clause
// Runs the kernels of STREAM as in Tendulkar et al. (2011). Each kernel is one parallel region, which works directly on
// the arrays or copies parts of them through three buffers (triple buffering). ../limits/omp_stream.c runs the same
// kernels without OpenMP. The parameter is the length of an array in bytes.
#include "compute.h"
#include "measure.h"

static const char *const names[] = {"stream_copy", "stream_scale", "stream_add", "stream_triad"};
static const char *const buffered_names[] = {"stream_copy_buffered", "stream_scale_buffered", "stream_add_buffered",
                                             "stream_triad_buffered"};
static enum stream_kernel kernel;
static long length;

static void test_direct(long count) {
    const long all = length;
    for (long turn = 0; turn < count; turn++) {
#pragma omp parallel for schedule(static)
        for (long begin = 0; begin < all; begin += stream_block) stream_direct(kernel, begin, begin + stream_block);
    }
}

static void test_buffered(long count) {
    for (long turn = 0; turn < count; turn++) {
#pragma omp parallel
        {
            const long me = omp_get_thread_num(), team = omp_get_num_threads();
            stream_buffered(kernel, length * me / team, length * (me + 1) / team);
        }
    }
}

static bool right(void) {
    return stream_right(kernel, length);
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    stream_fill();
    for (length = stream_small; length <= stream_large; length *= stream_large / stream_small)
        for (kernel = stream_copy; kernel < stream_kernels; kernel++) {
            const long bytes = length * (long)sizeof *stream_c;
            measure(
                (struct measurement){.name = names[kernel], .parameter = bytes, .test = test_direct, .right = right});
            measure((struct measurement){
                .name = buffered_names[kernel], .parameter = bytes, .test = test_buffered, .right = right});
        }
    return 0;
}
