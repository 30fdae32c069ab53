// SPDX-License-Identifier: BSD-3-Clause
// Declares put and get, which copy between memory of this PE and a segment. The data is copied directly, without a
// buffer in between. Only if the segment is private memory and the kernel refuses to copy, the data goes through a
// buffer (transfer.c). Each routine first checks that the access is inside the segment. If it is not, the routine
// copies nothing.

//@ aos_put: aos_put
// Copies from this PE's memory to a segment.
//   local   source: any memory of this PE
//   offset  offset of the data in the segment, in bytes
//   event   NULL: the source may be reused on return. Not NULL: the routine makes an event, and the source may be
//           reused after this event has happened. The transfer is then behind the program if the segment is near memory
//           of another node and the put is larger than 4096 bytes (191 bytes on an MPPA), on Linux if the segment is
//           private memory and the put has at least 256 KB (32 KB if the owner is on another node), and on a chip with
//           DMA channels from 1024 bytes on; other puts are done on return
// Order: the data is complete for other PEs after aos_fence, or when they see an atomic that this PE did on the segment
// afterwards by the same handle. This is also true if the event has not happened yet.
// Returns: AOS_SUCCESS, AOS_ERROR_BOUNDS, AOS_ERROR_PROTOCOL, AOS_ERROR_GONE or AOS_ERROR_STATE. AOS_ERROR_FAULT: the
// owner has no memory at the address or must not write to it. If a put behind the program fails, the wait for its event
// returns the error; if the program does not wait for the event, the next aos_fence returns it; otherwise aos_finalize
// ends the job with a message.
// Source: Hascoet et al. 2017, 5.1.

//@ aos_get: aos_get
// Copies from a segment to this PE's memory.
//   local   destination: any memory of this PE
//   offset  offset of the data in the segment, in bytes
//   event   NULL: the data is at its destination on return. Not NULL: the routine makes an event, and the data is at
//           its destination after this event has happened. The transfer is then behind the program if the segment is
//           near memory of another node (on an MPPA: and the get has at least 512 bytes), on Linux if it is private memory
//           and the get has at least 256 KB (32 KB if the owner is on another node), and on a chip with DMA channels
//           from 512 bytes on; other gets are done on return
// Order: gets from one segment are ordered among themselves, but a get with an event that has not happened yet has no
// order with later gets. A get does not wait for this PE's earlier puts: call aos_fence in between.
// Returns: as aos_put.
// Source: Hascoet et al. 2017, 5.1.

//@ aos_put_spaced: aos_put_spaced aos_get_spaced
// Copies blocks between memory of this PE and a segment. In this PE's memory the blocks follow each other without gaps.
// In the segment they lie apart.
//   block_bytes  size of a block in bytes
//   blocks       number of blocks
//   pitch        bytes from the start of a block in the segment to the start of the next block
// Returns: as aos_put, or AOS_ERROR_ARGUMENT if the local blocks would reach past the end of memory.
// Source: Hascoet et al. 2017, 5.5.

//@ aos_put_sparse: aos_put_sparse aos_get_sparse
// Copies blocks that lie apart both in this PE's memory and in the segment.
//   local_pitch   bytes from the start of a block in `local` to the start of the next block
//   block_bytes   size of a block in bytes
//   blocks        number of blocks
//   remote_pitch  bytes from the start of a block in the segment to the start of the next block
// Returns: as aos_put, or AOS_ERROR_ARGUMENT if the local blocks would reach past the end of memory.
// Source: Hascoet et al. 2017, 5.5 (spaced remote, sparse local).

//@ aos_put_block2d: aos_put_block2d aos_get_block2d
// Copies a rectangle of width * height elements between two arrays of rows.
//   local         address of the local array; if local_point is NULL, address of the rectangle, whose rows then follow
//                 each other without gaps
//   local_point   size of the local array, xdim * ydim elements, and position of the rectangle in it
//   offset        offset of the segment's array in the segment, in bytes
//   remote_point  size of the segment's array and position of the rectangle in it; NULL: the rectangle's rows follow
//                 each other without gaps at `offset`
//   elem_bytes    size of an element in bytes
//   width, height  size of the rectangle in elements
// Returns: as aos_put, or AOS_ERROR_ARGUMENT if the rectangle leaves one of the arrays.
// Source: Hascoet et al. 2017, 5.5.

//@ aos_put_block3d: aos_put_block3d aos_get_block3d
// Copies a box of width * height * depth elements between two three-dimensional arrays. The arguments are as for
// aos_put_block2d.
// Returns: as aos_put, or AOS_ERROR_ARGUMENT if the box leaves one of the arrays.
// Source: Hascoet et al. 2017, 5.5.

