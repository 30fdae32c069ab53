// SPDX-License-Identifier: BSD-3-Clause
// The collectives by bytes and groups; the chapters' files give them names and types.
#ifndef SKERRY_SHMEM_COLLECTIVE_H
#define SKERRY_SHMEM_COLLECTIVE_H

#include "../primitive/barrier.h"
#include "../primitive/shared_heap.h"
#include "team_internal.h"

// Element-wise accumulate[i] = accumulate[i] op operand[i].
typedef void (*skerry_combine)(void *accumulate, const void *operand, size_t count);

// Copies `bytes` at `source` of member `root` to `dest` of every other member, and of the root where `root_too`.
SKERRY_PRIVATE void skerry_broadcast(struct skerry_group *group, void *dest, const void *source, size_t bytes, int root,
                                     bool root_too);
// Concatenates blocks in the order of ranks at `dest` of every member: all of `bytes`, or each of its own.
SKERRY_PRIVATE void skerry_fcollect(struct skerry_group *group, void *dest, const void *source, size_t bytes);
SKERRY_PRIVATE void skerry_collect(struct skerry_group *group, void *dest, const void *source, size_t bytes);
// Block j of `source` goes to block `rank` of `dest` of member j.
SKERRY_PRIVATE void skerry_alltoall(struct skerry_group *group, void *dest, const void *source, size_t bytes);
// The same with blocks of `count` elements of `size` bytes that stand `dest_stride` and `source_stride` elements apart.
SKERRY_PRIVATE void skerry_alltoalls(struct skerry_group *group, void *dest, const void *source, ptrdiff_t dest_stride,
                                     ptrdiff_t source_stride, size_t size, size_t count);
// Combines `count` elements of `size` bytes of every member, in the order of ranks, at `dest` of every member. `dest` may
// be `source`.
SKERRY_PRIVATE void skerry_reduce(struct skerry_group *group, void *dest, const void *source, size_t count, size_t size,
                                  skerry_combine combine);
// The same over the members up to this one, or before this one where `exclusive` (member 0 then gets zeros).
SKERRY_PRIVATE void skerry_scan(struct skerry_group *group, void *dest, const void *source, size_t count, size_t size,
                                skerry_combine combine, bool exclusive);

// What lies at the end of each PE's system memory, behind the areas of the teams: what the checks tell one another, then words of
// the shared memory's heap.
#define SKERRY_CHECK_BYTES (SKERRY_CAN_CHECK ? 4096 : 0)
#define SKERRY_TAIL_BYTES (sizeof(struct skerry_shared_heap_words) + SKERRY_CHECK_BYTES)

// The same where PEs signal over channels (write/).
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

// Around the barrier of set-up: after it all PEs check, or none does.
SKERRY_PRIVATE void skerry_check_announce(void);
SKERRY_PRIVATE void skerry_check_join(void);
// Nothing was written past a block of the symmetric heap, or before its start.
SKERRY_PRIVATE void skerry_check_heap(const char *routine);

// What the checking build compares between members before a collective begins. The counts are of elements, as the caller
// gave them: bytes could overflow. A product of counts that overflows is SIZE_MAX, more than there can be.
struct skerry_collective_call {
    const void *dest;
    size_t dest_count; // 0: not known
    const void *source;
    size_t source_count;
    size_t size;        // of an element, in bytes
    uint64_t agreed[3]; // arguments that must be equal in all members: counts, strides, root
};
// Returns the product, or SIZE_MAX if it overflows.
static inline size_t skerry_check_product(size_t first, size_t second) {
    size_t product;
    return __builtin_mul_overflow(first, second, &product) ? SIZE_MAX : product;
}
// Returns the number of elements from the first to the last of `count` blocks of `block` elements whose starts are `stride`
// elements apart; SIZE_MAX if that overflows.
SKERRY_PRIVATE size_t skerry_check_extent(ptrdiff_t stride, size_t block, size_t count);
SKERRY_PRIVATE void skerry_check_collective(const char *routine, struct skerry_group *group,
                                            const struct skerry_collective_call *call);
// The work arrays of a collective on an active set: there, and of their size; of a reduction of `count` elements of `size`
// bytes. They are part of the call's contract even where the library can do without them.
SKERRY_PRIVATE void skerry_check_sync_array(const char *routine, const long *array);
SKERRY_PRIVATE void skerry_check_reduce_array(const char *routine, const void *array, int count, size_t size);

#endif
