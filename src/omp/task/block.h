// SPDX-License-Identifier: BSD-3-Clause
// Allocates the memory of tasks. Each thread keeps lists of free blocks of three sizes. A larger block is allocated
// from the machine each time. A block belongs to its home: the thread that first allocated the block.
//
// How a block returns to its home:
// * A thread that frees a block of another thread collects several such blocks and returns them together.
// * It adds them at the front of the home's list `returned`, by compare-swap. The home removes all blocks of this list
//   at once.
// * Without the return, the threads that run tasks would keep the blocks. A thread that makes all tasks would then
//   allocate new blocks for ever.
#ifndef SKERRY_OMP_BLOCK_H
#define SKERRY_OMP_BLOCK_H

#include "../internal.h"

#define OMP_BLOCK_CLASSES 3
// Number of bytes of a block of size class 0. Blocks of each further class are twice as large.
#define OMP_BLOCK_BYTES (SKERRY_NEAR_MEMORY ? 128u : 256u)
#define OMP_AWAY_MAX 16

SKERRY_PRIVATE void *skerry_omp_block_new(struct omp_thread *self, uint32_t size, size_t bytes);
SKERRY_PRIVATE void skerry_omp_block_return(struct omp_thread *self, struct omp_block *block);

SKERRY_ALWAYS_INLINE void *omp_block_memory(struct omp_block *block) {
    return (char *)block - OMP_BLOCK_PLACE;
}

SKERRY_ALWAYS_INLINE void *omp_block_take(struct omp_thread *self, size_t bytes) {
    uint32_t size = bytes <= OMP_BLOCK_BYTES       ? 0
                    : bytes <= 2 * OMP_BLOCK_BYTES ? 1
                    : bytes <= 4 * OMP_BLOCK_BYTES ? 2
                                                   : 3;
    struct omp_block *block = OMP_LIKELY(size < OMP_BLOCK_CLASSES) ? self->store.blocks[size] : NULL;
    if (OMP_UNLIKELY(!block)) return skerry_omp_block_new(self, size, bytes);
    self->store.blocks[size] = block->next;
    return omp_block_memory(block);
}

SKERRY_ALWAYS_INLINE void omp_block_give(struct omp_thread *self, struct omp_block *block) {
    if (OMP_UNLIKELY(block->home != self)) {
        skerry_omp_block_return(self, block);
        return;
    }
    block->next = self->store.blocks[block->size];
    self->store.blocks[block->size] = block;
}

#endif
