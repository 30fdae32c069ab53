// SPDX-License-Identifier: BSD-3-Clause
// Heat in a picture. Each colour is a temperature, and heat flows between neighbouring pixels. The more their colours
// differ, the less heat flows: nearly even areas become even, and edges stay (P. Perona and J. Malik, "Scale-space and
// edge detection using anisotropic diffusion", 1990; here with one conductance for the three colours).
#pragma once
#include <stddef.h>

// A rectangle of pixels with a border of one pixel around it. A pixel's colours lie `pitch` numbers apart: row y is a
// row of reds, then a row of greens, then a row of blues. So the border rows are contiguous, and a column of all three
// colours has one stride. Rows and columns are counted from 1; 0 and height + 1 (width + 1) are the border.
typedef struct {
    size_t width, height, pitch;
} Shape;

enum { colours = 3 };

static inline Shape shape_of(size_t width, size_t height) {
    return (Shape){width, height, (width + 2 + 15) / 16 * 16};
}

static inline size_t shape_length(Shape shape) {
    return (shape.height + 2) * colours * shape.pitch;
}

static inline size_t shape_at(Shape shape, size_t x, size_t y) {
    return y * colours * shape.pitch + x;
}

typedef struct {
    float rate;     // length of a step in time; above 1/4 the scheme is unstable
    float contrast; // difference of colours above which an edge stays; 0: heat flows as if all colours were alike
} Medium;

// Computes the pixels of the columns [left, right) and the rows [top, bottom) of `after` from `before`.
void diffuse(Medium medium, Shape shape, const float *before, float *after, size_t left, size_t right, size_t top,
             size_t bottom);

// Returns the largest difference of any colour of any pixel inside the border.
float largest_change(Shape shape, const float *before, const float *after);

// Returns the sum of all colours inside the border. It stays constant, up to rounding, because no heat leaves the
// picture.
double heat_inside(Shape shape, const float *field);

// Insulates the edges of a whole picture: sets the border equal to the pixels next to it, so that no heat flows there.
void insulate(Shape shape, float *field);
