// SPDX-License-Identifier: BSD-3-Clause
// Implements puts and gets. A small put is packets that the core itself builds; a large one is sent by a micro-core. A get
// is a job of the server, which answers in the same two ways.
#pragma GCC optimize "O2"
#include "jobs.h"

// Bytes from which on a micro-core sends a put faster than the core does (bench/mppa/transfer.c).
#define BY_MICRO_CORE 192u
#define BLOCKS_BY_MICRO_CORE(BYTES) ((BYTES) <= 8 ? 6u : SKERRY_FAR_BLOCKS_MIN)

// Returns true if the DMA unit can read the bytes: they are in this PE's memory, and not in external memory.
static bool is_own(const void *source) {
    if ((uintptr_t)source - SKERRY_MPPA_MEMORY < SKERRY_MPPA_PARTITION_BYTES) return true;
    return skerry_is_ddr(source) && skerry_owner(source) == skerry_facts.my_pe;
}

static const void *own_address(const void *source) {
    const bool is_global = skerry_global(source, skerry_facts.my_pe) == source;
    return is_global ? skerry_localize(source) : source;
}

// This core's stores to DDR arrive later than those to the cluster's memory.
static void order_source(const void *source) {
    if (skerry_is_ddr(source)) __asm__ volatile("fence w, rw" ::: "memory");
}

static void start_put(struct skerry_requester *requester, const struct skerry_blocks *copy, int pe) {
    order_source(copy->source);
    skerry_micro_put(copy, SKERRY_MPPA_HEADER_MEMORY + (uint32_t)pe, skerry_core_of(requester));
    requester->puts++;
}

// Puts of one word need no access to memory for its value.
void skerry_far_put_64(void *dest, uint64_t value, int pe) {
    (void)skerry_begin_operation(pe);
    char *const send = skerry_send_address(SKERRY_MPPA_HEADER_MEMORY + (uint32_t)pe);
    skerry_packet_offset(skerry_offset(dest));
    *(volatile uint32_t *)(void *)skerry_push_address() = (uint32_t)value;
    *(volatile uint32_t *)(void *)(send + 4) = (uint32_t)(value >> 32);
    skerry_note_put(pe);
}

void skerry_far_put_32(void *dest, uint32_t value, size_t bytes, int pe) {
    (void)skerry_begin_operation(pe);
    char *const send = skerry_send_address(SKERRY_MPPA_HEADER_MEMORY + (uint32_t)pe);
    skerry_packet_offset(skerry_offset(dest));
    if (bytes == 4) *(volatile uint32_t *)(void *)send = value;
    else if (bytes == 2) *(volatile uint16_t *)(void *)send = (uint16_t)value;
    else *(volatile uint8_t *)send = (uint8_t)value;
    skerry_note_put(pe);
}

static void put_by_core(void *dest, const void *source, size_t bytes, int pe) {
    skerry_send_bytes(SKERRY_MPPA_HEADER_MEMORY + (uint32_t)pe, skerry_offset(dest), own_address(source), bytes, false);
    skerry_note_put(pe);
}

void skerry_put_by_micro_core(void *dest, const void *source, size_t bytes, int pe,
                              struct skerry_requester *requester) {
    source = own_address(source);
    if (!is_own(source)) {
        put_by_core(dest, source, bytes, pe);
        return;
    }
    order_source(source);
    skerry_micro_put_range(source, skerry_offset(dest), (uint32_t)bytes, SKERRY_MPPA_HEADER_MEMORY + (uint32_t)pe,
                           skerry_core_of(requester));
    requester->puts++;
    skerry_note_put(pe);
}

void skerry_far_put_nbi(void *dest, const void *source, size_t bytes, int pe) {
    struct skerry_requester *requester = skerry_begin_operation(pe);
    if (bytes >= BY_MICRO_CORE) skerry_put_by_micro_core(dest, source, bytes, pe, requester);
    else if (bytes > 0) put_by_core(dest, source, bytes, pe);
}

// Waits until the micro-core has sent the puts of the calling core. Then the program may change their sources.
static void await_own_puts_sent(struct skerry_requester *requester) {
    const uint32_t puts = requester->puts;
    while (!skerry_is_put_sent(requester, puts)) {
    }
    requester->puts_sent = puts;
}

// A put of 8 bytes is often a flag or a pointer.
void skerry_far_put(void *dest, const void *source, size_t bytes, int pe) {
    if (bytes == 8 && (uintptr_t)source % 4 == 0) {
        typedef uint32_t __attribute__((may_alias)) word;
        const word *words = source;
        skerry_far_put_64(dest, (uint64_t)words[1] << 32 | words[0], pe);
        return;
    }
    skerry_far_put_nbi(dest, source, bytes, pe);
    if (bytes >= BY_MICRO_CORE) await_own_puts_sent(&skerry_requesters[skerry_worker_number]);
}

static void start_get(uint32_t offset, const void *source, size_t bytes, int pe, struct skerry_requester *requester) {
    const uint32_t words[] = {skerry_offset(source), offset, (uint32_t)bytes};
    skerry_send_job(requester, SKERRY_MPPA_JOB_GET, pe, 4, words);
}

