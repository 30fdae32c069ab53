// SPDX-License-Identifier: BSD-3-Clause
// Declares the collectives as functions on bytes and on a group of PEs. The routines of the specification have typed
// arrays, and a team or an active set. Those routines call these functions (broadcast.c, collect.c and so on).
#ifndef SKERRY_SHMEM_COLLECTIVE_H
#define SKERRY_SHMEM_COLLECTIVE_H

#include "../primitive/barrier.h"
#include "../primitive/shared_heap.h"
#include "team_internal.h"

// Type of a function that combines two arrays of `count` elements: for each i it sets accumulate[i] to the result of
// its operator for accumulate[i] and operand[i].
typedef void (*skerry_combine)(void *accumulate, const void *operand, size_t count);

// Copies `bytes` bytes at `source` of member `root` to `dest` of every other member. If `root_too` is true, also copies
// them to the root's own `dest`.
SKERRY_PRIVATE void skerry_broadcast(struct skerry_group *group, void *dest, const void *source, size_t bytes, int root,
                                     bool root_too);
// These functions concatenate the blocks of all members in the order of ranks, and store the result at `dest` of every
// member. In skerry_fcollect all blocks have `bytes` bytes. In skerry_collect `bytes` is the size of this member's
// block.
SKERRY_PRIVATE void skerry_fcollect(struct skerry_group *group, void *dest, const void *source, size_t bytes);
SKERRY_PRIVATE void skerry_collect(struct skerry_group *group, void *dest, const void *source, size_t bytes);
// Copies block j of `source`, for every member j, to block number `rank` of member j's `dest`. `rank` is this PE's rank
// in the group. A block has `bytes` bytes.
SKERRY_PRIVATE void skerry_alltoall(struct skerry_group *group, void *dest, const void *source, size_t bytes);
// Copies blocks as skerry_alltoall does. A block has `count` elements of `size` bytes. The elements are `source_stride`
// elements apart in `source`, and `dest_stride` elements apart in `dest`.
SKERRY_PRIVATE void skerry_alltoalls(struct skerry_group *group, void *dest, const void *source, ptrdiff_t dest_stride,
                                     ptrdiff_t source_stride, size_t size, size_t count);
// Combines `count` elements of `size` bytes of every member, in the order of ranks. Stores the result at `dest` of
// every member. `dest` can be equal to `source`.
SKERRY_PRIVATE void skerry_reduce(struct skerry_group *group, void *dest, const void *source, size_t count, size_t size,
                                  skerry_combine combine);
// Combines the elements of all members from member 0 to this member, and stores the result at this member's `dest`. If
// `exclusive` is true, this member's own elements are left out, and member 0 gets zeros.
SKERRY_PRIVATE void skerry_scan(struct skerry_group *group, void *dest, const void *source, size_t count, size_t size,
                                skerry_combine combine, bool exclusive);

// Each PE's system memory (symmetric memory for the library's own use) begins with the areas of the teams: the words by
// which the members of a team synchronise. System memory ends with a tail of SKERRY_TAIL_BYTES bytes. The tail begins
// with the words by which the checks of different PEs communicate (SKERRY_CHECK_BYTES bytes). The words of the heap for
// memory that no PE owns follow.
#define SKERRY_CHECK_BYTES (SKERRY_CAN_CHECK ? 8192 : 0)
#define SKERRY_TAIL_BYTES (sizeof(struct skerry_shared_heap_words) + SKERRY_CHECK_BYTES)

// These functions do what the functions without _writing in their names do, on machines on which PEs signal over
// channels (src/primitive/channel: one-way connections between two PEs). The files in write/ define them.
SKERRY_PRIVATE void skerry_broadcast_writing(const struct skerry_group *group, void *dest, const void *source,
                                             size_t bytes, int root, bool root_too);
SKERRY_PRIVATE void skerry_fcollect_writing(const struct skerry_group *group, char *dest, const void *source,
                                            size_t bytes);
SKERRY_PRIVATE void skerry_collect_writing(const struct skerry_group *group, char *dest, const void *source,
                                           size_t bytes);
SKERRY_PRIVATE void skerry_alltoall_writing(const struct skerry_group *group, char *dest, const char *source,
                                            size_t bytes);
