// SPDX-License-Identifier: BSD-3-Clause
// Declares window segments: ranges of memory with a number by which other PEs find them.

//@ aos_segment_create: aos_segment_create
// Makes a segment of [base, base + bytes) and publishes it under a number. Other PEs reach symmetric memory (the
// symmetric heap, static data) by load and store. The same is true for memory that no PE owns (aos_malloc,
// shmemx_shared_malloc). Any other memory (malloc, a stack) is private. Other PEs put to private memory and get from it
// by the kernel's copy between processes. If the kernel does not allow that, and for atomics, other PEs send requests.
// This PE runs requests whenever it waits or calls aos_progress.
//   segment  place for this PE's own handle
//   id       number of the segment in the job; any number except UINT64_MAX
//   base     first byte of the memory; may be NULL if `bytes` is 0
//   options  protocols, waiting, PEs and flags. NULL: the segment has all protocols that the memory can have. It has
//            default waiting, all PEs may clone it, and it is published at once
// Returns: AOS_SUCCESS or AOS_ERROR_STATE. AOS_ERROR_ARGUMENT: an argument is wrong, or (on machines that know all memory
// of a PE, such as mppa) not all of [base, base + bytes) is memory of this PE. Elsewhere a put or get of such memory returns
// AOS_ERROR_FAULT. AOS_ERROR_EXISTS: the number is taken. AOS_ERROR_PROTOCOL: the memory cannot have a protocol that
// `options` names. AOS_ERROR_MEMORY: no table entry is left.
// Source: Hascoet et al. 2017, section 3.

//@ aos_segment_publish: aos_segment_publish
// Lets other PEs find a segment that was created with AOS_UNPUBLISHED. A PE that clones the segment sees all that this
// PE wrote before the call.
// Returns: AOS_SUCCESS, AOS_ERROR_BINDING if the handle is a clone, or AOS_ERROR_GONE.

//@ aos_segment_clone: aos_segment_clone
// Finds a segment by its number and makes a clone, a handle of the segment.
//   flags  0: waits until the segment is published, and runs requests of other PEs meanwhile. AOS_TRY: does not wait.
// Returns: AOS_SUCCESS, AOS_ERROR_ARGUMENT or AOS_ERROR_STATE. AOS_ERROR_NOT_FOUND (only with AOS_TRY): the segment is
// not published. AOS_ERROR_BINDING: the segment is not for this PE. AOS_ERROR_PROTOCOL: the number belongs to a queue.
// Order: an acquire. Data that the creator wrote before it published the segment is visible.

//@ aos_segment_destroy: aos_segment_destroy
// Destroys a segment or gives up a clone. If `segment` is the handle that aos_segment_create made, ends the segment,
// and its number is free again. If `segment` is a clone, only makes the clone invalid. The memory remains the
// program's. An access through a clone of a destroyed segment is a mistake of the program. The library detects this
// mistake if the test costs nothing, and in programs built with `oshcc --check`.
// Returns: AOS_SUCCESS or AOS_ERROR_GONE.

//@ aos_segment_of_pe: aos_segment_of_pe
// Makes a handle of all memory of a PE, whichever program that PE runs. An offset in the segment is an address in that
// PE. Waits until the PE has called aos_init.
//   pe     rank in the job
//   flags  0, or AOS_TRY: returns AOS_ERROR_NOT_FOUND instead of waiting
// Returns: AOS_SUCCESS, AOS_ERROR_STATE, AOS_ERROR_ARGUMENT if there is no such PE, or AOS_ERROR_NOT_FOUND (only with
// AOS_TRY). The handle can be used for any address. If PE `pe` is another PE, a later access returns AOS_ERROR_FAULT if
// that PE has no memory at the address or must not write to it. If PE `pe` is this PE, accesses are loads and stores:
// an access to an address without memory crashes the program. In a program built with `oshcc --check`, such an access
// ends the job with an error message that names the offset.

//@ aos_segment_of_shared: aos_segment_of_shared
// Makes a handle of all memory that no PE owns. The routine aos_offset turns a pointer that aos_malloc returned into an
// offset.
// Returns: AOS_SUCCESS, AOS_ERROR_MEMORY if the machine has no such memory, AOS_ERROR_ARGUMENT or AOS_ERROR_STATE.

//@ aos_pointer: aos_pointer
// Returns the address by which this PE loads from and stores to the part [offset, offset + bytes) of a segment. Returns
// NULL if the part is not inside the segment, or is private memory of another PE. Also returns NULL if the segment was
// created without AOS_LOAD_STORE and the part is not private memory of this PE. A store by this address does not wake
// PEs that wait for the word. A later aos_fence, or an atomic after the store, wakes them.

//@ aos_offset: aos_offset
// Returns the offset in a segment of the byte at `address`. Returns UINT64_MAX if the byte is not inside the segment.
// `address` must be an address by which this PE accesses the byte, for example an address that aos_pointer returned.

//@ aos_segment_bytes: aos_segment_bytes aos_segment_id aos_segment_owner
// Returns the size of a segment in bytes, its number, or the rank of the PE that created it.

//@ aos_malloc: aos_malloc aos_free
// Allocates and frees memory that no PE owns and that has the same address in every PE. Any PE may free a block.
// shmemx_shared_malloc allocates from the same memory.
// Returns: aos_malloc returns a block that is aligned to 16 bytes (8 bytes on a chip), or NULL if there is no space.

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
