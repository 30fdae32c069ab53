// SPDX-License-Identifier: BSD-3-Clause
// Implements put and get. Each function calls a routine of aos.h, which takes the arguments in another order.
#include "internal.h"

// Returns the number of bytes from the start of the first of `count` blocks to the end of the last block. The number
// can overflow. This does no harm: the caller's next call, of a routine of aos.h, checks the blocks itself and refuses
// them.
static size_t span(size_t size, int count, size_t space) {
    return count > 0 ? (size_t)(count - 1) * space + size : 0;
}

// Returns true if `local` is a null pointer, or an address near one, and the transfer has bytes.
static bool is_null(const void *local, size_t bytes) {
    return bytes > 0 && (uintptr_t)local < 4096;
}

#define REACH(BYTES)                                                                                                   \
    if (is_null(local, BYTES)) return -1;                                                                              \
    uint64_t at;                                                                                                       \
    const aos_segment_t *window = skerry_mppa_window(__func__, segment, offset, BYTES, &at);                           \
    if (!window) return -1

int mppa_async_put(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                   mppa_async_event_t *event) {
    REACH(size);
    return skerry_mppa_result(aos_put(local, window, at, size, skerry_mppa_event(event)));
}

int mppa_async_get(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                   mppa_async_event_t *event) {
    REACH(size);
    return skerry_mppa_result(aos_get(local, window, at, size, skerry_mppa_event(event)));
}

// -- Spaced ------------------------------------------------------------------------------------------------------------

int mppa_async_sput_spaced(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                           int count, size_t local_space, size_t space, mppa_async_event_t *event) {
    if (count < 0) return -1;
    REACH(span(size, count, space));
    return skerry_mppa_result(
        aos_put_sparse(local, local_space, window, at, space, size, (size_t)count, skerry_mppa_event(event)));
}

int mppa_async_sget_spaced(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int count,
                           size_t local_space, size_t space, mppa_async_event_t *event) {
    if (count < 0) return -1;
    REACH(span(size, count, space));
    return skerry_mppa_result(
        aos_get_sparse(local, local_space, window, at, space, size, (size_t)count, skerry_mppa_event(event)));
}

int mppa_async_put_spaced(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                          int count, size_t space, mppa_async_event_t *event) {
    return mppa_async_sput_spaced(local, segment, offset, size, count, size, space, event);
}

int mppa_async_get_spaced(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int count,
                          size_t space, mppa_async_event_t *event) {
    return mppa_async_sget_spaced(local, segment, offset, size, count, size, space, event);
}

// -- Blocks ------------------------------------------------------------------------------------------------------------

_Static_assert(sizeof(mppa_async_point2d_t) == sizeof(aos_point2d_t) &&
                   sizeof(mppa_async_point3d_t) == sizeof(aos_point3d_t),
               "the same fields in the same order");

static size_t area(size_t size, const mppa_async_point2d_t *point) {
    return point ? (size_t)point->xdim * (size_t)point->ydim * size : 0;
}

static size_t volume(size_t size, const mppa_async_point3d_t *point) {
    return point ? (size_t)point->xdim * (size_t)point->ydim * (size_t)point->zdim * size : 0;
}

static const aos_point2d_t *same2d(const mppa_async_point2d_t *point) {
    return (const aos_point2d_t *)(const void *)point;
}

static const aos_point3d_t *same3d(const mppa_async_point3d_t *point) {
    return (const aos_point3d_t *)(const void *)point;
}

int mppa_async_sput_block2d(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                            int width, int height, const mppa_async_point2d_t *local_point,
                            const mppa_async_point2d_t *remote_point, mppa_async_event_t *event) {
    REACH(area(size, remote_point));
    return skerry_mppa_result(aos_put_block2d(local, same2d(local_point), window, at, same2d(remote_point), size, width,
                                              height, skerry_mppa_event(event)));
}

int mppa_async_sget_block2d(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int width,
                            int height, const mppa_async_point2d_t *local_point,
                            const mppa_async_point2d_t *remote_point, mppa_async_event_t *event) {
    REACH(area(size, remote_point));
    return skerry_mppa_result(aos_get_block2d(local, same2d(local_point), window, at, same2d(remote_point), size, width,
                                              height, skerry_mppa_event(event)));
}

int mppa_async_put_block2d(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                           int width, int height, const mppa_async_point2d_t *remote_point, mppa_async_event_t *event) {
    return mppa_async_sput_block2d(local, segment, offset, size, width, height, 0, remote_point, event);
}

int mppa_async_get_block2d(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int width,
                           int height, const mppa_async_point2d_t *remote_point, mppa_async_event_t *event) {
    return mppa_async_sget_block2d(local, segment, offset, size, width, height, 0, remote_point, event);
}

int mppa_async_sput_block3d(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                            int width, int height, int depth, const mppa_async_point3d_t *local_point,
                            const mppa_async_point3d_t *remote_point, mppa_async_event_t *event) {
    REACH(volume(size, remote_point));
    return skerry_mppa_result(aos_put_block3d(local, same3d(local_point), window, at, same3d(remote_point), size, width,
                                              height, depth, skerry_mppa_event(event)));
}

int mppa_async_sget_block3d(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int width,
                            int height, int depth, const mppa_async_point3d_t *local_point,
                            const mppa_async_point3d_t *remote_point, mppa_async_event_t *event) {
    REACH(volume(size, remote_point));
    return skerry_mppa_result(aos_get_block3d(local, same3d(local_point), window, at, same3d(remote_point), size, width,
                                              height, depth, skerry_mppa_event(event)));
}

int mppa_async_put_block3d(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                           int width, int height, int depth, const mppa_async_point3d_t *remote_point,
                           mppa_async_event_t *event) {
    return mppa_async_sput_block3d(local, segment, offset, size, width, height, depth, 0, remote_point, event);
}

int mppa_async_get_block3d(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int width,
                           int height, int depth, const mppa_async_point3d_t *remote_point, mppa_async_event_t *event) {
    return mppa_async_sget_block3d(local, segment, offset, size, width, height, depth, 0, remote_point, event);
}
