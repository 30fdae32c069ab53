// SPDX-License-Identifier: BSD-3-Clause
// Allocates memory of the two DDRs (the large memories of an MPPA) for any program, from one heap in each common memory. All
// programs have these memories at the same addresses. They fit in 32 bits, because programs for MPPA expect 32-bit
// addresses. The heaps' own state is on the board. One lock protects both.
#include "internal.h"

#define LARGEST_ALIGNMENT (UINT64_C(1) << 30)

#if SKERRY_PRIVATE_MEMORY

#define BLOCKS_MAX UINT32_MAX

// The blocks' headers are in the memory of the heap. The board is at the beginning of the first one.
static void form(struct skerry_mppa_board *board) {
    for (int number = 0; number < SKERRY_MPPA_DDRS; number++) {
        size_t bytes, own = number == 0 ? (sizeof *board + 4095) / 4096 * 4096 : 0;
        char *memory = (char *)skerry_common_memory(number, &bytes) + own;
        skerry_heap_init(&board->ddr[number], memory, bytes - own, (uintptr_t)memory & (LARGEST_ALIGNMENT - 1));
    }
}

static uint64_t address_of(int number, const void *block) {
    (void)number;
    return (uintptr_t)block;
}

static void *block_at(int number, uint64_t address) {
    (void)number;
    return (void *)(uintptr_t)address;
}

#else

// A heap without headers has a table of its blocks at the end of its memory, and touches nothing else of it (../heap/small.c).
// PE 0 loads and stores in DDR 0 only. So both heaps have addresses of DDR 0, and those of the second one stand for the same
// offsets in DDR 1. The first heap leaves TABLE_BYTES to the table of the second one, which is at the end of DDR 0.
#define TABLE_BYTES ((size_t)1 << 20)
#define BLOCKS_MAX (TABLE_BYTES / (2 * sizeof(size_t))) // of each DDR

static void form(struct skerry_mppa_board *board) {
    size_t bytes;
    char *const first = skerry_common_memory(0, &bytes);
    for (int number = 0; number < SKERRY_MPPA_DDRS; number++) {
        const uintptr_t memory = (uintptr_t)skerry_common_memory(number, &bytes);
        const size_t for_table = number == 0 ? TABLE_BYTES : 0;
        skerry_heap_init(&board->ddr[number], first, bytes - for_table, memory & (LARGEST_ALIGNMENT - 1));
    }
}

// Returns the distance of the addresses that a heap has to those of its blocks.
static uintptr_t distance(int number) {
    size_t bytes;
    return (uintptr_t)skerry_common_memory(number, &bytes) - (uintptr_t)skerry_common_memory(0, &bytes);
}

static uint64_t address_of(int number, const void *block) {
    return block ? (uintptr_t)block + distance(number) : 0;
}

static void *block_at(int number, uint64_t address) {
    return (void *)((uintptr_t)address - distance(number));
}

#endif

// Takes the lock of the heaps. The compare-swap that takes the lock is an acquire, and the store that frees the lock is
// a release. So the next holder of the lock sees what the previous holder wrote.
static struct heap *enter(int number) {
    struct skerry_mppa_board *board = skerry_mppa_board();
    SKERRY_WAIT_UNTIL(skerry_atomic_compare_swap_32(&board->ddr_lock, 0, 1, SKERRY_MPPA_MASTER) == 0,
                      SKERRY_MPPA_MASTER);
    if (!board->ddr_formed) {
        form(board);
        board->ddr_formed = 1;
    }
    return &board->ddr[number];
}

static void leave(void) {
    skerry_atomic_store_32(&skerry_mppa_board()->ddr_lock, 0, SKERRY_MPPA_MASTER);
}

// Returns 0 if there is not enough memory.
static uint64_t allocate(int number, size_t size, size_t alignment) {
    struct heap *heap = enter(number);
    uint32_t *blocks = &skerry_mppa_board()->ddr_blocks[number];
    void *block = *blocks < BLOCKS_MAX ? skerry_heap_allocate(heap, size ? size : 1, alignment) : 0;
    if (block) ++*blocks;
    leave();
    return address_of(number, block);
}

