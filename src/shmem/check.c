// SPDX-License-Identifier: BSD-3-Clause
// Checks single calls: that the caller is allowed to call the routine now, that the PEs exist, and that the memory is
// valid. Each check uses only the call's arguments and the state of this PE. check_nbi.c compares several calls of a
// PE. check_collective.c compares calls of several PEs.
#include "check_internal.h"
#include "memory_internal.h"

// -- Who ---------------------------------------------------------------------------------------------------------------

void skerry_check_running(const char *routine) {
    if (skerry_library.initializations == 0) skerry_check_fail(routine, skerry_not_running(), 0, 0);
}

void skerry_check_may_wait(const char *routine) {
    if (!skerry_in_handler()) return;
    struct skerry_check_text text = {.length = 0};
    skerry_check_append(&text, "called by ");
    skerry_check_append(&text, skerry_handled_function ? skerry_handled_function : "a handler");
    skerry_check_append(&text, ", which runs for another PE and must not wait");
    skerry_check_fail(routine, text.at, 0, 0);
}

static int team_size_of(const struct skerry_context *context) {
    return context && context != SHMEM_CTX_DEFAULT ? context->size : skerry_pe_count();
}

static void check_rank(const char *routine, const struct skerry_context *context, int pe) {
    int size = team_size_of(context);
    if (pe >= 0 && pe < size) return;
    SKERRY_CHECK_FAIL(
        routine, size == skerry_pe_count() ? "pe #: the job has PEs 0 to #" : "pe #: the context's team has PEs 0 to #",
        pe, size - 1);
}

void skerry_check_context_options(const char *routine, long options) {
    if (options & ~SKERRY_CONTEXT_OPTIONS)
        SKERRY_CHECK_FAIL(
            routine, "options @: must be SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE and SHMEM_CTX_NOSTORE combined, or 0",
            options);
}

// The context argument of the shmem_ctx_ routine that this thread is in. skerry_check_context sets it, and the other
// checks of the same call read it.
static _Thread_local const struct skerry_context *context_in_use;

const struct skerry_context *skerry_check_context_of(const char *routine) {
    return skerry_check_contains(routine, "shmem_ctx_") ? context_in_use : SHMEM_CTX_DEFAULT;
}

void skerry_check_is_context(const char *routine, const struct skerry_context *context) {
    skerry_check_running(routine);
    if (context && !skerry_is_context(context))
        SKERRY_CHECK_FAIL(routine, "ctx @: must be a context that shmem_ctx_create or shmem_team_create_ctx made",
                          (long)(uintptr_t)context);
}

void skerry_check_is_team(const char *routine, const struct skerry_team *team) {
    skerry_check_running(routine);
    if (team && !skerry_is_team(team))
        SKERRY_CHECK_FAIL(routine, "team @: must be a predefined team, or one that a team split made",
                          (long)(uintptr_t)team);
}

void skerry_check_context(const char *routine, const struct skerry_context *context, int pe) {
    skerry_check_is_context(routine, context);
    if (context == SHMEM_CTX_INVALID) skerry_check_fail(routine, "ctx: must not be SHMEM_CTX_INVALID", 0, 0);
    long where = (long)(uintptr_t)context;
    if (context->size <= 0) SKERRY_CHECK_FAIL(routine, "ctx @: was destroyed, by itself or with its team", where);
    if (context->options & SHMEM_CTX_PRIVATE && context->thread != skerry_thread_identity())
        SKERRY_CHECK_FAIL(routine, "ctx @: is private (SHMEM_CTX_PRIVATE) to the thread that created it, not this one",
                          where);
    check_rank(routine, context, pe);
    context_in_use = context;
}

static void check_target(const char *routine, int pe) {
    skerry_check_running(routine);
    check_rank(routine, 0, pe);
}

// -- Which memory ------------------------------------------------------------------------------------------------------

uintptr_t skerry_check_place(const void *address) {
    if (!skerry_is_symmetric(address, 1)) return (uintptr_t)address;
    bool own = skerry_localize(address) == address;
    return own ? (uintptr_t)skerry_global(address, skerry_my_pe()) : (uintptr_t)address;
}

bool skerry_check_overlap(uintptr_t first, size_t first_bytes, uintptr_t second, size_t second_bytes) {
    if (!first_bytes || !second_bytes) return false;
    return first < second ? second - first < first_bytes : first - second < second_bytes;
}

static SKERRY_NORETURN void fail_argument(const char *routine, const char *name, const char *rule, const long *values,
                                          int count) {
    struct skerry_check_text text = {.length = 0};
    skerry_check_append(&text, name);
    skerry_check_append(&text, rule);
    skerry_check_fail(routine, text.at, values, count);
}

