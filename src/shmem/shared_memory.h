// SPDX-License-Identifier: BSD-3-Clause
// Memory that no PE owns (beyond the specification): a chip's external memory, a mapping that all processes of a node share.

//@ shmemx_shared_malloc: shmemx_shared_malloc shmemx_shared_free
// Allocates memory that belongs to no PE and has the same address in every PE, so that a pointer to it may be handed
// around. Not collective: one PE calls it, any PE may free the block. On a chip it is the external memory, large and slow.
//   size  bytes; 0 returns NULL
//   ptr   start of a block, or NULL, which does nothing
// Returns: a block aligned to 8 bytes at least, with unknown content, or NULL when there is no room.
// Order: every PE loads from and stores to it directly; it may be the local side of put, get and their non-blocking forms, not the
// remote one. What one PE stores there another sees after the first one's shmem_quiet and a synchronisation.
// Errors: a pointer that is no block's start, or was freed before, ends the job with a line.
// Source: Skerry's own; the external memory of Ross and Richie 2016 and Coduin 2016.

SKERRY_DECLARE(void *, shmemx_shared_malloc, (size_t size))
SKERRY_DECLARE(void, shmemx_shared_free, (void *ptr))
