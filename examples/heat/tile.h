// SPDX-License-Identifier: BSD-3-Clause
// A PE's part of the picture. The PEs form a grid of columns and rows. Every tile has a border of one pixel, into which
// its neighbours put their outermost pixels in every step.
#pragma once
#include "diffusion.h"

#include <stdint.h>

typedef enum { west, east, north, south, sides } Side;

typedef struct {
    int pe;    // receiver of this side's outermost pixels: a neighbour, or this PE at an edge of the picture
    int side;  // the side of that PE's tile at which they arrive
    size_t at; // index of their place in that PE's field
} Neighbour;

typedef struct {
    size_t columns, rows; // size of the grid of PEs
    size_t left, top;     // place of this tile's first pixel in the picture, counted from 0
    Shape shape;          // shape of this tile; its pitch is the same on all PEs, and so are indexes
    Neighbour neighbour[sides];
    // These two are symmetric memory:
    float *field[2];   // the pixels before and after a step, used alternately
    uint64_t *arrived; // for each side: number of rows or columns of one colour that have arrived, three in a step
} Tile;

// Processor time that sampled steps took on this PE, in seconds.
typedef struct {
    double computing, communicating;
} Work;

// Divides a picture among the PEs and allocates the tiles. Collective. Returns NULL, or the reason of a failure.
const char *tile_create(Tile *tile, Shape picture);
void tile_destroy(Tile *tile);

// Copies this PE's part with its border from PE 0's picture (tile_load), and the part without the border back
// (tile_store).
void tile_load(Tile *tile, Shape shape, const float *picture);
void tile_store(const Tile *tile, Shape shape, float *picture, uint64_t steps);

// Computes step number `step`, counted from 1. Then field[step % 2] has the new pixels, and its border has the
// outermost pixels of the neighbours. Adds the processor time of a sampled step to `work`.
void tile_step(Tile *tile, Medium medium, uint64_t step, Work *work);
