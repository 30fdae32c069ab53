// SPDX-License-Identifier: BSD-3-Clause
// Implements the memory management routines. Every PE runs the same deterministic allocator over its own heap. So equal
// calls give equal offsets, and the PEs need not communicate. These routines have barriers because the specification
// requires them.
#include "check_internal.h"
#include "memory_internal.h"

#include "../primitive/barrier.h"
#include "collective.h"

// Checks that the library is initialised, and sets up the heap if this is the first call that needs it. `first` and
// `second` are arguments of the routine; with checks, they are compared with those of the other PEs. `acts` is false
// for a call that does nothing (size 0, or NULL). A PE is allowed to make such a call alone, so its arguments are not
// compared.
static void agree(const char *routine, bool acts, uint64_t first, uint64_t second) {
    if (skerry_library.initializations == 0) skerry_fail(routine, skerry_not_running());
    if (SKERRY_HEAP_ON_DEMAND && !skerry_heap_has_begun) {
        skerry_memory_begin();
        skerry_heap_has_begun = true;
    }
    if (!acts) {
        SKERRY_WHEN_CHECKING(skerry_check_heap(routine))
        return;
    }
    SKERRY_WHEN_CHECKING(skerry_check_quiet(routine);
                         skerry_check_collective(routine, &skerry_team_world.group,
                                                 &(struct skerry_collective_call){.agreed = {first, second}}))
}

static void barrier_all(void) {
    skerry_complete_puts();
    skerry_barrier(&skerry_team_world.group);
}

static uint64_t offset_of(const void *block) {
    return block ? (uint64_t)((const unsigned char *)block - skerry_symmetric_heap.base) : 0;
}

const char *const skerry_heap_fault_texts[] = {
    [HEAP_FAULT_OUTSIDE] = "ptr @ is not in the symmetric heap",
    [HEAP_FAULT_INSIDE] = "ptr @ points into an allocated block, not at its start",
    [HEAP_FAULT_FREE] = "ptr @ was freed before, or never allocated",
    [HEAP_FAULT_CORRUPT] = "the heap's metadata at ptr @ was overwritten: something wrote past its block",
};

void skerry_refuse_heap_damage(const char *routine) {
    struct heap_damage damage;
    if (!skerry_symmetric_heap.base || !skerry_heap_find_damage(&skerry_symmetric_heap, &damage)) return;
    if (!damage.before)
        skerry_fail_values(routine,
                           "the heap's metadata before @ was overwritten: something wrote before the start of a "
                           "block there, or into memory "
                           "that is not allocated",
                           (long[]){(long)(uintptr_t)damage.at}, 1);
    skerry_fail_values(routine,
                       "the block of up to # bytes at @: something wrote past its end, over the heap's metadata "
                       "(oshcc --check tells more)",
                       (long[]){(long)damage.bytes, (long)(uintptr_t)damage.before}, 2);
}

static SKERRY_NORETURN void refuse(const char *routine, const void *block, enum heap_fault fault) {
    if (HEAP_SEALED && fault == HEAP_FAULT_CORRUPT) skerry_refuse_heap_damage(routine);
    skerry_fail_values(routine, skerry_heap_fault_texts[fault], (long[]){(long)(uintptr_t)block}, 1);
}

// Calls agree() for a routine that takes a block. With checks, first checks that `block` is the start of a block. So
// the error message for a wrong pointer names the pointer, and not a difference between the PEs.
static void agree_on_block(const char *routine, const void *block, size_t size) {
    SKERRY_WHEN_CHECKING(skerry_check_block(routine, block))
    agree(routine, block || size, offset_of(block), size);
}

static void heap_enter(void) {
    SKERRY_WHEN_CHECKING(skerry_check_enter())
}

static void heap_leave(void) {
    SKERRY_WHEN_CHECKING(skerry_check_leave())
}

// -- Allocation --------------------------------------------------------------------------------------------------------

static size_t heap_bytes_for(size_t bytes) {
    SKERRY_WHEN_CHECKING(return skerry_check_padded(bytes))
    return bytes;
}

static void *guard(void *block, size_t bytes) {
    SKERRY_WHEN_CHECKING(skerry_check_guard(block, bytes))
    (void)bytes;
    return block;
}