static void check_inside_block(const char *routine, const char *name, const void *address, size_t bytes) {
    size_t block_bytes = 0;
    const char *own = skerry_localize(address), *block = skerry_heap_block(own, &block_bytes);
    long at = (long)(uintptr_t)address;
    if (!block)
        fail_argument(routine, name, " @: is in no block of the symmetric heap: freed before, or never allocated",
                      (long[]){at}, 1);
    size_t offset = (size_t)(own - block);
    if (offset > block_bytes || bytes > block_bytes - offset)
        fail_argument(routine, name, " @: # bytes from byte # on reach past the end of the block of # bytes",
                      (long[]){at, (long)bytes, (long)offset, (long)block_bytes}, 4);
}

// Reports an argument with more bytes than any object can have. The error message shows the count that the routine
// received, because the usual cause is a negative count.
static SKERRY_NORETURN void fail_huge(const char *routine, const char *name, const void *address, size_t count,
                                      size_t size) {
    struct skerry_check_text text = {.length = 0};
    skerry_check_append(&text, name);
    skerry_check_append(&text, " @: ");
    skerry_check_append_number(&text, count);
    skerry_check_append(
        &text, size == 1 ? " bytes from there on reach past the end of any object (a negative count?)"
                         : " elements of # bytes from there on reach past the end of any object (a negative count?)");
    skerry_check_fail(routine, text.at, (long[]){(long)(uintptr_t)address, (long)size}, 2);
}

// Checks a symmetric or a global address: from the address on, the object must have at least `count` elements of `size`
// bytes. Symmetric objects have the same place in all PEs, so this PE's own object is examined.
static void check_object(const char *routine, const char *name, const void *address, size_t count, size_t size) {
    size_t bytes = skerry_check_product(count, size), heap_bytes;
    uintptr_t heap = (uintptr_t)skerry_heap_memory(&heap_bytes), own = (uintptr_t)skerry_localize(address);
    if (bytes > PTRDIFF_MAX) fail_huge(routine, name, address, count, size);
    if (own - heap < heap_bytes) check_inside_block(routine, name, address, bytes);
    else if (!skerry_is_symmetric((const void *)own, bytes))
        fail_argument(routine, name, " @: # bytes from there on reach past the end of the program's static data",
                      (long[]){(long)(uintptr_t)address, (long)bytes}, 2);
}

void skerry_check_symmetric(const char *routine, const char *name, const void *address, size_t count, size_t size) {
    if (count && (uintptr_t)address & ((size & -size) - 1))
        fail_argument(routine, name, " @: must be a multiple of the elements' size, # bytes",
                      (long[]){(long)(uintptr_t)address, (long)size}, 2);
    skerry_check_elements(routine, name, address, count, size);
}

void skerry_check_elements(const char *routine, const char *name, const void *address, size_t count, size_t size) {
    if (count == 0) return;
    long at = (long)(uintptr_t)address;
    if (!address) fail_argument(routine, name, ": must be a symmetric address, not NULL", 0, 0);
    if (!skerry_is_symmetric(address, 1))
        fail_argument(routine, name,
                      " @: is not symmetric: neither static data of the program nor in the symmetric heap",
                      (long[]){at}, 1);
    if (skerry_localize(address) != address && !skerry_check_uses_global())
        fail_argument(routine, name, " @: is a pointer from shmem_ptr, not a symmetric address", (long[]){at}, 1);
    check_object(routine, name, address, count, size);
}

void skerry_check_own_elements(const char *routine, const char *name, const void *address, size_t count, size_t size) {
    skerry_check_elements(routine, name, address, count, size);
    if (count == 0 || skerry_localize(address) == address || skerry_owner(address) == skerry_my_pe()) return;
    fail_argument(routine, name, " @: is the global address of an object of PE #, and must be one of this PE",
                  (long[]){(long)(uintptr_t)address, skerry_owner(address)}, 2);
}

// Checks the argument of a transfer that can be any memory of this PE. The end of the object is checked only in
// symmetric memory, because the ends of other objects are not known.
static void check_local(const char *routine, const char *name, const void *address, size_t count, size_t size) {
    if (count == 0) return;
    if (!address) fail_argument(routine, name, ": must not be NULL", 0, 0);
    if (skerry_check_product(count, size) > PTRDIFF_MAX) fail_huge(routine, name, address, count, size);
    if (skerry_is_symmetric(address, 1) && skerry_localize(address) == address)
        check_object(routine, name, address, count, size);
}

void skerry_check_pes(const char *routine, const struct skerry_context *context, const int *pes, size_t count) {
    skerry_check_running(routine);
    if (count && !pes) skerry_check_fail(routine, "target_pes: must not be NULL unless npes is 0", 0, 0);
    check_local(routine, "target_pes", pes, count, sizeof *pes);
    for (size_t i = 0; i < count; i++) check_rank(routine, context, pes[i]);
}

