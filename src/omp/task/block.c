// SPDX-License-Identifier: BSD-3-Clause
// Implements the slow paths of the memory for tasks (block.h): allocates new blocks, and returns blocks to the threads
// that first allocated them.
#include "block.h"

// Takes the blocks that other threads have returned to this thread. Adds each of these blocks to this thread's list of
// free blocks of the same size.
static void take_returned(struct omp_thread *self) {
    struct omp_block *block = __atomic_exchange_n(&self->store.returned, NULL, __ATOMIC_ACQUIRE);
    skerry_sees(&self->store.returned);
    while (block) {
        struct omp_block *next = block->next;
        block->next = self->store.blocks[block->size];
        self->store.blocks[block->size] = block;
        block = next;
    }
}

void *skerry_omp_block_new(struct omp_thread *self, uint32_t size, size_t bytes) {
    struct omp_block *block;
    if (size < OMP_BLOCK_CLASSES) {
        if (__atomic_load_n(&self->store.returned, __ATOMIC_RELAXED)) take_returned(self);
        block = self->store.blocks[size];
        if (block) {
            self->store.blocks[size] = block->next;
            return omp_block_memory(block);
        }
        bytes = OMP_BLOCK_BYTES << size;
    }
    char *memory = skerry_memory_take(bytes, SKERRY_LINE);
    if (!memory) skerry_stop("libgomp: GOMP_task: no memory for another task");
    block = (struct omp_block *)(void *)(memory + OMP_BLOCK_PLACE);
    block->size = size;
    block->home = size < OMP_BLOCK_CLASSES ? self : NULL;
    return memory;
}

static void send_away(struct omp_thread *self) {
    struct omp_thread *home = self->store.away->home;
    skerry_publishes(&home->store.returned);
    self->store.away_last->next = __atomic_load_n(&home->store.returned, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&home->store.returned, &self->store.away_last->next, self->store.away, false,
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
    self->store.away = self->store.away_last = NULL;
    self->store.away_count = 0;
}

void skerry_omp_block_return(struct omp_thread *self, struct omp_block *block) {
    if (!block->home) {
        skerry_memory_give(omp_block_memory(block));
        return;
    }
    if (self->store.away && self->store.away->home != block->home) send_away(self);
    block->next = self->store.away;
    if (!self->store.away) self->store.away_last = block;
    self->store.away = block;
    if (++self->store.away_count == OMP_AWAY_MAX) send_away(self);
}