AOS_INLINE(int, aos_put,
           (const void *local, const aos_segment_t *segment, uint64_t offset, size_t bytes, aos_event_t *event), {
               AOS_WHEN_CHECKING(skerry_aos_check_segment("aos_put", segment))
               AOS_WHEN_CHECKING(skerry_aos_check_local("aos_put", local, bytes, true))
               if (SKERRY_FAR_WATCHES && segment->is_far)
                   return skerry_aos_put_far(local, segment, offset, bytes, event);
               if (SKERRY_BEGUN_COPIES && event) return skerry_aos_begin_put(local, segment, offset, bytes, event);
               if (__builtin_expect(!skerry_aos_is_near(segment, offset, bytes), 0)) {
                   struct skerry_aos_shape shape = skerry_aos_line(bytes);
                   return skerry_aos_put("aos_put", local, segment, offset, &shape, event);
               }
               skerry_assume_near(segment->owner);
               skerry_put(segment->base + offset, local, bytes, segment->owner);
               skerry_aos_changed(segment);
               skerry_aos_happened(event);
               return AOS_SUCCESS;
           })

AOS_INLINE(int, aos_get, (void *local, const aos_segment_t *segment, uint64_t offset, size_t bytes, aos_event_t *event),
           {
               AOS_WHEN_CHECKING(skerry_aos_check_segment("aos_get", segment))
               AOS_WHEN_CHECKING(skerry_aos_check_local("aos_get", local, bytes, false))
               if (SKERRY_FAR_WATCHES && segment->is_far)
                   return skerry_aos_get_far(local, segment, offset, bytes, event);
               if (SKERRY_BEGUN_COPIES && event) return skerry_aos_begin_get(local, segment, offset, bytes, event);
               if (__builtin_expect(!skerry_aos_is_near(segment, offset, bytes), 0)) {
                   struct skerry_aos_shape shape = skerry_aos_line(bytes);
                   return skerry_aos_get("aos_get", local, segment, offset, &shape, event);
               }
               skerry_get(local, segment->base + offset, bytes, segment->owner);
               skerry_fence(); // orders this get before the next get
               skerry_aos_happened(event);
               return AOS_SUCCESS;
           })

AOS_DECLARE_BEGINS(int, aos_put_spaced,
                   (const void *local, const aos_segment_t *segment, uint64_t offset, size_t block_bytes, size_t blocks,
                    uint64_t pitch, aos_event_t *event),
                   (local, segment, offset, block_bytes, blocks, pitch, event))
AOS_DECLARE_BEGINS(int, aos_get_spaced,
                   (void *local, const aos_segment_t *segment, uint64_t offset, size_t block_bytes, size_t blocks,
                    uint64_t pitch, aos_event_t *event),
                   (local, segment, offset, block_bytes, blocks, pitch, event))
AOS_DECLARE_BEGINS(int, aos_put_sparse,
                   (const void *local, uint64_t local_pitch, const aos_segment_t *segment, uint64_t offset,
                    uint64_t remote_pitch, size_t block_bytes, size_t blocks, aos_event_t *event),
                   (local, local_pitch, segment, offset, remote_pitch, block_bytes, blocks, event))
AOS_DECLARE_BEGINS(int, aos_get_sparse,
                   (void *local, uint64_t local_pitch, const aos_segment_t *segment, uint64_t offset,
                    uint64_t remote_pitch, size_t block_bytes, size_t blocks, aos_event_t *event),
                   (local, local_pitch, segment, offset, remote_pitch, block_bytes, blocks, event))
AOS_DECLARE_BEGINS(int, aos_put_block2d,
                   (const void *local, const aos_point2d_t *local_point, const aos_segment_t *segment, uint64_t offset,
                    const aos_point2d_t *remote_point, size_t elem_bytes, int width, int height, aos_event_t *event),
                   (local, local_point, segment, offset, remote_point, elem_bytes, width, height, event))
AOS_DECLARE_BEGINS(int, aos_get_block2d,
                   (void *local, const aos_point2d_t *local_point, const aos_segment_t *segment, uint64_t offset,
                    const aos_point2d_t *remote_point, size_t elem_bytes, int width, int height, aos_event_t *event),
                   (local, local_point, segment, offset, remote_point, elem_bytes, width, height, event))
AOS_DECLARE_BEGINS(int, aos_put_block3d,
                   (const void *local, const aos_point3d_t *local_point, const aos_segment_t *segment, uint64_t offset,
                    const aos_point3d_t *remote_point, size_t elem_bytes, int width, int height, int depth,
                    aos_event_t *event),
                   (local, local_point, segment, offset, remote_point, elem_bytes, width, height, depth, event))
AOS_DECLARE_BEGINS(int, aos_get_block3d,
                   (void *local, const aos_point3d_t *local_point, const aos_segment_t *segment, uint64_t offset,
                    const aos_point3d_t *remote_point, size_t elem_bytes, int width, int height, int depth,
                    aos_event_t *event),
                   (local, local_point, segment, offset, remote_point, elem_bytes, width, height, depth, event))
