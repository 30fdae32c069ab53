// SPDX-License-Identifier: BSD-3-Clause
#include "filter.h"

#ifdef _OPENMP
#define PARALLEL_FOR _Pragma("omp parallel for")
#else
#define PARALLEL_FOR
#endif

static int clamp(int value, int end) {
    return value < 0 ? 0 : value >= end ? end - 1 : value;
}

static int light(const unsigned char *pixel) {
    return 2 * pixel[0] + 5 * pixel[1] + pixel[2];
}

struct view {
    const unsigned char *source;
    int pitch, left, top, columns, rows;
};

static const unsigned char *pixel_of(const struct view *view, int x, int y) {
    int column = clamp(x, view->columns) - view->left, row = clamp(y, view->rows) - view->top;
    return view->source + ((long)row * view->pitch + column) * 3;
}

// Sums the pixels of the quarter whose first pixel is (x, y), into `sums`, one for each colour. Returns a measure of
// how much the light varies there.
static long look_at_quarter(const struct view *view, int x, int y, long sums[3]) {
    long count = (FILTER_RADIUS + 1) * (FILTER_RADIUS + 1), sum = 0, squares = 0;
    sums[0] = sums[1] = sums[2] = 0;
    for (int row = y; row <= y + FILTER_RADIUS; row++)
        for (int column = x; column <= x + FILTER_RADIUS; column++) {
            const unsigned char *pixel = pixel_of(view, column, row);
            long value = light(pixel);
            sum += value, squares += value * value;
            for (int colour = 0; colour < 3; colour++) sums[colour] += pixel[colour];
        }
    return squares * count - sum * sum;
}

static void filter_pixel(unsigned char *result, const struct view *view, int x, int y) {
    long least = -1, count = (FILTER_RADIUS + 1) * (FILTER_RADIUS + 1);
    for (int quarter = 0; quarter < 4; quarter++) {
        long sums[3];
        int column = quarter & 1 ? x : x - FILTER_RADIUS, row = quarter & 2 ? y : y - FILTER_RADIUS;
        long variation = look_at_quarter(view, column, row, sums);
        if (least >= 0 && variation >= least) continue;
        least = variation;
        for (int colour = 0; colour < 3; colour++) result[colour] = (unsigned char)(sums[colour] / count);
    }
}

void filter(unsigned char *result, int result_pitch, const unsigned char *source, int source_pitch, int left, int top,
            int x, int y, int width, int height, int columns, int rows) {
    struct view view = {source, source_pitch, left, top, columns, rows};
    PARALLEL_FOR
    for (int row = 0; row < height; row++)
        for (int column = 0; column < width; column++)
            filter_pixel(result + ((long)row * result_pitch + column) * 3, &view, x + column, y + row);
}
