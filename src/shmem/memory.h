// SPDX-License-Identifier: BSD-3-Clause
// Declares the routines for memory management (specification, section 9.3). All routines are collective on the world
// team.

//@ shmem_malloc: shmem_malloc shmem_calloc shmem_align shmem_malloc_with_hints
// Allocates a block from the symmetric heap, at the same offset on every PE. The routine is collective on the world
// team with equal arguments, and ends with a barrier. A program can free blocks in any order.
//   size       size in bytes; for 0 the routine returns NULL and does nothing
//   count      (shmem_calloc) number of elements of `size` bytes, which are set to zero
//   alignment  (shmem_align) a power of two, at least sizeof(void *). The specification leaves other values undefined.
//              Here 1, 2 and 4 give a block with a larger alignment, and a value that is not a power of two gives NULL;
//              oshcc --check reports all these values
//   hints      SHMEM_MALLOC_ATOMICS_REMOTE, SHMEM_MALLOC_SIGNAL_REMOTE or 0; a hint gives the block its own cache lines
// Returns: the block, or NULL on every PE if the heap has no free block that is large enough. SHMEM_SYMMETRIC_SIZE or
// oshrun --heap sets the size of the heap.
// Errors: different sizes on different PEs are undefined; oshcc --check reports them. If the program wrote past a block
// and so overwrote the heap's metadata, the job ends with an error message. oshcc --check also finds shorter overruns.
// Source: OpenSHMEM 1.6, memory management, SHMEM_MALLOC, SHMEM_CALLOC, SHMEM_ALIGN and SHMEM_MALLOC_WITH_HINTS.

//@ shmem_free: shmem_free
// Frees a block. The routine is collective on the world team and begins with a barrier. For NULL it does nothing.
//   ptr  start of a block
// Errors: a pointer that is not the start of a block, or that was freed before, ends the job with an error message.
// Source: OpenSHMEM 1.6, memory management, SHMEM_FREE.

//@ shmem_realloc: shmem_realloc
// Changes the size of a block, and keeps its first bytes. The block can move to another address. The routine is
// collective on the world team and has barriers.
//   ptr   start of a block, or NULL to allocate one
//   size  new size in bytes; 0 frees the block
// Returns: the block, or NULL if the heap has no free block that is large enough; in this case the old block is
// unchanged.
// Source: OpenSHMEM 1.6, memory management, SHMEM_REALLOC.

SKERRY_DECLARE(void *, shmem_malloc, (size_t size))
SKERRY_DECLARE(void *, shmem_calloc, (size_t count, size_t size))
SKERRY_DECLARE(void *, shmem_align, (size_t alignment, size_t size))
SKERRY_DECLARE(void *, shmem_malloc_with_hints, (size_t size, long hints))
SKERRY_DECLARE(void *, shmem_realloc, (void *ptr, size_t size))
SKERRY_DECLARE(void, shmem_free, (void *ptr))