void skerry_far_get_nbi(void *dest, const void *source, size_t bytes, int pe) {
    struct skerry_requester *requester = skerry_begin_operation(pe);
    if (bytes == 0) return;
    const uint32_t offset = skerry_offset(dest);
    if (skerry_is_other_ddr(dest, offset)) skerry_get_to_other_ddr(dest, source, 0, 0, bytes, 1, pe);
    else start_get(offset, source, bytes, pe, requester);
}

void skerry_far_get(void *dest, const void *source, size_t bytes, int pe) {
    struct skerry_requester *requester = skerry_begin_operation(pe);
    if (bytes == 0) return;
    const uint32_t offset = skerry_offset(dest);
    if (skerry_is_other_ddr(dest, offset)) {
        skerry_get_to_other_ddr(dest, source, 0, 0, bytes, 1, pe);
        return;
    }
    start_get(offset, source, bytes, pe, requester);
    skerry_await_answers(requester);
    skerry_compiler_fence();
}

#define PIECE 512u // bytes that arrive in this core's stack at a time

__attribute__((cold, noinline)) void skerry_get_to_other_ddr(void *dest, const void *source, ptrdiff_t dest_stride,
                                                             ptrdiff_t source_stride, size_t block_bytes, size_t blocks,
                                                             int pe) {
    uint64_t piece[PIECE / sizeof(uint64_t)];
    char *to = dest;
    for (const char *from = source; blocks > 0; blocks--, to += dest_stride, from += source_stride) {
        for (size_t done = 0; done < block_bytes; done += PIECE) {
            const size_t bytes = block_bytes - done < PIECE ? block_bytes - done : PIECE;
            skerry_far_get(piece, from + done, bytes, pe);
            skerry_copy(to + done, piece, bytes);
        }
    }
    order_source(dest); // what this core tells others later, they see after these stores
}

// -- Strides -----------------------------------------------------------------------------------------------------------

static void copy_strided(char *dest, const char *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                         size_t block_bytes, size_t blocks) {
    for (; blocks > 0; blocks--, dest += dest_stride, source += source_stride) skerry_copy(dest, source, block_bytes);
}

void skerry_start_put_strided(struct skerry_requester *requester, void *dest, const void *source, ptrdiff_t dest_stride,
                              ptrdiff_t source_stride, size_t block_bytes, size_t blocks, int pe) {
    const char *from = own_address(source);
    if (is_own(from)) {
        const struct skerry_blocks copy = {from,
                                           skerry_offset(dest),
                                           (uint32_t)block_bytes,
                                           (uint32_t)blocks,
                                           (uint32_t)source_stride,
                                           (uint32_t)dest_stride};
        start_put(requester, &copy, pe);
        skerry_note_put(pe);
        return;
    }
    for (char *to = dest; blocks > 0; blocks--, to += dest_stride, from += source_stride)
        skerry_far_put_nbi(to, from, block_bytes, pe);
}

void skerry_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe) {
    if (skerry_is_near(pe)) {
        copy_strided(skerry_localize(dest), source, dest_stride, source_stride, block_bytes, blocks);
        return;
    }
    struct skerry_requester *requester = skerry_begin_operation(pe);
    if (block_bytes == 0 || blocks == 0) return;
    if (blocks >= BLOCKS_BY_MICRO_CORE(block_bytes)) {
        skerry_start_put_strided(requester, dest, source, dest_stride, source_stride, block_bytes, blocks, pe);
        await_own_puts_sent(requester);
        return;
    }
    const char *from = source;
    for (char *to = dest; blocks > 0; blocks--, to += dest_stride, from += source_stride)
        skerry_far_put(to, from, block_bytes, pe);
}

void skerry_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe) {
    if (skerry_is_near(pe)) {
        copy_strided(dest, skerry_localize(source), dest_stride, source_stride, block_bytes, blocks);
        return;
    }
    struct skerry_requester *requester = skerry_begin_operation(pe);
    if (block_bytes == 0 || blocks == 0) return;
    const uint32_t offset = skerry_offset(dest);
    if (skerry_is_other_ddr(dest, offset)) {
        skerry_get_to_other_ddr(dest, source, dest_stride, source_stride, block_bytes, blocks, pe);
        return;
    }
    const uint32_t words[] = {skerry_offset(source),   offset,
                              (uint32_t)block_bytes,   (uint32_t)blocks,
                              (uint32_t)source_stride, (uint32_t)dest_stride};
    skerry_send_job(requester, SKERRY_MPPA_JOB_GET_STRIDED, pe, 7, words);
    skerry_await_answers(requester);
    skerry_compiler_fence();
}

// The signal follows the data on the same route: as a put, or as a job, which the server executes after the data have
// arrived. A quiet waits for it too.
void skerry_put_and_signal(void *dest, const void *source, size_t bytes, skerry_word *signal, skerry_word value,
                           bool adds, int pe) {
    if (bytes > 0) skerry_put(dest, source, bytes, pe);
    if (adds) skerry_atomic_add_32(signal, value, pe);
    else skerry_atomic_store_32(signal, value, pe);
}
