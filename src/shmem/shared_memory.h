// SPDX-License-Identifier: BSD-3-Clause
// Declares the routines for memory that no PE owns, which the specification does not have: the external memory of a
// chip, or a mapping that all processes of a node share.

//@ shmemx_shared_malloc: shmemx_shared_malloc shmemx_shared_free
// Allocates memory that belongs to no PE and has the same address in every PE: a PE can pass a pointer to this
// memory to another PE. The routines are not collective: one PE allocates a block, and any PE can free it. On a chip
// the routines allocate external memory, which is large and slow.
//   size  size in bytes; for 0 the routine returns NULL
//   ptr   start of a block, or NULL, for which the routine does nothing
// Returns: a block with unknown content, aligned to at least 8 bytes, or NULL if no free memory is large enough.
// Order: every PE loads from the memory and stores to it directly. The memory can be the local side of a put or get,
// blocking or not, but not the remote side. A PE sees the stores of another PE after that PE's shmem_quiet and a
// synchronisation of the two PEs.
// Errors: a pointer that is not the start of a block, or that was freed before, ends the job with an error message.
// Source: Skerry's own; the external memory in the papers Ross and Richie 2016 and Coduin 2016.

SKERRY_DECLARE(void *, shmemx_shared_malloc, (size_t size))
SKERRY_DECLARE(void, shmemx_shared_free, (void *ptr))
