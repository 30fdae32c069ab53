// SPDX-License-Identifier: BSD-3-Clause
// Guards the blocks of the symmetric heap if checks are on. Every collective, every barrier and every routine of the
// heap checks the guard bytes of all blocks:
//
//     header | bytes asked for | guard bytes ... | size | ~size | header
//
// - At least GUARD_BYTES guard bytes follow the bytes that the program asked for. The guard bytes fill the block up to
//   its trailer.
// - The trailer is at the end of the block: the number of bytes that the program asked for, and its complement.
// - The heap's own header in front of a block guards the start of the block: the header has a seal (bits that reveal an
//   overwrite).
//
// Either all PEs of a job check or no PE checks (skerry_check_join). So a block has the same offset in all PEs.
#include "check_internal.h"
#include "memory_internal.h"

#define GUARD_BYTES 16

struct trailer {
    uint64_t bytes, complement;
};

#define OVERHEAD (GUARD_BYTES + sizeof(struct trailer))

// Returns the value of the guard byte with the index `place`. Neighbouring guard bytes have different values. So a
// write of one value over several guard bytes is detected.
static unsigned char guard_at(size_t place) {
    return (unsigned char)(0xa5 + 0x3d * place);
}

size_t skerry_check_padded(size_t bytes) {
    return bytes && bytes <= SIZE_MAX - OVERHEAD ? bytes + OVERHEAD : bytes;
}

static struct trailer *trailer_of(const void *block, size_t capacity) {
    return (struct trailer *)(void *)((char *)(uintptr_t)block + capacity - sizeof(struct trailer));
}

void skerry_check_guard(void *block, size_t bytes) {
    if (!block) return;
    size_t capacity = skerry_heap_block_size(&skerry_symmetric_heap, block);
    unsigned char *at = block;
    for (size_t i = bytes; i < capacity - sizeof(struct trailer); i++) at[i] = guard_at(i - bytes);
    *trailer_of(block, capacity) = (struct trailer){bytes, ~(uint64_t)bytes};
}

static bool is_intact(const struct trailer *trailer, size_t capacity) {
    return trailer->complement == ~trailer->bytes && trailer->bytes <= capacity - OVERHEAD;
}

// Returns the block that follows directly behind `block`, or NULL if free memory or the end of the heap follows. If the
// header behind `block` is damaged, the function cannot know if a block follows. The function then returns the address
// behind the header.
static const void *block_behind(const void *block, size_t capacity) {
    const char *behind = (const char *)block + capacity + sizeof(size_t);
    size_t unused;
    struct heap_damage damage;
    const void *next = skerry_heap_next_block(&skerry_symmetric_heap, block, &unused);
    if (next) return next == behind ? next : 0;
    return skerry_heap_find_damage(&skerry_symmetric_heap, &damage) && damage.at == behind ? behind : 0;
}

// Ends the job with an error message: `past` bytes were written past the end of a block. If `behind` is not NULL, the
// message adds that the program possibly wrote in front of the block at `behind` instead.
static SKERRY_NORETURN void fail_past_end(const char *routine, uint64_t bytes, const void *block, size_t past,
                                          const void *behind) {
    struct skerry_check_text text = {.length = 0};
    skerry_check_append(&text, bytes == 1 ? "the block of # byte at @" : "the block of # bytes at @");
    skerry_check_append(&text, past == 1 ? ": something wrote past its end, by # byte"
                                         : ": something wrote past its end, by # bytes");
    if (behind) skerry_check_append(&text, ", or in front of the block at @");
    skerry_check_fail(routine, text.at,
                      (long[]){(long)bytes, (long)(uintptr_t)block, (long)past, (long)(uintptr_t)behind},
                      behind ? 4 : 3);
}

// Checks the guard bytes and the trailer of a block. In two cases the program possibly wrote in front of the next
// block, and not past the end of this block:
// - The trailer was overwritten.
// - Guard bytes were overwritten, but the first guard byte was not.
// In both cases the error message also names the next block, if there is one.
static void check_guards_of_block(const char *routine, const void *block, size_t capacity) {
    const struct trailer *trailer = trailer_of(block, capacity);
    if (!is_intact(trailer, capacity)) {
        const void *behind = block_behind(block, capacity);
        SKERRY_CHECK_FAIL(
            routine,
            behind ? "the block of up to # bytes at @: something wrote past its end, by more than # bytes, or in front "
                     "of the block at @"
                   : "the block of up to # bytes at @: something wrote past its end, by more than # bytes",
            (long)(capacity - OVERHEAD), (long)(uintptr_t)block, GUARD_BYTES, (long)(uintptr_t)behind);
    }
    const unsigned char *end = (const unsigned char *)block + trailer->bytes;
    size_t past = (size_t)((const unsigned char *)trailer - end);
    while (past > 0 && end[past - 1] == guard_at(past - 1)) past--;
    const void *behind = past > 0 && end[0] == guard_at(0) ? block_behind(block, capacity) : 0;
    if (past > 0) fail_past_end(routine, trailer->bytes, block, past, behind);
}

// Checks the headers of the heap. The caller has already checked the guard bytes behind all blocks, so the program
// wrote past no block's end. The cause of a damaged header is a write in front of the block that follows the header.
static void check_headers(const char *routine) {
    struct heap_damage damage;
    if (!skerry_heap_find_damage(&skerry_symmetric_heap, &damage)) return;
    SKERRY_CHECK_FAIL(routine,
                      damage.before
                          ? "the block at @: something wrote before its start, over the heap's metadata"
                          : "the heap's metadata before @ was overwritten: something wrote before the start of a block "
                            "there, or into memory that is not allocated",
                      (long)(uintptr_t)damage.at);
}

void skerry_check_heap(const char *routine) {
    if (!skerry_symmetric_heap.base) return;
    skerry_check_enter();
    size_t capacity;
    const void *block = 0;
    while ((block = skerry_heap_next_block(&skerry_symmetric_heap, block, &capacity)))
        check_guards_of_block(routine, block, capacity);
    check_headers(routine);
    skerry_check_leave();
}

const void *skerry_heap_block(const void *address, size_t *bytes) {
    skerry_check_enter();
    size_t capacity;
    void *block =
        skerry_symmetric_heap.base ? skerry_heap_block_containing(&skerry_symmetric_heap, address, &capacity) : 0;
    if (block) {
        const struct trailer *trailer = trailer_of(block, capacity);
        *bytes = is_intact(trailer, capacity) ? (size_t)trailer->bytes : capacity - OVERHEAD;
    }
    skerry_check_leave();
    return block;
}

void skerry_check_block(const char *routine, const void *block) {
    skerry_check_running(routine);
    if (!block) return;
    skerry_check_heap(routine);
    skerry_check_enter();
    enum heap_fault fault =
        skerry_symmetric_heap.base ? skerry_heap_check_pointer(&skerry_symmetric_heap, block) : HEAP_FAULT_OUTSIDE;
    skerry_check_leave();
    if (fault != HEAP_FAULT_NONE) SKERRY_CHECK_FAIL(routine, skerry_heap_fault_texts[fault], (long)(uintptr_t)block);
}