// Returns false if no block of DDR `number` begins there.
static bool release(int number, uint64_t block) {
    const bool is_block = skerry_heap_free(enter(number), block_at(number, block)) == HEAP_FAULT_NONE;
    if (is_block) --skerry_mppa_board()->ddr_blocks[number];
    leave();
    return is_block;
}

int skerry_mppa_ddr_of(uint64_t offset, size_t *left) {
    for (int number = 0; number < SKERRY_MPPA_DDRS && offset >= SKERRY_COMMON_BASE; number++) {
        size_t bytes;
        const uint64_t at = offset - (uintptr_t)skerry_common_memory(number, &bytes);
        *left = at < bytes ? bytes - (size_t)at : 0;
        if (*left > 0) return number;
    }
    return -1;
}

#if SKERRY_PRIVATE_MEMORY

#define allocate_anywhere allocate
#define release_anywhere release

#else

// Only PE 0 reaches the heaps' state by loads and stores. So other programs send it messages, which its server handles.
#define MESSAGE 4

enum { ALLOCATE, RELEASE, OPEN };
struct request {
    uint32_t what;
    uint32_t number; // of the DDR
    uint64_t block;  // to free
    uint64_t size;
    uint64_t alignment;
};

// The lock of the heaps is held for a short time only, and its holder waits for nothing.
static uint64_t perform(const struct request *request) {
    const int number = (int)request->number;
    if (request->what == ALLOCATE) return allocate(number, (size_t)request->size, (size_t)request->alignment);
    if (request->what == RELEASE) return release(number, request->block);
    return skerry_open_second_memory();
}

static size_t handle(int pe, int from, const void *message, size_t bytes, void *answer) {
    (void)pe, (void)from, (void)bytes;
    *(uint64_t *)answer = perform(message);
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
    if (skerry_my_pe() == SKERRY_MPPA_MASTER) return perform(request);
    skerry_far_ask(SKERRY_MPPA_MASTER, MESSAGE, request, sizeof *request, &answer);
    return answer.value;
}

static uint64_t allocate_anywhere(int number, size_t size, size_t alignment) {
    return ask(&(struct request){.what = ALLOCATE, .number = (uint32_t)number, .size = size, .alignment = alignment});
}

static bool release_anywhere(int number, uint64_t block) {
    return ask(&(struct request){.what = RELEASE, .number = (uint32_t)number, .block = block}) != 0;
}

bool skerry_mppa_open_second_ddr(void) {
    return skerry_second_memory_is_open() ||
           (ask(&(struct request){.what = OPEN}) != 0 && skerry_second_memory_is_open());
}

#endif

static int ddr_of_segment(const mppa_async_segment_t *segment) {
    return segment ? skerry_mppa_ddr_of_server(segment->server) : -1;
}

int mppa_async_memalign(const mppa_async_segment_t *segment, size_t alignment, size_t size, off64_t *offset,
                        mppa_async_event_t *event) {
    skerry_mppa_check_begun(__func__);
    const int number = ddr_of_segment(segment);
    if (number < 0 || !offset || alignment > LARGEST_ALIGNMENT || (alignment & (alignment - 1)) != 0) return -1;
    const uint64_t block = allocate_anywhere(number, size, alignment);
    if (!block) return -1;
    *offset = (off64_t)block;
    return skerry_mppa_done(event);
}

int mppa_async_malloc(const mppa_async_segment_t *segment, size_t size, off64_t *offset, mppa_async_event_t *event) {
    return mppa_async_memalign(segment, 0, size, offset, event);
}

int mppa_async_free(const mppa_async_segment_t *segment, off64_t offset, mppa_async_event_t *event) {
    size_t left;
    skerry_mppa_check_begun(__func__);
    const int number = ddr_of_segment(segment), has = skerry_mppa_ddr_of((uint64_t)offset, &left);
    if (number < 0) return -1;
    if (has >= 0 && has != number)
        skerry_fail_values(
            __func__,
            "segment MPPA_ASYNC_DDR_#, offset @: the offset is in MPPA_ASYNC_DDR_#, whose memory must be "
            "freed there",
            (long[]){number, (long)offset, has}, 3);
    if (has < 0 || !release_anywhere(number, (uint64_t)offset))
        skerry_fail_values(__func__,
                           "offset @: must be the start of a block that mppa_async_malloc gave and that was not freed",
                           (long[]){(long)offset}, 1);
    return skerry_mppa_done(event);
}
