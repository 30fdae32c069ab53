// SPDX-License-Identifier: BSD-3-Clause
// Implements allocators (OpenMP 5.0, sections 2.11 and 3.7). All allocators return the same kind of memory, which the
// machine allocates. The memory satisfies every value of the traits for access, partition and synchronisation, so these
// traits have no effect. An allocator that the program makes (omp_init_allocator) can have an alignment and a pool (a
// limit on its memory in use). The allocator can also have a rule for an allocation that fails. A header before each
// block contains the data that omp_free needs.
#include "../environment/display.h"
#include "routines.h"

enum { DEFAULT_ALLOCATOR = 1, LAST_SPACE = 4, HIGH_BANDWIDTH_SPACE = 3 };
enum trait_key { SYNC_HINT = 1, ALIGNMENT, ACCESS, POOL_SIZE, FALLBACK, FALLBACK_DATA, PINNED, PARTITION };
enum { DEFAULT_MEMORY = 11, GIVE_NULL, STOP, OTHER_ALLOCATOR }; // values of the trait FALLBACK
#define DEFAULT_VALUE UINTPTR_MAX
#define LEAST_ALIGNMENT 16

struct omp_trait {
    uint32_t key;
    uintptr_t value;
};

struct allocator {
    uintptr_t alignment;
    uintptr_t pool;
    uintptr_t used; // bytes of the pool that are in use; every thread that allocates or frees memory changes this sum
    uintptr_t fallback, fallback_data;
};

struct header {
    void *memory;
    size_t bytes;
    uintptr_t allocator;
};

// Returns the struct of the allocator with this handle. Returns NULL for a predefined allocator, because predefined
// allocators have no struct. An allocator that the program makes (omp_init_allocator) has one.
static struct allocator *own_allocator(uintptr_t handle) {
    return handle > OMP_ALLOCATORS ? (struct allocator *)handle : NULL;
}

// -- Traits ------------------------------------------------------------------------------------------------------------

static bool is_between(uintptr_t value, uintptr_t least, uintptr_t greatest) {
    return value == DEFAULT_VALUE || (value >= least && value <= greatest);
}

static bool set_trait(struct allocator *allocator, const struct omp_trait *trait) {
    uintptr_t value = trait->value;
    bool is_default = value == DEFAULT_VALUE;
    switch ((enum trait_key)trait->key) {
    case SYNC_HINT: return is_between(value, 3, 6);
    case ACCESS: return is_between(value, 7, 10);
    case PARTITION: return is_between(value, 15, 18);
    case PINNED: return is_between(value, 0, 0); // only `false` is accepted: this memory is never pinned
    case ALIGNMENT:
        if (is_default) return true;
        allocator->alignment = value;
        return value && (value & (value - 1)) == 0;
    case POOL_SIZE: allocator->pool = value; return true;
    case FALLBACK: allocator->fallback = is_default ? DEFAULT_MEMORY : value; return is_between(value, 11, 14);
    case FALLBACK_DATA: allocator->fallback_data = value; return true;
    }
    return false;
}

OMP_EXPORT uintptr_t omp_init_allocator(uintptr_t space, int traits_count, const struct omp_trait *traits) {
    if (space > LAST_SPACE || space == HIGH_BANDWIDTH_SPACE) return 0;
    struct allocator made = {1, UINTPTR_MAX, 0, DEFAULT_MEMORY, 0};
    for (int i = 0; i < traits_count; i++)
        if (!set_trait(&made, &traits[i])) return 0;
    struct allocator *allocator = skerry_memory_take(sizeof *allocator, _Alignof(struct allocator));
    if (allocator) *allocator = made;
    return (uintptr_t)allocator;
}

OMP_EXPORT void omp_destroy_allocator(uintptr_t allocator) {
    skerry_memory_give(own_allocator(allocator));
}

// -- Pools -------------------------------------------------------------------------------------------------------------

