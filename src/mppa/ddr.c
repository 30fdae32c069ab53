// SPDX-License-Identifier: BSD-3-Clause
// Allocates memory of the DDR (the large memory of an MPPA) for any program, from one heap in PE 0's partition. All
// programs map this partition a second time, at the same addresses, and the heap uses these addresses. They fit in 32
// bits, because programs for MPPA expect 32-bit addresses. The heap's own state is in this partition too. A lock
// protects the state.
#include "internal.h"

#define LARGEST_ALIGNMENT (UINT64_C(1) << 30)

// Takes the lock of the heap. The compare-swap that takes the lock is an acquire, and the store that frees the lock is
// a release. So the next holder of the lock sees what the previous holder wrote.
static struct heap *enter(void) {
    struct skerry_mppa_board *board = skerry_mppa_board();
    SKERRY_WAIT_UNTIL(skerry_atomic_compare_swap_32(&board->ddr_lock, 0, 1, SKERRY_MPPA_MASTER) == 0,
                      SKERRY_MPPA_MASTER);
    if (!board->ddr_formed) {
        size_t bytes;
        char *common = skerry_common_memory(&bytes);
        size_t own = (sizeof *board + 4095) / 4096 * 4096;
        skerry_heap_init(&board->ddr, common + own, bytes - own, own);
        board->ddr_formed = 1;
    }
    return &board->ddr;
}

static void leave(void) {
    skerry_atomic_store_32(&skerry_mppa_board()->ddr_lock, 0, SKERRY_MPPA_MASTER);
}

bool skerry_mppa_is_ddr_block(uint64_t offset, size_t bytes) {
    size_t heap_bytes;
    uint64_t at = offset - (uintptr_t)skerry_common_memory(&heap_bytes);
    return at < heap_bytes && bytes <= heap_bytes - at;
}

int mppa_async_memalign(const mppa_async_segment_t *segment, size_t alignment, size_t size, off64_t *offset,
                        mppa_async_event_t *event) {
    skerry_mppa_check_begun(__func__);
    bool is_ddr = segment && (segment->server == MPPA_ASYNC_SERVER_DDR0 || segment->server == MPPA_ASYNC_SERVER_DDR1);
    if (!is_ddr || !offset || alignment > LARGEST_ALIGNMENT || (alignment & (alignment - 1)) != 0) return -1;
    void *block = skerry_heap_allocate(enter(), size ? size : 1, alignment);
    leave();
    if (!block) return -1;
    *offset = (off64_t)(uintptr_t)block;
    return skerry_mppa_done(event);
}

int mppa_async_malloc(const mppa_async_segment_t *segment, size_t size, off64_t *offset, mppa_async_event_t *event) {
    return mppa_async_memalign(segment, 0, size, offset, event);
}

int mppa_async_free(const mppa_async_segment_t *segment, off64_t offset, mppa_async_event_t *event) {
    (void)segment;
    skerry_mppa_check_begun(__func__);
    enum heap_fault fault = skerry_heap_free(enter(), (void *)(uintptr_t)offset);
    leave();
    if (fault != HEAP_FAULT_NONE)
        skerry_fail_values(__func__,
                           "offset @: must be the start of a block that mppa_async_malloc gave and that was not freed",
                           (long[]){(long)offset}, 1);
    return skerry_mppa_done(event);
}
