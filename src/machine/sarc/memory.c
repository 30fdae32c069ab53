// SPDX-License-Identifier: BSD-3-Clause
// Allocates memory for all workers. The free memory of each core, between its data and its stack, is a pool from which
// every core can take blocks.
// * A core takes a block from its own pool for words that it alone writes or polls.
// * A core takes a block from another core's pool for words that the other core polls.
// * If a pool has no memory left, the block comes from the external memory, which is slow. The heap of malloc is also
//   in external memory.
#include "internal.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

extern struct skerry_core skerry_own_core;                                    // sarc.ld
extern char skerry_pool_begin[], skerry_master_pool_begin[], __stack_limit[]; // offsets

// The header before each block that was taken. In a block that was freed, `next` replaces `pool`.
struct skerry_block {
    // Size of the block in bytes, without this header. If the block is from malloc: the distance in bytes from the
    // address that malloc returned to the first byte after this header.
    uint32_t bytes;
    union {
        struct skerry_pool *pool; // NULL: the block is from malloc
        struct skerry_block *next;
    };
};

// Moves the end of malloc's heap by a number of bytes, and returns the old end. malloc holds its own lock when it calls
// this function, so no other lock is needed.
void *_sbrk(ptrdiff_t bytes);
void *_sbrk(ptrdiff_t bytes) {
    static char *end;
    if (!end) end = skerry_job.external_begin;
    char *before = end;
    if (bytes > skerry_job.external_end - before || bytes < skerry_job.external_begin - before) {
        errno = ENOMEM;
        return (void *)-1;
    }
    end = before + bytes;
    return before;
}

static void lock(struct skerry_pool *pool) {
    while (__atomic_exchange_n(&pool->lock, 1, __ATOMIC_ACQUIRE)) {
    }
}

void skerry_lock_core(struct skerry_core *core) {
    lock(&core->pool);
}

static void unlock(struct skerry_pool *pool) {
    __atomic_store_n(&pool->lock, 0, __ATOMIC_RELEASE);
}

void skerry_unlock_core(struct skerry_core *core) {
    unlock(&core->pool);
}

// Takes the first free block that has at least `bytes` bytes and less than twice as many. Returns NULL if there is
// none.
static struct skerry_block *take_free(struct skerry_pool *pool, size_t bytes, size_t alignment) {
    for (struct skerry_block **place = &pool->free; *place; place = &(*place)->next) {
        struct skerry_block *block = *place;
        const bool fits = block->bytes >= bytes && block->bytes < 2 * bytes;
        if (!fits || ((uintptr_t)(block + 1) & (alignment - 1)) != 0) continue;
        *place = block->next;
        return block;
    }
    return NULL;
}

// Takes memory that was never part of a block before. Returns NULL if the pool has too little of it left.
static struct skerry_block *take_fresh(struct skerry_pool *pool, size_t bytes, size_t alignment, bool is_first_core) {
    if (pool->fresh == 0)
        pool->fresh = (uint32_t)(uintptr_t)(is_first_core ? skerry_master_pool_begin : skerry_pool_begin);
    const uintptr_t partition = (uintptr_t)pool & ~(uintptr_t)SKERRY_PARTITION_MASK;
    const uintptr_t at = (pool->fresh + sizeof(struct skerry_block) + alignment - 1) & ~(alignment - 1);
    const uintptr_t end = (uintptr_t)__stack_limit;
    if (at > end || bytes > end - at) return NULL;
    pool->fresh = (uint32_t)(at + bytes);
    struct skerry_block *block = (struct skerry_block *)(partition | at) - 1;
    block->bytes = (uint32_t)bytes;
    return block;
}

// Warns, once in a job, that a core's memory has no room for words that this core polls. The program is right, but its
// regions and barriers take thousands of cycles.
static void warn_once(void) {
    static char text[] __attribute__((section(".external"))) =
        "skerry: a core's memory has too little room for the OpenMP runtime, which now uses external memory; regions "
        "and "
        "barriers are slow (make the program's data or stacks smaller)";
    static uint32_t has_warned;
    if (__atomic_exchange_n(&has_warned, 1, __ATOMIC_RELAXED) == 0) skerry_warn(text);
}

static void *take_external(size_t bytes, size_t alignment) {
    char *memory = memalign(alignment, bytes + alignment);
    if (!memory) return NULL;
    struct skerry_block *block = (struct skerry_block *)(void *)(memory + alignment) - 1;
    block->bytes = (uint32_t)alignment;
    block->pool = NULL;
    return block + 1;
}

static void *take(size_t bytes, size_t alignment, int worker, bool must_be_near) {
    if (alignment < sizeof(struct skerry_block)) alignment = sizeof(struct skerry_block);
    if (bytes > SIZE_MAX / 4) return NULL;
    bytes = (bytes + 7) & ~(size_t)7;
    struct skerry_pool *pool = &skerry_core_at(worker)->pool;
    lock(pool);
    struct skerry_block *block = take_free(pool, bytes, alignment);
    if (!block) block = take_fresh(pool, bytes, alignment, worker == 0);
    if (block) block->pool = pool;
    unlock(pool);
    if (block) return block + 1;
    if (must_be_near) warn_once();
    return take_external(bytes, alignment);
}

void *skerry_memory_take_near(size_t bytes, size_t alignment, int worker) {
    return take(bytes, alignment, worker < 0 ? skerry_my_pe() : worker, worker >= 0);
}

void *skerry_memory_take(size_t bytes, size_t alignment) {
    return take(bytes, alignment, skerry_my_pe(), false);
}

void skerry_memory_give(void *memory) {
    if (!memory) return;
    struct skerry_block *block = (struct skerry_block *)memory - 1;
    struct skerry_pool *pool = block->pool;
    if (!pool) {
        free((char *)memory - block->bytes);
        return;
    }
    lock(pool);
    block->next = pool->free;
    pool->free = block;
    unlock(pool);
}
