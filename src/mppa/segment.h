// SPDX-License-Identifier: BSD-3-Clause
// Declares segments under the names of Kalray's MPPA processors: making and finding them, addresses in them, and memory
// of the DDR (an MPPA's large memory). mppa_async.h includes this header.
#ifndef SKERRY_MPPA_SEGMENT_H
#define SKERRY_MPPA_SEGMENT_H

//@ mppa_async_segment_create: mppa_async_segment_create mppa_async_segment_clone mppa_async_segment_destroy
// Creates, clones or destroys a segment or a queue. The routine mppa_async_segment_create makes a segment or a queue
// from memory of this program, under a number. mppa_async_segment_clone waits until a program has created a segment or
// a queue under the number, and makes a handle of it. mppa_async_segment_destroy ends the segment or the queue. For a
// clone it ends only the handle.
//   segment  set to the handle of this program
//   ident    number in the job, which no other segment and no queue has; less than UINT64_MAX - 2
//   local    the memory, of `size` bytes; a dequeue copies each message of a queue to this memory
//   size     size of a segment in bytes, not 0; for a queue, size of the largest message; for a clone, ignored
//   flags    0: a segment; one of MPPA_ASYNC_SEGMENT_FLAG_QUEUE0 to _QUEUE3: a queue
//   event    NULL, or an event, which has happened on return
//   multi, global  ignored
// Returns: 0; -1 if nothing was done.
// Errors: if another segment or queue has the number, the job ends with an error message. On simulated clusters so does a
// segment that is not memory of the program's cluster or DDR of its I/O node.
// Source: Hascoet et al. 2017, section 3. See aos_segment_create(3), aos_segment_clone(3), aos_queue_create(3).

int mppa_async_segment_create(mppa_async_segment_t *segment, unsigned long long ident, void *local, size_t size,
                              unsigned flags, int multi, mppa_async_event_t *event);
int mppa_async_segment_clone(mppa_async_segment_t *segment, unsigned long long ident, void *global, size_t size,
                             mppa_async_event_t *event);
int mppa_async_segment_destroy(mppa_async_segment_t *segment);
//@ mppa_async_default_segment: mppa_async_default_segment
// Returns the segment that is all memory of a program. Its offsets are addresses of that program. MPPA_ASYNC_DDR_0 is
// the segment of the master. MPPA_ASYNC_DDR_1 is the segment of the second I/O program. If there is none, it is only the memory
// that mppa_async_malloc allocates in DDR 1, and operations on other offsets return -1. MPPA_ASYNC_SMEM_0 is the segment
// of cluster 0. The program need not run yet: an operation on the segment waits until a program there may use segments.
//   server  0 to 15: a cluster; MPPA_ASYNC_SERVER_DDR0 or _IO0, MPPA_ASYNC_SERVER_DDR1 or _IO1: an I/O program
// Returns: the handle of the segment. The handle belongs to the library.
// Errors: another number ends the job with an error message. So does an operation if the program has ended or was never
// started, and the master cannot start another one because it waits too.
// Source: Kalray's public interface. See aos_segment_of_pe(3).

mppa_async_segment_t *mppa_async_default_segment(int server);
//@ mppa_async_offset: mppa_async_offset mppa_async_address
// Converts an address to its offset in a segment, or an offset to its address. The address is valid in the program that
// created the segment.
//   offset   offset in bytes; for a default segment it equals the address
//   address  for mppa_async_address: pointer to a pointer of any type, which receives the address
// Returns: 0; -1 if the address or the offset is not in the segment.
// Source: Kalray's public interface. See aos_offset(3), aos_pointer(3).

int mppa_async_offset(const mppa_async_segment_t *segment, const void *address, off64_t *offset);
int mppa_async_address(const mppa_async_segment_t *segment, off64_t offset, void *address);
#define mppa_async_address(SEGMENT, OFFSET, ADDRESS) (mppa_async_address)(SEGMENT, OFFSET, (void *)(ADDRESS))

//@ mppa_async_malloc: mppa_async_malloc mppa_async_memalign mppa_async_free mppa_async_smalloc mppa_async_smemalign mppa_async_sfree
// Allocates or frees memory of one of the two DDRs. DDR 1 needs no second I/O program. Any program may free a block. Puts, gets
// and atomics reach a block by the segment in which it was allocated. Every program can also load from a block and store to it:
// the block's address in every program is its offset. On simulated clusters such a load takes 48 cycles or more; real clusters
// have no path for it. On Linux SHMEM_SYMMETRIC_SIZE sets the size of this memory in each DDR, 1 GB if not set. On simulated
// clusters it is 128 MB in each DDR, for at most 131072 blocks.
//   segment    MPPA_ASYNC_DDR_0 or MPPA_ASYNC_DDR_1; a block must be freed in the segment in which it was allocated
//   alignment  a power of two, at most 1 GB, or 0
//   size       size in bytes
//   offset     receives the offset of the block; for mppa_async_free: the offset
//   event      NULL, or an event, which has happened on return
// Returns: 0; -1 if there is not enough memory, if the segment is not MPPA_ASYNC_DDR_0 or MPPA_ASYNC_DDR_1, or if the
// alignment is invalid.
// Errors: mppa_async_free of an offset that is not the start of a block, or of a block of the other DDR, ends the job with an
// error message.
// Source: Kalray's public interface. See aos_malloc(3).

int mppa_async_malloc(const mppa_async_segment_t *segment, size_t size, off64_t *offset, mppa_async_event_t *event);
int mppa_async_memalign(const mppa_async_segment_t *segment, size_t alignment, size_t size, off64_t *offset,
                        mppa_async_event_t *event);
int mppa_async_free(const mppa_async_segment_t *segment, off64_t offset, mppa_async_event_t *event);
#define mppa_async_smalloc mppa_async_malloc
#define mppa_async_smemalign mppa_async_memalign
#define mppa_async_sfree mppa_async_free

#endif
