// SPDX-License-Identifier: BSD-3-Clause
// The halo exchange: PEs exchange the outermost pixels of their tiles. A step first computes the outermost pixels and
// sends them. Then it computes the other pixels while the sent pixels travel. At last it waits for the pixels of the
// neighbours.
//
// No step has a barrier. So a neighbour can already be in step s + 1 while this PE is in step s. The neighbour then
// puts pixels into the border of field[(s + 1) % 2], which is the field that this PE reads in step s. This is safe: to
// end step s, the neighbour needed this PE's outermost pixels of step s. This PE sends them only after it has read that
// border for the last time.
#include "progress.h"
#include "tile.h"

#include <shmem.h>

// Number of columns that are computed together at the left and right side of a tile, so that they fill a vector
// register. Only the outermost column of such a band is sent.
enum { band = 8 };

// The processor time is measured in every 16th step only, because reading it is a system call. This sample is enough to
// compute the shares of computing and communicating.
enum { sampling = 16 };

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

// Returns the first pixel of part number `part` if `length` pixels are divided into `parts` parts. If the division
// leaves a rest, the first parts get one pixel more.
static size_t part_start(size_t length, size_t parts, size_t part) {
    return part * (length / parts) + smaller(part, length % parts);
}

static size_t part_length(size_t length, size_t parts, size_t part) {
    return length / parts + (part < length % parts);
}

// Chooses the numbers of columns and rows of the grid of PEs, so that the tiles have the shortest borders. Returns 0 if
// there are too few pixels.
static int choose_grid(Tile *tile, Shape picture, size_t pes) {
    size_t shortest = SIZE_MAX;
    for (size_t columns = 1; columns <= pes; columns++) {
        const size_t rows = pes / columns;
        if (columns * rows != pes || columns > picture.width || rows > picture.height) continue;
        const size_t border = part_length(picture.width, columns, 0) + part_length(picture.height, rows, 0);
        if (border >= shortest) continue;
        shortest = border;
        tile->columns = columns;
        tile->rows = rows;
    }
    return shortest != SIZE_MAX;
}

static void find_neighbours(Tile *tile, Shape picture, int me) {
    const size_t column = (size_t)me % tile->columns, row = (size_t)me / tile->columns;
    const size_t width = tile->shape.width, height = tile->shape.height;
    const int across = 1, down = (int)tile->columns;
    // First sets this PE as its own neighbour on all four sides. This holds at an edge of the picture: there this PE
    // puts its outermost pixels into its own border, so no heat flows (insulation).
    tile->neighbour[west] = (Neighbour){me, west, shape_at(tile->shape, 0, 1)};
    tile->neighbour[east] = (Neighbour){me, east, shape_at(tile->shape, width + 1, 1)};
    tile->neighbour[north] = (Neighbour){me, north, shape_at(tile->shape, 1, 0)};
    tile->neighbour[south] = (Neighbour){me, south, shape_at(tile->shape, 1, height + 1)};
    if (column > 0) {
        const size_t beyond = part_length(picture.width, tile->columns, column - 1) + 1;
        tile->neighbour[west] = (Neighbour){me - across, east, shape_at(tile->shape, beyond, 1)};
    }
    if (row > 0) {
        const size_t beyond = part_length(picture.height, tile->rows, row - 1) + 1;
        tile->neighbour[north] = (Neighbour){me - down, south, shape_at(tile->shape, 1, beyond)};
    }
    if (column + 1 < tile->columns) tile->neighbour[east] = (Neighbour){me + across, west, shape_at(tile->shape, 0, 1)};
    if (row + 1 < tile->rows) tile->neighbour[south] = (Neighbour){me + down, north, shape_at(tile->shape, 1, 0)};
}

const char *tile_create(Tile *tile, Shape picture) {
    const int me = shmem_my_pe();
    if (!choose_grid(tile, picture, (size_t)shmem_n_pes())) return "too few pixels for so many PEs";
    const size_t column = (size_t)me % tile->columns, row = (size_t)me / tile->columns;
    tile->left = part_start(picture.width, tile->columns, column);
    tile->top = part_start(picture.height, tile->rows, row);
    const Shape largest =
        shape_of(part_length(picture.width, tile->columns, 0), part_length(picture.height, tile->rows, 0));
    tile->shape = (Shape){part_length(picture.width, tile->columns, column),
                          part_length(picture.height, tile->rows, row), largest.pitch};
    find_neighbours(tile, picture, me);
    for (int i = 0; i < 2; i++) tile->field[i] = shmem_calloc(shape_length(largest), sizeof(float));
    tile->arrived = shmem_calloc(sides, sizeof *tile->arrived);
    const int allocated = tile->field[0] != NULL && tile->field[1] != NULL && tile->arrived != NULL;
    return allocated ? NULL : "not enough symmetric memory (oshrun --heap SIZE gives more)";
}