static bool enter_pool(struct allocator *allocator, size_t bytes) {
    if (!allocator || allocator->pool == UINTPTR_MAX) return true;
    uintptr_t used = __atomic_load_n(&allocator->used, __ATOMIC_RELAXED);
    do
        if (used > allocator->pool || bytes > allocator->pool - used) return false;
    while (
        !__atomic_compare_exchange_n(&allocator->used, &used, used + bytes, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return true;
}

static void leave_pool(struct allocator *allocator, size_t bytes) {
    if (allocator && allocator->pool != UINTPTR_MAX) __atomic_fetch_sub(&allocator->used, bytes, __ATOMIC_RELAXED);
}

static void return_to_pool(struct allocator *allocator, size_t bytes) {
    if (allocator && allocator->pool != UINTPTR_MAX) __atomic_fetch_add(&allocator->used, bytes, __ATOMIC_RELAXED);
}

// -- Blocks ------------------------------------------------------------------------------------------------------------

static void *take_block(uintptr_t handle, size_t alignment, size_t bytes) {
    struct allocator *allocator = own_allocator(handle);
    if (allocator && alignment < allocator->alignment) alignment = allocator->alignment;
    if (alignment < LEAST_ALIGNMENT) alignment = LEAST_ALIGNMENT;
    size_t offset = (sizeof(struct header) + alignment - 1) & ~(alignment - 1), whole;
    if (__builtin_add_overflow(bytes, offset, &whole) || !enter_pool(allocator, bytes)) return NULL;
    char *memory = skerry_memory_take(whole, alignment);
    if (!memory) {
        leave_pool(allocator, bytes);
        return NULL;
    }
    struct header *header = (struct header *)(void *)(memory + offset) - 1;
    *header = (struct header){memory, bytes, handle};
    return memory + offset;
}

SKERRY_NORETURN static void stop_without(size_t bytes) {
    OMP_TEXT(line, 128);
    omp_text_string(&line, "libgomp: Out of memory allocating ");
    omp_text_number(&line, (int64_t)bytes);
    omp_text_string(&line, " bytes");
    skerry_stop(omp_text_end(&line));
}

static void *allocate(uintptr_t handle, size_t alignment, size_t bytes) {
    for (;;) {
        if (!handle) handle = omp_get_default_allocator();
        void *block = take_block(handle, alignment, bytes);
        const struct allocator *allocator = own_allocator(handle);
        if (block || !allocator || allocator->fallback == GIVE_NULL) return block;
        if (allocator->fallback == STOP) stop_without(bytes);
        handle = allocator->fallback == OTHER_ALLOCATOR ? allocator->fallback_data : DEFAULT_ALLOCATOR;
    }
}

OMP_EXPORT void *omp_aligned_alloc(size_t alignment, size_t bytes, uintptr_t allocator) {
    return bytes ? allocate(allocator, alignment, bytes) : NULL;
}

OMP_EXPORT void *omp_alloc(size_t bytes, uintptr_t allocator) {
    return omp_aligned_alloc(1, bytes, allocator);
}

OMP_EXPORT void *omp_aligned_calloc(size_t alignment, size_t count, size_t each, uintptr_t allocator) {
    size_t bytes;
    if (__builtin_mul_overflow(count, each, &bytes)) bytes = SIZE_MAX; // so large that the allocation fails
    void *block = omp_aligned_alloc(alignment, bytes, allocator);
    return block ? __builtin_memset(block, 0, bytes) : NULL;
}

OMP_EXPORT void *omp_calloc(size_t count, size_t each, uintptr_t allocator) {
    return omp_aligned_calloc(1, count, each, allocator);
}

OMP_EXPORT void omp_free(void *block, uintptr_t allocator) {
    (void)allocator; // the block's header names its allocator
    if (!block) return;
    struct header header = ((struct header *)block)[-1];
    leave_pool(own_allocator(header.allocator), header.bytes);
    skerry_memory_give(header.memory);
}

// Moves the data of a block into a new block of another size. Before the new block is allocated, the size of the old
// block is subtracted from the memory in use of the allocator. The allocator's limit (its pool) therefore need not
// allow both blocks at the same time.
OMP_EXPORT void *omp_realloc(void *block, size_t bytes, uintptr_t allocator, uintptr_t free_allocator) {
    if (!block) return omp_aligned_alloc(1, bytes, allocator);
    if (!bytes) {
        omp_free(block, free_allocator);
        return NULL;
    }
    struct header header = ((struct header *)block)[-1];
    leave_pool(own_allocator(header.allocator), header.bytes);
    void *moved = allocate(allocator ? allocator : header.allocator, 1, bytes);
    if (!moved) {
        return_to_pool(own_allocator(header.allocator), header.bytes);
        return NULL; // the block is unchanged
    }
    __builtin_memcpy(moved, block, bytes < header.bytes ? bytes : header.bytes);
    skerry_memory_give(header.memory);
    return moved;
}

// Allocates memory for the allocate clause and the allocate directive. The compiled program does not check the result,
// so this function ends the program if there is no memory.
OMP_EXPORT void *GOMP_alloc(size_t alignment, size_t bytes, uintptr_t allocator) {
    void *block = omp_aligned_alloc(alignment, bytes, allocator);
    if (!block && bytes) stop_without(bytes);
    return block;
}

OMP_EXPORT void GOMP_free(void *block, uintptr_t allocator) {
    omp_free(block, allocator);
}
