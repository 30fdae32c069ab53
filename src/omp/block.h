// SPDX-License-Identifier: BSD-3-Clause
// Memory of tasks: blocks of three sizes, kept by each thread and taken from there again; bigger ones come from the machine. A block is
// given back to whichever thread's store it is freed by, and stores that grow beyond a bound give some back to the machine.
#ifndef SKERRY_OMP_BLOCK_H
#define SKERRY_OMP_BLOCK_H

#include "internal.h"

#define OMP_BLOCK_CLASSES 3
#define OMP_BLOCK_BYTES 256u // of the smallest; each is twice the one before
#define OMP_BLOCKS_KEPT 512u // of one size, by one thread

SKERRY_PRIVATE struct omp_task *skerry_omp_block_new(uint32_t class, size_t bytes);

SKERRY_HOT struct omp_task *omp_block_take(struct omp_thread *self, size_t bytes) {
    uint32_t class = bytes <= OMP_BLOCK_BYTES       ? 0
                     : bytes <= 2 * OMP_BLOCK_BYTES ? 1
                     : bytes <= 4 * OMP_BLOCK_BYTES ? 2
                                                    : 3;
    if (OMP_LIKELY(class < OMP_BLOCK_CLASSES)) {
        struct omp_task *block = self->blocks[class];
        if (OMP_LIKELY(block != NULL)) {
            self->blocks[class] = block->next;
            self->blocks_kept[class]--;
            return block;
        }
    }
    return skerry_omp_block_new(class, bytes);
}

SKERRY_HOT void omp_block_give(struct omp_thread *self, struct omp_task *block) {
    uint32_t class = block->block;
    if (OMP_UNLIKELY(class >= OMP_BLOCK_CLASSES || self->blocks_kept[class] >= OMP_BLOCKS_KEPT)) {
        skerry_memory_give(block);
        return;
    }
    block->next = self->blocks[class];
    self->blocks[class] = block;
    self->blocks_kept[class]++;
}

#endif
