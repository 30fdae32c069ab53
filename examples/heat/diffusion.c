// SPDX-License-Identifier: BSD-3-Clause
// Computes one step of the diffusion (diffusion.h), by an explicit scheme: a pixel's new value depends only on the old
// values of the pixel and its four neighbours. It is always computed by the same operations in the same order. So the
// result has the same bits, whatever part of the picture each PE computes.
#include "diffusion.h"

#include <math.h>
#include <string.h>

typedef struct {
    float red, green, blue;
} Flow;

// Returns `sum` plus the heat that flows to the pixel at index `here` from its neighbour at index `here + away`.
static inline __attribute__((always_inline)) Flow flow_from(Flow sum, const float *red, const float *green,
                                                            const float *blue, ptrdiff_t here, ptrdiff_t away,
                                                            float steepness) {
    const float more_red = red[here + away] - red[here];
    const float more_green = green[here + away] - green[here];
    const float more_blue = blue[here + away] - blue[here];
    const float squared = more_red * more_red + more_green * more_green + more_blue * more_blue;
    const float conductance = 1.0f / (1.0f + squared * steepness);
    sum.red += conductance * more_red;
    sum.green += conductance * more_green;
    sum.blue += conductance * more_blue;
    return sum;
}

// Computes part of a row. `restrict` says that old and new pixels do not overlap, so that the compiler can compute
// several pixels at once.
static void diffuse_row(const float *restrict red, const float *restrict green, const float *restrict blue,
                        float *restrict new_red, float *restrict new_green, float *restrict new_blue, ptrdiff_t left,
                        ptrdiff_t right, ptrdiff_t row, float rate, float steepness) {
    for (ptrdiff_t x = left; x < right; x++) {
        Flow sum = {0, 0, 0};
        sum = flow_from(sum, red, green, blue, x, -1, steepness);
        sum = flow_from(sum, red, green, blue, x, 1, steepness);
        sum = flow_from(sum, red, green, blue, x, -row, steepness);
        sum = flow_from(sum, red, green, blue, x, row, steepness);
        new_red[x] = red[x] + rate * sum.red;
        new_green[x] = green[x] + rate * sum.green;
        new_blue[x] = blue[x] + rate * sum.blue;
    }
}

void diffuse(Medium medium, Shape shape, const float *before, float *after, size_t left, size_t right, size_t top,
             size_t bottom) {
    const float steepness = medium.contrast > 0 ? 1 / (medium.contrast * medium.contrast) : 0;
    for (size_t y = top; y < bottom; y++) {
        const float *old = before + shape_at(shape, 0, y);
        float *new = after + shape_at(shape, 0, y);
        diffuse_row(old, old + shape.pitch, old + 2 * shape.pitch, new, new + shape.pitch, new + 2 * shape.pitch,
                    (ptrdiff_t)left, (ptrdiff_t)right, (ptrdiff_t)(colours * shape.pitch), medium.rate, steepness);
    }
}

float largest_change(Shape shape, const float *before, const float *after) {
    float largest = 0;
    for (size_t row = colours; row < (shape.height + 1) * colours; row++)
        for (size_t x = 1; x <= shape.width; x++) {
            const float change = fabsf(after[row * shape.pitch + x] - before[row * shape.pitch + x]);
            if (change > largest) largest = change;
        }
    return largest;
}

double heat_inside(Shape shape, const float *field) {
    double sum = 0;
    for (size_t row = colours; row < (shape.height + 1) * colours; row++)
        for (size_t x = 1; x <= shape.width; x++) sum += (double)field[row * shape.pitch + x];
    return sum;
}

void insulate(Shape shape, float *field) {
    const size_t row = colours * shape.pitch;
    memcpy(field, field + row, row * sizeof *field);
    memcpy(field + (shape.height + 1) * row, field + shape.height * row, row * sizeof *field);
    for (size_t r = 0; r < (shape.height + 2) * colours; r++) {
        float *line = field + r * shape.pitch;
        line[0] = line[1];
        line[shape.width + 1] = line[shape.width];
    }
}
