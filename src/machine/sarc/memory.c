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

// Joins free blocks that lie side by side, so that larger ones can be taken from them. Called only if no block was found, because
// most programs take blocks of the same sizes again. The caller holds the lock.
static void join_free(struct skerry_pool *pool) {
    struct skerry_block *sorted = NULL;
    for (struct skerry_block *block = pool->free, *next; block; block = next) {
        next = block->next;
        struct skerry_block **place = &sorted;
        while (*place && *place < block) place = &(*place)->next;
        block->next = *place;
        *place = block;
    }
    for (struct skerry_block *block = sorted; block && block->next;) {
        if ((char *)(block + 1) + block->bytes != (char *)block->next) {
            block = block->next;
            continue;
        }
        block->bytes += (uint32_t)sizeof *block + block->next->bytes;
        block->next = block->next->next;
    }
    pool->free = sorted;
}

// Takes a part of a free block that is large enough, and leaves the rest free. Returns NULL if there is no such block. The caller
// holds the lock.
static struct skerry_block *take_part(struct skerry_pool *pool, size_t bytes, size_t alignment) {
    for (struct skerry_block **place = &pool->free; *place; place = &(*place)->next) {
        struct skerry_block *block = *place;
        if (block->bytes < bytes || ((uintptr_t)(block + 1) & (alignment - 1)) != 0) continue;
        const size_t left = block->bytes - bytes;
        if (left < 2 * sizeof *block) {
            *place = block->next;
            return block;
        }
        struct skerry_block *rest = (struct skerry_block *)(void *)((char *)(block + 1) + bytes);
        rest->bytes = (uint32_t)(left - sizeof *rest);
        rest->next = block->next;
        *place = rest;
        block->bytes = (uint32_t)bytes;
        return block;
    }
    return NULL;
}

// Takes memory that was never part of a block before, and leaves `reserve` bytes of it. Returns NULL if the pool has too little of it
// left.
static struct skerry_block *take_fresh(struct skerry_pool *pool, size_t bytes, size_t alignment, bool is_first_core,
                                       size_t reserve) {
    if (pool->fresh == 0)
        pool->fresh = (uint32_t)(uintptr_t)(is_first_core ? skerry_master_pool_begin : skerry_pool_begin);
    const uintptr_t partition = (uintptr_t)pool & ~(uintptr_t)SKERRY_PARTITION_MASK;
    const uintptr_t at = (pool->fresh + sizeof(struct skerry_block) + alignment - 1) & ~(alignment - 1);
    const uintptr_t end = (uintptr_t)__stack_limit - reserve;
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

// Takes a block from a worker's pool, and leaves `reserve` bytes of memory that was never used. Returns NULL if the pool has no block
// that is large enough.
static struct skerry_block *take_from_pool(int worker, size_t bytes, size_t alignment, size_t reserve) {
    struct skerry_pool *pool = &skerry_core_at(worker)->pool;
    lock(pool);
    struct skerry_block *block = take_free(pool, bytes, alignment);
    if (!block) block = take_fresh(pool, bytes, alignment, worker == 0, reserve);
    if (!block && pool->free) {
        join_free(pool);
        block = take_part(pool, bytes, alignment);
    }
    if (block) block->pool = pool;
    unlock(pool);
    return block;
}

// So many bytes of a core are taken for words that the core polls (skerry_memory_take_near) only if none of these can be freed: most
// are teams that are kept for later regions. The core takes the rest for other words, such as those of a loop or a nested region.
#define RESERVE 1536

static void *take(size_t bytes, size_t alignment, int worker, bool must_be_near) {
    if (alignment < sizeof(struct skerry_block)) alignment = sizeof(struct skerry_block);
    if (bytes > SIZE_MAX / 4) return NULL;
    bytes = (bytes + 7) & ~(size_t)7;
    struct skerry_block *block;
    while (!(block = take_from_pool(worker, bytes, alignment, must_be_near ? RESERVE : 0)) && must_be_near &&
           skerry_free_some(worker)) {
    }
    if (!block && must_be_near) {
        block = take_from_pool(worker, bytes, alignment, 0);
        if (!block) warn_once();
    }
    if (block) return block + 1;
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
