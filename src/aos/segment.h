// SPDX-License-Identifier: BSD-3-Clause
// Window segments: memory with a number, and how other PEs come by it.

//@ aos_segment_create: aos_segment_create
// Makes a segment of [base, base + bytes) and publishes it under a number. The memory may be symmetric (the heap's; static
// data), of no PE (aos_malloc, shmemx_shared_malloc): others then reach it by load and store; or any other (malloc, a stack): by a
// copy of the system's where that is allowed, else this PE serves them whenever it waits or calls aos_progress.
//   segment  becomes this PE's own handle
//   id       number in the job, any but UINT64_MAX
//   base     may be NULL when `bytes` is 0
//   options  what to choose; NULL: every protocol, the usual waiting, all PEs, published
// Returns: AOS_SUCCESS; AOS_ERROR_EXISTS: the number is taken; AOS_ERROR_PROTOCOL: the memory cannot have a protocol that was
// asked for; AOS_ERROR_ARGUMENT; AOS_ERROR_MEMORY; AOS_ERROR_STATE.
// Source: Hascoet et al. 2017, section 3.

//@ aos_segment_publish: aos_segment_publish
// Lets other PEs find a segment that was created with AOS_UNPUBLISHED. What this PE wrote before is there for whoever clones it.
// Returns: AOS_SUCCESS; AOS_ERROR_BINDING: a clone; AOS_ERROR_GONE.

//@ aos_segment_clone: aos_segment_clone
// Finds a segment by its number and makes a handle of it.
//   flags  0: waits until it is published, and serves meanwhile. AOS_TRY: does not wait.
// Returns: AOS_SUCCESS; AOS_ERROR_NOT_FOUND; AOS_ERROR_BINDING: not for this PE; AOS_ERROR_PROTOCOL: it is a queue;
// AOS_ERROR_ARGUMENT; AOS_ERROR_STATE.
// Order: acquires: what its creator wrote before publishing is there.

//@ aos_segment_destroy: aos_segment_destroy
// By the handle that aos_segment_create made: ends the segment, whose number is free again. By a clone: gives that up. The memory stays
// the program's. Accesses through clones that are left are mistakes: found where that costs nothing, and with `oshcc --check`.
// Returns: AOS_SUCCESS; AOS_ERROR_GONE.

//@ aos_segment_of_pe: aos_segment_of_pe
// A handle of all memory of a PE, whatever program it runs: the offset is an address there. Waits until the PE has called aos_init.
//   pe     rank in the job
//   flags  0, or AOS_TRY: AOS_ERROR_NOT_FOUND instead of waiting
// Returns: AOS_SUCCESS; AOS_ERROR_ARGUMENT: no such PE; AOS_ERROR_NOT_FOUND; AOS_ERROR_STATE. Accesses to places where another PE
// has nothing mapped, and changes of what it may not write, return AOS_ERROR_FAULT. In this PE's own memory they are loads and
// stores, which crash there; built with `oshcc --check`, the job ends with a line that names the offset.

//@ aos_segment_of_shared: aos_segment_of_shared
// A handle of the memory that no PE owns, as a whole: aos_offset turns a pointer that aos_malloc returned into an offset.
// Returns: AOS_SUCCESS; AOS_ERROR_MEMORY: the machine has none; AOS_ERROR_ARGUMENT; AOS_ERROR_STATE.

//@ aos_pointer: aos_pointer
// Address by which this PE loads from and stores to a near segment; NULL: the segment is not near, does not support it, or
// [offset, offset + bytes) is not inside it. Stores wake nobody: aos_fence, or an atomic after them, does.

//@ aos_offset: aos_offset
// Offset of a near address in a segment, the inverse of aos_pointer; UINT64_MAX where it is not inside.

//@ aos_segment_bytes: aos_segment_bytes aos_segment_id aos_segment_owner
// Size in bytes, number, and creating PE of a segment.

//@ aos_malloc: aos_malloc aos_free
// Memory that no PE owns, at the same address in every PE: allocates; frees, from any PE. The same memory as shmemx_shared_malloc's.
// Returns: aligned to 16 bytes, on a chip to 8, or NULL.

AOS_DECLARE(int, aos_segment_create,
            (aos_segment_t * segment, uint64_t id, void *base, uint64_t bytes, const aos_options_t *options))
AOS_DECLARE(int, aos_segment_publish, (aos_segment_t * segment))
AOS_DECLARE(int, aos_segment_clone, (aos_segment_t * segment, uint64_t id, uint32_t flags))
AOS_DECLARE(int, aos_segment_destroy, (aos_segment_t * segment))
AOS_DECLARE(int, aos_segment_of_pe, (aos_segment_t * segment, int pe, uint32_t flags))
AOS_DECLARE(int, aos_segment_of_shared, (aos_segment_t * segment))
AOS_DECLARE(void *, aos_pointer, (const aos_segment_t *segment, uint64_t offset, uint64_t bytes))
AOS_DECLARE(uint64_t, aos_offset, (const aos_segment_t *segment, const void *address))
AOS_DECLARE(uint64_t, aos_segment_bytes, (const aos_segment_t *segment))
AOS_DECLARE(uint64_t, aos_segment_id, (const aos_segment_t *segment))
AOS_DECLARE(int, aos_segment_owner, (const aos_segment_t *segment))
AOS_DECLARE(void *, aos_malloc, (size_t bytes))
AOS_DECLARE(void, aos_free, (void *block))