// Allocates a block, and its guard bytes if checks are on. Returns NULL if there is no space. The heap also returns
// NULL if its metadata was overwritten. On machines whose heap headers have seals (HEAP_SEALED), this function finds
// such an overwrite and ends the job with an error message.
static void *take(const char *routine, size_t bytes, size_t alignment) {
    heap_enter();
    void *block = skerry_symmetric_heap.base
                      ? guard(skerry_heap_allocate(&skerry_symmetric_heap, heap_bytes_for(bytes), alignment), bytes)
                      : 0;
    heap_leave();
    if (HEAP_SEALED && !block) skerry_refuse_heap_damage(routine);
    return block;
}

static void *allocate(const char *routine, size_t bytes, size_t alignment) {
    void *block = take(routine, bytes, alignment);
    barrier_all();
    return block;
}

SKERRY_DEFINE(void *, shmem_malloc, (size_t size)) {
    agree(__func__ + 1, size, size, 0);
    return size ? allocate(__func__ + 1, size, 0) : 0;
}

SKERRY_DEFINE(void *, shmem_malloc_with_hints, (size_t size, long hints)) {
    agree(__func__ + 1, size, size, (uint64_t)hints);
    // Atomics and signals work in all memory of the heap. With a hint for them the block begins at a cache line. So
    // accesses to other blocks do not slow down the atomics or signals on this block.
    size_t alignment = hints & (SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE) ? SKERRY_LINE : 0;
    return size ? allocate(__func__ + 1, size, alignment) : 0;
}

SKERRY_DEFINE(void *, shmem_align, (size_t alignment, size_t size)) {
    agree(__func__ + 1, size, alignment, size);
    SKERRY_WHEN_CHECKING(if (alignment < sizeof(void *) || alignment & (alignment - 1)) SKERRY_CHECK_FAIL(
        __func__ + 1, "alignment #: must be a power of two, and at least the size of a pointer", (long)alignment))
    // The heap returns NULL if `alignment` is not a power of two. For a power of two below HEAP_UNIT it aligns to
    // HEAP_UNIT.
    return size && alignment ? allocate(__func__ + 1, size, alignment) : 0;
}

SKERRY_DEFINE(void *, shmem_calloc, (size_t count, size_t size)) {
    agree(__func__ + 1, count && size, count, size);
    if (count == 0 || size == 0) return 0;
    void *block = size <= SIZE_MAX / count ? take(__func__ + 1, count * size, 0) : 0;
    if (block) __builtin_memset(block, 0, count * size);
    barrier_all();
    return block;
}

SKERRY_DEFINE(void, shmem_free, (void *ptr)) {
    agree_on_block(__func__ + 1, ptr, 0);
    if (!ptr) return;
    barrier_all(); // after the barrier no PE uses the block any more
    heap_enter();
    enum heap_fault fault =
        skerry_symmetric_heap.base ? skerry_heap_free(&skerry_symmetric_heap, ptr) : HEAP_FAULT_OUTSIDE;
    heap_leave();
    if (fault != HEAP_FAULT_NONE) refuse(__func__ + 1, ptr, fault);
}

// Copies `bytes` bytes. The ranges are allowed to overlap if `to` is lower than `from`. A piece is at most as long as
// the distance from `to` to `from`. So the source and the target of a piece do not overlap.
static void copy_down(void *to, const void *from, size_t bytes) {
    char *target = to;
    const char *source = from;
    size_t distance = (size_t)((uintptr_t)from - (uintptr_t)to);
    while (bytes > 0) {
        size_t piece = distance < bytes ? distance : bytes;
        skerry_copy(target, source, piece);
        target += piece;
        source += piece;
        bytes -= piece;
    }
}

SKERRY_DEFINE(void *, shmem_realloc, (void *ptr, size_t size)) {
    agree_on_block(__func__ + 1, ptr, size);
    if (!ptr) return size ? allocate(__func__ + 1, size, 0) : 0;
    enum heap_fault fault =
        skerry_symmetric_heap.base ? skerry_heap_check_pointer(&skerry_symmetric_heap, ptr) : HEAP_FAULT_OUTSIDE;
    if (fault != HEAP_FAULT_NONE) refuse(__func__ + 1, ptr, fault);
    barrier_all(); // after the barrier every put into the old block has arrived
    heap_enter();
    void *block = guard(skerry_heap_resize(&skerry_symmetric_heap, ptr, heap_bytes_for(size), copy_down), size);
    heap_leave();
    if (HEAP_SEALED && size && !block) skerry_refuse_heap_damage(__func__ + 1);
    if (size) barrier_all();
    return block;
}
