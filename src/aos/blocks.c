// SPDX-License-Identifier: BSD-3-Clause
// Implements puts and gets of rectangles and boxes of elements. Computes where a box lies in each of its two arrays,
// and passes this to transfer.c, which copies the data.
#include "internal.h"
#include "product.h"

// The position of a box in an array of elements. A put or get has two such positions: one in an array of this PE, one
// in an array of the segment.
struct side {
    uintptr_t first; // bytes from the start of the array to the first byte of the box
    uintptr_t line;  // bytes from one row to the next
    uintptr_t plane; // bytes from one plane to the next
};

static bool inside(int position, int size, int whole) {
    return position >= 0 && size >= 0 && size <= whole && position <= whole - size;
}

// Computes the position of a rectangle in its array. Returns false if the rectangle leaves the array.
static bool place_rectangle(struct side *side, int x, int width, int xdim, int y, int height, int ydim,
                            size_t elem_bytes) {
    uintptr_t columns;
    side->plane = 0;
    return inside(x, width, xdim) && inside(y, height, ydim) && multiply((uintptr_t)xdim, elem_bytes, &side->line) &&
           multiply((uintptr_t)x, elem_bytes, &columns) && multiply(side->line, (uintptr_t)y, &side->first) &&
           !__builtin_add_overflow(side->first, columns, &side->first) && side->line <= PITCH_MAX;
}

static bool place_box(struct side *side, const aos_point3d_t *point, int width, int height, int depth,
                      size_t elem_bytes) {
    uintptr_t planes;
    return place_rectangle(side, point->xpos, width, point->xdim, point->ypos, height, point->ydim, elem_bytes) &&
           inside(point->zpos, depth, point->zdim) && multiply(side->line, (uintptr_t)point->ydim, &side->plane) &&
           multiply(side->plane, (uintptr_t)point->zpos, &planes) &&
           !__builtin_add_overflow(side->first, planes, &side->first) && side->plane <= PITCH_MAX;
}

// Computes the position of a box in an array of exactly the box's size. In such an array the rows follow each other
// without gaps. Returns false if a size is negative or too large.
static bool place_dense(struct side *side, int width, int height, int depth, size_t elem_bytes) {
    side->first = side->plane = 0;
    return width >= 0 && height >= 0 && depth >= 0 && multiply((uintptr_t)width, elem_bytes, &side->line) &&
           (depth <= 1 || multiply(side->line, (uintptr_t)height, &side->plane)) && side->line <= PITCH_MAX &&
           side->plane <= PITCH_MAX;
}

static int refuse_place(const char *routine, const char *rule, const aos_point3d_t *point, int width, int height,
                        int depth, size_t elem_bytes) {
    long values[] = {width,       height,      depth,       (long)elem_bytes, point->xpos,
                     point->ypos, point->zpos, point->xdim, point->ydim,      point->zdim};
    return skerry_aos_refuse_argument(routine, rule, values, 10);
}

#define LEAVES(ARRAY) ARRAY ": a block of # * # * # elements of # bytes at #, #, # is not inside its array of # * # * #"

// Returns AOS_ERROR_ARGUMENT. If checks are on (skerry_checking), first reports which array the box leaves, and ends
// the job.
static int refuse_box(const char *routine, const aos_point3d_t *local_point, const aos_point3d_t *remote_point,
                      int width, int height, int depth, size_t elem_bytes) {
    struct side side;
    if (!skerry_checking) return AOS_ERROR_ARGUMENT;
    if (local_point && !place_box(&side, local_point, width, height, depth, elem_bytes))
        return refuse_place(routine, LEAVES("local_point"), local_point, width, height, depth, elem_bytes);
    if (remote_point && !place_box(&side, remote_point, width, height, depth, elem_bytes))
        return refuse_place(routine, LEAVES("remote_point"), remote_point, width, height, depth, elem_bytes);
    return refuse_place(routine, "a block of # * # * # elements of # bytes: a size is negative or too large",
                        &(aos_point3d_t){0}, width, height, depth, elem_bytes);
}

static aos_point3d_t flat(const aos_point2d_t *point) {
    return (aos_point3d_t){point->xpos, point->ypos, 0, point->xdim, point->ydim, 1};
}

static int refuse_rectangle(const char *routine, const aos_point2d_t *local_point, const aos_point2d_t *remote_point,
                            int width, int height, size_t elem_bytes) {
    aos_point3d_t here, there;
    if (local_point) here = flat(local_point);
    if (remote_point) there = flat(remote_point);
    return refuse_box(routine, local_point ? &here : 0, remote_point ? &there : 0, width, height, 1, elem_bytes);
}

