// SPDX-License-Identifier: BSD-3-Clause
// Declares put and get under the names of Kalray's MPPA processors: of one range, of blocks at equal distances, and of
// blocks of arrays. mppa_async.h includes this header.
#ifndef SKERRY_MPPA_TRANSFER_H
#define SKERRY_MPPA_TRANSFER_H

//@ mppa_async_put: mppa_async_put mppa_async_get
// Copies to a segment (put), or from a segment (get).
//   local   address in any memory of this program
//   offset  offset in the segment in bytes
//   size    size in bytes
//   event   NULL: the transfer is complete on return. An event: a large transfer goes on while the program computes, until the
//           event has happened: on Linux from 256 KB on (aos_put(3)), on simulated clusters from some hundred bytes on
// Order: another program sees the data of a put after this program's mppa_async_fence, or after it has seen an atomic
// that this program did later on the same segment. A get does not wait for this program's puts.
// Returns: 0; -1, and nothing was done, if the range is not inside the segment, if the segment is a queue or was destroyed, or
// if `local` is a null pointer and `size` is not 0.
// Source: Hascoet et al. 2017, 5.1. See aos_put(3), aos_get(3).

int mppa_async_put(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                   mppa_async_event_t *event);
int mppa_async_get(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                   mppa_async_event_t *event);

//@ mppa_async_put_spaced: mppa_async_put_spaced mppa_async_get_spaced mppa_async_sput_spaced mppa_async_sget_spaced
// Copies blocks that are at equal distances in a segment. With put and get the blocks are adjacent in local memory.
// With sput and sget they are at equal distances in local memory too.
//   size         size of a block in bytes
//   count        number of blocks
//   local_space  bytes from the start of a block in `local` to the start of the next block
//   space        bytes from the start of a block in the segment to the start of the next block
// Order: as mppa_async_put.
// Returns: as mppa_async_put.
// Source: Hascoet et al. 2017, 5.5. See aos_put_spaced(3), aos_put_sparse(3).

int mppa_async_put_spaced(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                          int count, size_t space, mppa_async_event_t *event);
int mppa_async_get_spaced(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int count,
                          size_t space, mppa_async_event_t *event);
int mppa_async_sput_spaced(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                           int count, size_t local_space, size_t space, mppa_async_event_t *event);
int mppa_async_sget_spaced(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int count,
                           size_t local_space, size_t space, mppa_async_event_t *event);

//@ mppa_async_put_block2d: mppa_async_put_block2d mppa_async_get_block2d mppa_async_sput_block2d mppa_async_sget_block2d
// Copies a rectangle of width * height elements between two arrays of rows. With put and get the rows of the rectangle
// are adjacent in local memory; with sput and sget the rectangle is part of a local array.
//   local          address of the rectangle, or of the local array
//   offset         offset of the segment's array in bytes
//   size           size of an element in bytes
//   width, height  size of the rectangle in elements
//   local_point    size of the local array (xdim, ydim) and the rectangle's first element in it (xpos, ypos), in
//                  elements. NULL: the rows of the rectangle are adjacent
//   remote_point   size of the segment's array, and the rectangle's first element in it, as in local_point
// Order: as mppa_async_put.
// Returns: as mppa_async_put; -1 also if the rectangle is not inside each of the two arrays.
// Source: Hascoet et al. 2017, 5.5. See aos_put_block2d(3).

//@ mppa_async_put_block3d: mppa_async_put_block3d mppa_async_get_block3d mppa_async_sput_block3d mppa_async_sget_block3d
// Copies a box of width * height * depth elements between two arrays of planes of rows. The arguments are as for
// mppa_async_put_block2d, with zdim and zpos too.
// Order: as mppa_async_put.
// Returns: as mppa_async_put; -1 also if the box is not inside each of the two arrays.
// Source: Hascoet et al. 2017, 5.5. See aos_put_block3d(3).

int mppa_async_put_block2d(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                           int width, int height, const mppa_async_point2d_t *remote_point, mppa_async_event_t *event);
int mppa_async_get_block2d(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int width,
                           int height, const mppa_async_point2d_t *remote_point, mppa_async_event_t *event);
int mppa_async_sput_block2d(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                            int width, int height, const mppa_async_point2d_t *local_point,
                            const mppa_async_point2d_t *remote_point, mppa_async_event_t *event);
int mppa_async_sget_block2d(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int width,
                            int height, const mppa_async_point2d_t *local_point,
                            const mppa_async_point2d_t *remote_point, mppa_async_event_t *event);
int mppa_async_put_block3d(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                           int width, int height, int depth, const mppa_async_point3d_t *remote_point,
                           mppa_async_event_t *event);
int mppa_async_get_block3d(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int width,
                           int height, int depth, const mppa_async_point3d_t *remote_point, mppa_async_event_t *event);
int mppa_async_sput_block3d(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                            int width, int height, int depth, const mppa_async_point3d_t *local_point,
                            const mppa_async_point3d_t *remote_point, mppa_async_event_t *event);
int mppa_async_sget_block3d(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int width,
                            int height, int depth, const mppa_async_point3d_t *local_point,
                            const mppa_async_point3d_t *remote_point, mppa_async_event_t *event);

#endif