static SKERRY_NORETURN void fail_overlap(const char *routine, const void *dest, const void *source, size_t bytes) {
    SKERRY_CHECK_FAIL(routine, "dest @, source @, # bytes: must not overlap", (long)(uintptr_t)dest,
                      (long)(uintptr_t)source, (long)bytes);
}

// Checks that source and destination of a contiguous transfer do not overlap, and that no pending non-blocking
// operation uses them. If source and destination are exactly the same memory, the function only writes a warning.
// `dest_place` and `source_place` are global addresses, or addresses of private memory (skerry_check_place).
static void check_sides(const char *routine, const void *dest, uintptr_t dest_place, const void *source,
                        uintptr_t source_place, size_t bytes) {
    if (skerry_check_overlap(dest_place, bytes, source_place, bytes)) {
        if (dest_place != source_place) fail_overlap(routine, dest, source, bytes);
        skerry_check_warn_in_place(routine, dest);
    }
    skerry_check_not_pending(routine, "dest", dest_place, bytes, true);
    skerry_check_not_pending(routine, "source", source_place, bytes, false);
}

void skerry_check_put(const char *routine, const void *dest, const void *source, size_t count, size_t size, int pe) {
    check_target(routine, pe);
    skerry_check_symmetric(routine, "dest", dest, count, size);
    check_local(routine, "source", source, count, size);
    check_sides(routine, dest, (uintptr_t)skerry_global(dest, pe), source, skerry_check_place(source), count * size);
}

void skerry_check_get(const char *routine, const void *dest, const void *source, size_t count, size_t size, int pe) {
    check_target(routine, pe);
    skerry_check_symmetric(routine, "source", source, count, size);
    check_local(routine, "dest", dest, count, size);
    check_sides(routine, dest, skerry_check_place(dest), source, (uintptr_t)skerry_global(source, pe), count * size);
}

void skerry_check_get_value(const char *routine, const void *source, size_t size, int pe) {
    check_target(routine, pe);
    skerry_check_symmetric(routine, "source", source, 1, size);
    skerry_check_not_pending(routine, "source", (uintptr_t)skerry_global(source, pe), size, false);
}

void skerry_check_fetch(const char *routine, const void *fetch, size_t size) {
    check_local(routine, "fetch", fetch, 1, size);
}

void skerry_check_result(const char *routine, const char *name, const void *result) {
    if (!result) fail_argument(routine, name, ": must not be NULL, because the routine stores its result there", 0, 0);
}

void skerry_check_config(const char *routine, const char *name, const void *config, long mask) {
    if (mask && !config) fail_argument(routine, name, ": must not be NULL unless its mask is 0", 0, 0);
}

// -- Strides -----------------------------------------------------------------------------------------------------------

static void check_stride(const char *routine, const char *name, ptrdiff_t stride, size_t block) {
    if (stride < 1 && block > 0) fail_argument(routine, name, " #: must be at least 1", (long[]){stride}, 1);
    if (stride < 0 || (size_t)stride < block)
        fail_argument(routine, name, " #: must be at least bsize #", (long[]){stride, (long)block}, 2);
}

size_t skerry_check_extent(ptrdiff_t stride, size_t block, size_t count) {
    if (count == 0) return 0;
    size_t before_last = skerry_check_product(count - 1, (size_t)stride);
    return before_last > SIZE_MAX - block ? SIZE_MAX : before_last + block;
}

// The source or the destination of a strided transfer. The first block begins at `place`, and each next block begins
// `step` bytes later.
struct side {
    uintptr_t place;
    size_t step;
};

// Returns true if a block of the source overlaps a block of the destination. The blocks of each side are in ascending
// order and do not overlap each other. Therefore one pass over both sides finds every overlap.
static bool blocks_overlap(struct side first, struct side second, size_t bytes, size_t count) {
    size_t i = 0, j = 0;
    while (i < count && j < count) {
        uintptr_t a = first.place + i * first.step, b = second.place + j * second.step;
        if (skerry_check_overlap(a, bytes, b, bytes)) return true;
        if (a < b) i++;
        else j++;
    }
    return false;
}

static void check_strided_sides(const char *routine, const void *dest, struct side dest_side, const void *source,
                                struct side source_side, size_t bytes, size_t count) {
    if (blocks_overlap(dest_side, source_side, bytes, count)) {
        bool in_place = dest_side.place == source_side.place && (count == 1 || dest_side.step == source_side.step);
        if (!in_place) fail_overlap(routine, dest, source, bytes * count);
        skerry_check_warn_in_place(routine, dest);
    }
    for (size_t i = 0; i < count; i++) {
        skerry_check_not_pending(routine, "dest", dest_side.place + i * dest_side.step, bytes, true);
        skerry_check_not_pending(routine, "source", source_side.place + i * source_side.step, bytes, false);
    }
}

