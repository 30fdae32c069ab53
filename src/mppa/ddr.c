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
        size_t own = SKERRY_PRIVATE_MEMORY ? (sizeof *board + 4095) / 4096 * 4096 : 0; // the board is in this memory
        skerry_heap_init(&board->ddr, common + own, bytes - own, own);
        board->ddr_formed = 1;
    }
    return &board->ddr;
}

static void leave(void) {
    skerry_atomic_store_32(&skerry_mppa_board()->ddr_lock, 0, SKERRY_MPPA_MASTER);
}

static uint64_t allocate(size_t size, size_t alignment) {
    void *block = skerry_heap_allocate(enter(), size ? size : 1, alignment);
    leave();
    return (uintptr_t)block;
}

static bool release(uint64_t block) {
    enum heap_fault fault = skerry_heap_free(enter(), (void *)(uintptr_t)block);
    leave();
    return fault == HEAP_FAULT_NONE;
}

#if SKERRY_PRIVATE_MEMORY

bool skerry_mppa_is_ddr_block(uint64_t offset, size_t bytes) {
    size_t heap_bytes;
    uint64_t at = offset - (uintptr_t)skerry_common_memory(&heap_bytes);
    return at < heap_bytes && bytes <= heap_bytes - at;
}

#define allocate_anywhere allocate
#define release_anywhere release

#else

// Only PE 0 reaches the heap's state by loads and stores. So other programs send it messages, which its server handles.
#define MESSAGE 4

struct request {
    uint64_t block; // to free; 0: allocate
    uint64_t size;
    uint64_t alignment;
};

// The lock of the heap is held for a short time only, and its holder waits for nothing.
static size_t handle(int pe, int from, const void *message, size_t bytes, void *answer) {
    const struct request *request = message;
    (void)pe, (void)from, (void)bytes;
    *(uint64_t *)answer = request->block ? (uint64_t)release(request->block)
                                         : allocate((size_t)request->size, (size_t)request->alignment);
    return sizeof(uint64_t);
}

bool skerry_mppa_publish_ddr(void) {
    skerry_far_on_message(MESSAGE, handle);
    return true;
}

static uint64_t ask(const struct request *request) {
    union {
        uint64_t value;
        char room[SKERRY_FAR_ANSWER_MAX];
    } answer;
    skerry_far_ask(SKERRY_MPPA_MASTER, MESSAGE, request, sizeof *request, &answer);
    return answer.value;
}

static uint64_t allocate_anywhere(size_t size, size_t alignment) {
    if (skerry_my_pe() == SKERRY_MPPA_MASTER) return allocate(size, alignment);
    return ask(&(struct request){.size = size, .alignment = alignment});
}

static bool release_anywhere(uint64_t block) {
    if (skerry_my_pe() == SKERRY_MPPA_MASTER) return release(block);
    return block != 0 && ask(&(struct request){.block = block}) != 0;
}

#endif

int mppa_async_memalign(const mppa_async_segment_t *segment, size_t alignment, size_t size, off64_t *offset,
                        mppa_async_event_t *event) {
    skerry_mppa_check_begun(__func__);
    bool is_ddr = segment && (segment->server == MPPA_ASYNC_SERVER_DDR0 || segment->server == MPPA_ASYNC_SERVER_DDR1);
    if (!is_ddr || !offset || alignment > LARGEST_ALIGNMENT || (alignment & (alignment - 1)) != 0) return -1;
    const uint64_t block = allocate_anywhere(size, alignment);
    if (!block) return -1;
    *offset = (off64_t)block;
    return skerry_mppa_done(event);
}

int mppa_async_malloc(const mppa_async_segment_t *segment, size_t size, off64_t *offset, mppa_async_event_t *event) {
    return mppa_async_memalign(segment, 0, size, offset, event);
}

int mppa_async_free(const mppa_async_segment_t *segment, off64_t offset, mppa_async_event_t *event) {
    (void)segment;
    skerry_mppa_check_begun(__func__);
    if (!release_anywhere((uint64_t)offset))
        skerry_fail_values(__func__,
                           "offset @: must be the start of a block that mppa_async_malloc gave and that was not freed",
                           (long[]){(long)offset}, 1);
    return skerry_mppa_done(event);
}
