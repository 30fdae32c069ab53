// SPDX-License-Identifier: BSD-3-Clause
// Memory management (specification, section 9.3): collective on the world team.

//@ shmem_malloc: shmem_malloc shmem_calloc shmem_align shmem_malloc_with_hints
// Allocates from the symmetric heap: the same offset on every PE. Collective on the world with equal arguments; ends with a
// barrier. Blocks may be freed in any order.
//   size       bytes; 0 returns NULL and does nothing
//   count      of elements of `size` bytes, set to zero (calloc)
//   alignment  a power of two, at least sizeof(void *) (align). The specification leaves others undefined: here 1, 2 and 4 give a
//              block with a larger alignment, and what is no power of two gives NULL; oshcc --check reports both
//   hints      SHMEM_MALLOC_ATOMICS_REMOTE, SHMEM_MALLOC_SIGNAL_REMOTE or 0; such blocks have cache lines of their own
// Returns: the block, or NULL on every PE when the heap has no room (SHMEM_SYMMETRIC_SIZE, oshrun --heap).
// Errors: different sizes on different PEs are undefined; oshcc --check reports them. A heap whose own words were written over,
// by a program that wrote past a block, ends the job with a line; oshcc --check also finds shorter overruns.
// Source: OpenSHMEM 1.6, memory management, SHMEM_MALLOC, SHMEM_CALLOC, SHMEM_ALIGN and SHMEM_MALLOC_WITH_HINTS.

//@ shmem_free: shmem_free
// Frees a block. Collective on the world; begins with a barrier. NULL does nothing.
//   ptr  start of a block
// Errors: a pointer that is no block's start, or was freed before, ends the job with a line.
// Source: OpenSHMEM 1.6, memory management, SHMEM_FREE.

//@ shmem_realloc: shmem_realloc
// Changes a block's size, keeping its first bytes; it may move. Collective on the world, with barriers.
//   ptr   start of a block, or NULL to allocate
//   size  bytes; 0 frees
// Returns: the block, or NULL when there is no room: then the old one is unchanged.
// Source: OpenSHMEM 1.6, memory management, SHMEM_REALLOC.

SKERRY_DECLARE(void *, shmem_malloc, (size_t size))
SKERRY_DECLARE(void *, shmem_calloc, (size_t count, size_t size))
SKERRY_DECLARE(void *, shmem_align, (size_t alignment, size_t size))
SKERRY_DECLARE(void *, shmem_malloc_with_hints, (size_t size, long hints))
SKERRY_DECLARE(void *, shmem_realloc, (void *ptr, size_t size))
SKERRY_DECLARE(void, shmem_free, (void *ptr))