void skerry_check_iput(const char *routine, const void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t size, size_t block, size_t count, int pe) {
    check_target(routine, pe);
    check_stride(routine, "dst", dst, block);
    check_stride(routine, "sst", sst, block);
    if (count == 0 || block == 0) return;
    skerry_check_symmetric(routine, "dest", dest, skerry_check_extent(dst, block, count), size);
    check_local(routine, "source", source, skerry_check_extent(sst, block, count), size);
    check_strided_sides(routine, dest, (struct side){(uintptr_t)skerry_global(dest, pe), (size_t)dst * size}, source,
                        (struct side){skerry_check_place(source), (size_t)sst * size}, block * size, count);
}

void skerry_check_iget(const char *routine, const void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t size, size_t block, size_t count, int pe) {
    check_target(routine, pe);
    check_stride(routine, "dst", dst, block);
    check_stride(routine, "sst", sst, block);
    if (count == 0 || block == 0) return;
    skerry_check_symmetric(routine, "source", source, skerry_check_extent(sst, block, count), size);
    check_local(routine, "dest", dest, skerry_check_extent(dst, block, count), size);
    check_strided_sides(routine, dest, (struct side){skerry_check_place(dest), (size_t)dst * size}, source,
                        (struct side){(uintptr_t)skerry_global(source, pe), (size_t)sst * size}, block * size, count);
}

// -- Words -------------------------------------------------------------------------------------------------------------

void skerry_check_word(const char *routine, const char *name, const void *word, size_t size, int pe) {
    check_target(routine, pe);
    skerry_check_symmetric(routine, name, word, 1, size);
    skerry_check_not_pending(routine, name, (uintptr_t)skerry_global(word, pe), size, true);
}

void skerry_check_own_word(const char *routine, const char *name, const void *word, size_t size, int pe) {
    skerry_check_word(routine, name, word, size, pe);
    skerry_check_own_elements(routine, name, word, 1, size);
}

void skerry_check_signal(const char *routine, const void *address, int operation, int pe) {
    if (operation != SHMEM_SIGNAL_SET && operation != SHMEM_SIGNAL_ADD)
        SKERRY_CHECK_FAIL(routine, "sig_op #: must be SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD", operation);
    skerry_check_word(routine, "sig_addr", address, sizeof(uint64_t), pe);
}

void skerry_check_put_signal(const char *routine, const void *dest, size_t count, size_t size, const void *address,
                             int operation, int pe) {
    size_t bytes = skerry_check_product(count, size);
    skerry_check_signal(routine, address, operation, pe);
    // A size that is larger than any object is not reported here. The caller next calls the check of the put, which
    // reports such a size.
    const uintptr_t dest_place = (uintptr_t)skerry_global(dest, 0), place = (uintptr_t)skerry_global(address, 0);
    if (bytes <= PTRDIFF_MAX && skerry_check_overlap(dest_place, bytes, place, sizeof(uint64_t)))
        SKERRY_CHECK_FAIL(routine, "sig_addr @: must not lie inside the # bytes at dest @", (long)(uintptr_t)address,
                          (long)bytes, (long)(uintptr_t)dest);
}

static void check_words(const char *routine, const char *name, const void *words, size_t size, size_t count,
                        int compare) {
    skerry_check_running(routine);
    if (skerry_check_contains(routine, "wait")) skerry_check_may_wait(routine);
    if (compare < SHMEM_CMP_EQ || compare > SHMEM_CMP_GE)
        SKERRY_CHECK_FAIL(routine, "cmp #: must be one of the SHMEM_CMP_ constants", compare);
    skerry_check_symmetric(routine, name, words, count, size);
    skerry_check_own_elements(routine, name, words, count, size);
    skerry_check_not_pending(routine, name, skerry_check_place(words), size * count, false);
}

void skerry_check_wait(const char *routine, const void *word, size_t size, int compare) {
    check_words(routine, skerry_check_contains(routine, "signal") ? "sig_addr" : "ivar", word, size, 1, compare);
}

void skerry_check_wait_many(const char *routine, const void *words, size_t size, size_t count, int compare,
                            const void *values, bool is_vector, const int *status) {
    check_words(routine, "ivars", words, size, count, compare);
    if (is_vector) check_local(routine, "cmp_values", values, count, size);
    if (status) check_local(routine, "status", status, count, sizeof *status);
}

void skerry_check_indices(const char *routine, const size_t *indices, size_t count) {
    check_local(routine, "indices", indices, count, sizeof *indices);
}