SKERRY_PRIVATE void skerry_alltoalls_writing(const struct skerry_group *group, char *dest, const char *source,
                                             ptrdiff_t dest_stride, ptrdiff_t source_stride, size_t size, size_t count);
SKERRY_PRIVATE void skerry_reduce_writing(const struct skerry_group *group, char *dest, const char *source,
                                          size_t count, size_t size, skerry_combine combine);
SKERRY_PRIVATE void skerry_scan_writing(const struct skerry_group *group, char *dest, const char *source, size_t count,
                                        size_t size, skerry_combine combine, bool exclusive);

// These functions do what the functions without _levels in their names do, for groups with members on several nodes
// (../primitive/levels.h). The files in levels/ define them, on machines with SKERRY_FAR_PES.
SKERRY_PRIVATE void skerry_broadcast_levels(struct skerry_group *group, void *dest, const void *source, size_t bytes,
                                            int root, bool root_too);
SKERRY_PRIVATE void skerry_fcollect_levels(struct skerry_group *group, char *dest, const void *source, size_t bytes);
SKERRY_PRIVATE void skerry_collect_levels(struct skerry_group *group, char *dest, const void *source, size_t bytes);
SKERRY_PRIVATE void skerry_alltoall_levels(struct skerry_group *group, char *dest, const char *source, size_t bytes);
SKERRY_PRIVATE void skerry_alltoalls_levels(struct skerry_group *group, char *dest, const char *source,
                                            ptrdiff_t dest_stride, ptrdiff_t source_stride, size_t size, size_t count);
SKERRY_PRIVATE void skerry_reduce_levels(struct skerry_group *group, void *dest, const void *source, size_t count,
                                         size_t size, skerry_combine combine);
SKERRY_PRIVATE void skerry_scan_levels(struct skerry_group *group, char *dest, const char *source, size_t count,
                                       size_t size, skerry_combine combine, bool exclusive);

// These functions switch on the checks in all PEs if at least one PE asks for checks. The set-up of the library calls
// them:
// 1. skerry_check_announce before its barrier,
// 2. skerry_check_share after this barrier,
// 3. skerry_check_join, after another barrier in a job of several nodes. Then the checks are on in all PEs or in no PE.
SKERRY_PRIVATE void skerry_check_announce(void);
SKERRY_PRIVATE void skerry_check_share(void);
SKERRY_PRIVATE void skerry_check_join(void);
// Checks that the program has not written past the end, or before the start, of any block of the symmetric heap.
SKERRY_PRIVATE void skerry_check_heap(const char *routine);

// Arguments of a collective. The checks compare them between the members before the collective begins. Sizes are counts
// of elements, as the caller passed them, because a size in bytes could overflow. If a product of two counts overflows,
// the field is SIZE_MAX, which is more elements than any object has.
struct skerry_collective_call {
    const void *dest;
    size_t dest_count; // elements; 0: not known
    const void *source;
    size_t source_count;
    size_t size;        // size of an element in bytes
    uint64_t agreed[3]; // arguments that must be equal in all members, for example counts, strides and the root
};
// Returns the product, or SIZE_MAX if the product overflows.
static inline size_t skerry_check_product(size_t first, size_t second) {
    size_t product;
    return __builtin_mul_overflow(first, second, &product) ? SIZE_MAX : product;
}
// Returns the extent, in elements, of `count` blocks of `block` elements whose starts are `stride` elements apart: the
// number of elements from the start of the first block to the end of the last block. Returns SIZE_MAX if this number
// overflows.
SKERRY_PRIVATE size_t skerry_check_extent(ptrdiff_t stride, size_t block, size_t count);
SKERRY_PRIVATE void skerry_check_collective(const char *routine, struct skerry_group *group,
                                            const struct skerry_collective_call *call);
// These functions check the work arrays of a collective on an active set. pSync must be a symmetric array of the right
// size whose elements are SHMEM_SYNC_VALUE. pWrk must be a symmetric array that is large enough for a reduction of
// `count` elements of `size` bytes. The specification requires both arrays, even if the library does not need them.
SKERRY_PRIVATE void skerry_check_sync_array(const char *routine, const long *array);
SKERRY_PRIVATE void skerry_check_reduce_array(const char *routine, const void *array, int count, size_t size);

#endif
