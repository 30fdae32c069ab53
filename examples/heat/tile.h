// SPDX-License-Identifier: BSD-3-Clause
// A PE's part of the picture. The PEs form a grid of columns and rows; every tile has a border of one pixel, into which
// its neighbours put their outermost pixels after every step.
#pragma once
#include "diffusion.h"

#include <stdint.h>

typedef enum { west, east, north, south, sides } Side;

typedef struct {
    int pe;    // where my outermost pixels of this side go: a neighbour, or myself where the picture ends
    int side;  // the side of that PE's tile where they arrive
    size_t at; // and their place in its field
} Neighbour;

typedef struct {
    size_t columns, rows; // of the grid of PEs
    size_t left, top;     // my first pixel in the picture, from 0
    Shape shape;          // of my part; all PEs have the same pitch, so that an address means the same in each of them
    Neighbour neighbour[sides];
    // Symmetric:
    float *field[2];   // before and after a step, taking turns
    uint64_t *arrived; // rows or columns of a colour that have come into each side's border, three a step
} Tile;

// Processor time that sampled steps took on this PE, in seconds.
typedef struct {
    double computing, communicating;
} Work;

// Divides a picture between the PEs and allocates. Collective. Returns NULL, or why it cannot be done.
const char *tile_create(Tile *tile, Shape picture);
void tile_destroy(Tile *tile);

// Copies my part with its border from the picture that PE 0 has, and my part without the border back to it.
void tile_load(Tile *tile, Shape shape, const float *picture);
void tile_store(const Tile *tile, Shape shape, float *picture, uint64_t steps);

// Takes step number `step`, counted from 1: field[step % 2] then holds the pixels and its border the neighbours'.
void tile_step(Tile *tile, Medium medium, uint64_t step, Work *work);