void tile_destroy(Tile *tile) {
    shmem_free(tile->arrived);
    for (int i = 0; i < 2; i++) shmem_free(tile->field[i]);
}

void tile_load(Tile *tile, Shape shape, const float *picture) {
    shmem_float_ibget(tile->field[0], picture + shape_at(shape, tile->left, tile->top), (ptrdiff_t)tile->shape.pitch,
                      (ptrdiff_t)shape.pitch, tile->shape.width + 2, (tile->shape.height + 2) * colours, 0);
}

void tile_store(const Tile *tile, Shape shape, float *picture, uint64_t steps) {
    shmem_float_ibput(picture + shape_at(shape, tile->left + 1, tile->top + 1),
                      tile->field[steps % 2] + shape_at(tile->shape, 1, 1), (ptrdiff_t)shape.pitch,
                      (ptrdiff_t)tile->shape.pitch, tile->shape.width, tile->shape.height * colours, 0);
}

// Sends a row. The row of each colour is contiguous, and is put together with its signal.
static void send_row(const Tile *tile, Side side, size_t y, uint64_t step) {
    const Neighbour *to = &tile->neighbour[side];
    float *field = tile->field[step % 2];
    const float *row = field + shape_at(tile->shape, 1, y);
    for (size_t colour = 0; colour < colours; colour++)
        shmem_float_put_signal_nbi(field + to->at + colour * tile->shape.pitch, row + colour * tile->shape.pitch,
                                   tile->shape.width, &tile->arrived[to->side], 1, SHMEM_SIGNAL_ADD, to->pe);
}

// Sends a column. One strided put moves the columns of all three colours, because they have the same stride. The fence
// orders this put before the signal.
static void send_column(const Tile *tile, Side side, size_t x, uint64_t step) {
    const Neighbour *to = &tile->neighbour[side];
    float *field = tile->field[step % 2];
    const ptrdiff_t stride = (ptrdiff_t)tile->shape.pitch;
    shmem_float_iput(field + to->at, field + shape_at(tile->shape, x, 1), stride, stride, tile->shape.height * colours,
                     to->pe);
    shmem_fence();
    shmem_signal_add(&tile->arrived[to->side], colours, to->pe);
}

// Returns the processor time of this PE in seconds if `step` is a sampled step, otherwise 0.
static double sampled_seconds(uint64_t step) {
    return step % sampling == 0 ? processor_seconds() : 0;
}

void tile_step(Tile *tile, Medium medium, uint64_t step, Work *work) {
    const Shape shape = tile->shape;
    const size_t right = shape.width + 1, bottom = shape.height + 1;
    const size_t inner_left = smaller(1 + band, right), inner_right = right - smaller(band, right - inner_left);
    const size_t inner_top = smaller(2, bottom), inner_bottom = bottom - smaller(1, bottom - inner_top);
    const float *before = tile->field[(step - 1) % 2];
    float *after = tile->field[step % 2];

    const double start = sampled_seconds(step);
    shmem_quiet(); // the pixels sent in the last step have left, so their memory may change again
    diffuse(medium, shape, before, after, 1, right, 1, inner_top);
    diffuse(medium, shape, before, after, 1, right, inner_bottom, bottom);
    diffuse(medium, shape, before, after, 1, inner_left, inner_top, inner_bottom);
    diffuse(medium, shape, before, after, inner_right, right, inner_top, inner_bottom);
    const double outer_done = sampled_seconds(step);
    send_row(tile, north, 1, step);
    send_row(tile, south, shape.height, step);
    send_column(tile, west, 1, step);
    send_column(tile, east, shape.width, step);
    const double sent = sampled_seconds(step);
    diffuse(medium, shape, before, after, inner_left, inner_right, inner_top, inner_bottom);
    const double inner_done = sampled_seconds(step);
    for (Side side = west; side < sides; side++)
        shmem_signal_wait_until(&tile->arrived[side], SHMEM_CMP_GE, step * colours);
    work->computing += outer_done - start + inner_done - sent;
    work->communicating += sent - outer_done + sampled_seconds(step) - inner_done;
}