static int move_sides(const char *routine, uintptr_t local, const struct side *here, const aos_segment_t *segment,
                      uint64_t offset, const struct side *there, uintptr_t bytes, int height, int depth, bool put,
                      aos_event_t *event) {
    if (offset + there->first < offset)
        return skerry_aos_refuse(routine, AOS_ERROR_BOUNDS, segment, offset, there->first);
    struct skerry_aos_shape shape = {bytes,
                                     (uintptr_t)height,
                                     (uintptr_t)depth,
                                     (intptr_t)here->line,
                                     (intptr_t)here->plane,
                                     (intptr_t)there->line,
                                     (intptr_t)there->plane};
    const uintptr_t first = local + here->first;
    if (put) return skerry_aos_put(routine, (const void *)first, segment, offset + there->first, &shape, event);
    return skerry_aos_get(routine, (void *)first, segment, offset + there->first, &shape, event);
}

static int move_box(const char *routine, uintptr_t local, const aos_point3d_t *local_point,
                    const aos_segment_t *segment, uint64_t offset, const aos_point3d_t *remote_point, size_t elem_bytes,
                    int width, int height, int depth, bool put, aos_event_t *event) {
    struct side dense, here, there;
    bool fits = place_dense(&dense, width, height, depth, elem_bytes);
    if (local_point) fits = fits && place_box(&here, local_point, width, height, depth, elem_bytes);
    if (remote_point) fits = fits && place_box(&there, remote_point, width, height, depth, elem_bytes);
    if (!fits) return refuse_box(routine, local_point, remote_point, width, height, depth, elem_bytes);
    return move_sides(routine, local, local_point ? &here : &dense, segment, offset, remote_point ? &there : &dense,
                      dense.line, height, depth, put, event);
}

static bool place_point(struct side *side, const aos_point2d_t *point, int width, int height, size_t elem_bytes) {
    return place_rectangle(side, point->xpos, width, point->xdim, point->ypos, height, point->ydim, elem_bytes);
}

static int move_rectangle(const char *routine, uintptr_t local, const aos_point2d_t *local_point,
                          const aos_segment_t *segment, uint64_t offset, const aos_point2d_t *remote_point,
                          size_t elem_bytes, int width, int height, bool put, aos_event_t *event) {
    struct side dense, here, there;
    bool fits = place_dense(&dense, width, height, 1, elem_bytes);
    if (local_point) fits = fits && place_point(&here, local_point, width, height, elem_bytes);
    if (remote_point) fits = fits && place_point(&there, remote_point, width, height, elem_bytes);
    if (!fits) return refuse_rectangle(routine, local_point, remote_point, width, height, elem_bytes);
    return move_sides(routine, local, local_point ? &here : &dense, segment, offset, remote_point ? &there : &dense,
                      dense.line, height, 1, put, event);
}

int aos_put_block2d(const void *local, const aos_point2d_t *local_point, const aos_segment_t *segment, uint64_t offset,
                    const aos_point2d_t *remote_point, size_t elem_bytes, int width, int height, aos_event_t *event) {
    return move_rectangle("aos_put_block2d", (uintptr_t)local, local_point, segment, offset, remote_point, elem_bytes,
                          width, height, true, event);
}

int aos_get_block2d(void *local, const aos_point2d_t *local_point, const aos_segment_t *segment, uint64_t offset,
                    const aos_point2d_t *remote_point, size_t elem_bytes, int width, int height, aos_event_t *event) {
    return move_rectangle("aos_get_block2d", (uintptr_t)local, local_point, segment, offset, remote_point, elem_bytes,
                          width, height, false, event);
}

int aos_put_block3d(const void *local, const aos_point3d_t *local_point, const aos_segment_t *segment, uint64_t offset,
                    const aos_point3d_t *remote_point, size_t elem_bytes, int width, int height, int depth,
                    aos_event_t *event) {
    return move_box("aos_put_block3d", (uintptr_t)local, local_point, segment, offset, remote_point, elem_bytes, width,
                    height, depth, true, event);
}

int aos_get_block3d(void *local, const aos_point3d_t *local_point, const aos_segment_t *segment, uint64_t offset,
                    const aos_point3d_t *remote_point, size_t elem_bytes, int width, int height, int depth,
                    aos_event_t *event) {
    return move_box("aos_get_block3d", (uintptr_t)local, local_point, segment, offset, remote_point, elem_bytes, width,
                    height, depth, false, event);
}
