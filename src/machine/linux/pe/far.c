// SPDX-License-Identifier: BSD-3-Clause
// Executes operations on far PEs (PEs of other nodes) by the network module (../network.h). The inline functions of
// machine.h call the functions of this file for every number that is not the number of a near PE. So the functions of
// this file also end the job if there is no PE with this number.
#define _GNU_SOURCE
#include "far_internal.h"

uint32_t skerry_has_far_operations;
uint32_t skerry_quiet_is_slow;

// Ends the job because PE `pe` does not exist. Stores to the address that the object would have in that PE's partition
// (the PE's part of the address space). No memory is mapped at this address, so the process gets a signal. Then the
// launcher prints the place in the program's source that called the routine (crash.c). Without debug information, it
// prints the name of this function. Programs built by `oshcc --check` find the error earlier, and their message names
// the routine.
_Noreturn static void access_to_missing_pe(const volatile void *symmetric, int pe) {
    *(volatile char *)skerry_global(symmetric, pe) = 0;
    skerry_refuse("there is no PE %d: the job has PEs 0 to %d", pe, skerry_facts.pe_count - 1);
}

static inline void check(const volatile void *symmetric, int pe) {
    if (!skerry_network_host.wire_up || (uint32_t)pe >= (uint32_t)skerry_facts.pe_count)
        access_to_missing_pe(symmetric, pe);
}

// The routine that has been inlined into the program is not known here.
_Noreturn static void refuse_size(const char *operation, size_t bytes, int pe) {
    skerry_refuse("%s PE %d: %zu bytes are more than the memory of a PE can have (a negative count?); oshcc --check "
                  "names the routine",
                  operation, pe, bytes);
}

// Checks a put or a get. A negative count becomes a number of bytes that the network would transfer piece by piece, until
// one of the two processes accesses memory that does not exist. On the near path such a copy faults at once.
static inline void check_transfer(const char *operation, const volatile void *symmetric, size_t bytes, int pe) {
    check(symmetric, pe);
    if (bytes > SKERRY_PARTITION_MASK) refuse_size(operation, bytes, pe);
}

static inline void check_blocks(const char *operation, const volatile void *symmetric, size_t block_bytes,
                                size_t blocks, int pe) {
    size_t bytes;
    if (__builtin_mul_overflow(block_bytes, blocks, &bytes)) bytes = SIZE_MAX;
    check_transfer(operation, symmetric, bytes, pe);
}

// -- Operations --------------------------------------------------------------------------------------------------------

uint64_t skerry_far_atomic(enum skerry_far_operation operation, unsigned bytes, const volatile void *word,
                           uint64_t value, uint64_t expected, int pe) {
    check(word, pe);
    if (operation > SKERRY_FAR_FETCH_XOR) begin_operation();
    begin_use();
    const uint64_t old = module()->atomic(operation, bytes, pe, skerry_far_name(word), value, expected);
    end_use();
    return old;
}

void skerry_far_put(void *dest, const void *source, size_t bytes, int pe) {
    check_transfer("a put to", dest, bytes, pe);
    begin_operation();
    begin_use();
    module()->put(pe, skerry_far_name(dest), source, bytes);
    end_use();
}

void skerry_complete_put(void *dest, const void *stored, size_t bytes, int pe) {
    if (skerry_is_near(pe)) skerry_wake_sleepers(pe);
    else skerry_far_put(dest, stored, bytes, pe);
}

void skerry_far_put_now(void *dest, const void *source, size_t bytes, int pe) {
    check_transfer("a put to", dest, bytes, pe);
    begin_operation();
    begin_use();
    module()->put_now(pe, skerry_far_name(dest), source, bytes);
    end_use();
}

void skerry_far_put_nbi(void *dest, const void *source, size_t bytes, int pe) {
    check_transfer("a put to", dest, bytes, pe);
    begin_operation();
    begin_use();
    module()->put_nbi(pe, skerry_far_name(dest), source, bytes);
    end_use();
}

void skerry_far_begin_put(void *dest, const void *source, size_t bytes, int pe, skerry_far_ended *ended, void *given) {
    check_transfer("a put to", dest, bytes, pe);
    begin_operation();
    begin_use();
    module()->begin_put(pe, skerry_far_name(dest), source, bytes, ended, given);
    end_use();
}

void skerry_far_begin_get(void *dest, const void *source, size_t bytes, int pe, skerry_far_ended *ended, void *given) {
    check_transfer("a get from", source, bytes, pe);
    begin_operation();
    begin_use();
    module()->begin_get(dest, pe, skerry_far_name(source), bytes, ended, given);
    end_use();
}

void skerry_far_order_begun_puts(void) {
    if (!module_if_loaded()) return;
    begin_use();
    skerry_network->order_begun_puts();
    end_use();
}

void skerry_far_get(void *dest, const void *source, size_t bytes, int pe) {
    check_transfer("a get from", source, bytes, pe);
    begin_use();
    module()->get(dest, pe, skerry_far_name(source), bytes);
    end_use();
}

void skerry_far_get_nbi(void *dest, const void *source, size_t bytes, int pe) {
    check_transfer("a get from", source, bytes, pe);
    begin_operation();
    begin_use();
    module()->get_nbi(dest, pe, skerry_far_name(source), bytes);
    end_use();
}

void skerry_far_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                            size_t block_bytes, size_t blocks, int pe) {
    check_blocks("a put to", dest, block_bytes, blocks, pe);
    for (size_t i = 0; i < blocks; i++)
        skerry_far_put((char *)dest + (ptrdiff_t)i * dest_stride, (const char *)source + (ptrdiff_t)i * source_stride,
                       block_bytes, pe);
}

void skerry_far_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                            size_t block_bytes, size_t blocks, int pe) {
    check_blocks("a get from", source, block_bytes, blocks, pe);
    begin_use();
    for (size_t i = 0; i < blocks; i++)
        module()->get_nbi((char *)dest + (ptrdiff_t)i * dest_stride, pe,
                          skerry_far_name((const char *)source + (ptrdiff_t)i * source_stride), block_bytes);
    module()->quiet(0);
    end_use();
}

void skerry_put_and_signal(void *dest, const void *source, size_t bytes, uint64_t *signal, uint64_t value, bool adds,
                           int pe) {
    if (!skerry_is_near(pe)) {
        check_transfer("a put to", signal, bytes, pe);
        begin_use();
        module()->put_and_signal(pe, skerry_far_name(dest), source, bytes, skerry_far_name(signal), value, adds);
        end_use();
        return;
    }
    skerry_put_signal_64(dest, source, bytes, signal, value, adds, pe);
}

const void *skerry_far_load(const volatile void *source, size_t bytes, int pe) {
    // A handler can interrupt this thread before the caller has loaded the copy, and call this function too. So
    // handlers use a separate copy.
    static SKERRY_PER_THREAD union {
        uint64_t word;
        long double real;
    } copies[2];
    void *copy = &copies[skerry_in_interrupt()];
    check(source, pe);
    begin_use();
    module()->get(copy, pe, skerry_far_name(source), bytes);
    end_use();
    return copy;
}

// -- Fence and quiet ---------------------------------------------------------------------------------------------------

void skerry_far_quiet_of(uint32_t of) {
    begin_use();
    module()->quiet(of);
    end_use();
}

void skerry_quiet_slowly(uint32_t of) {
    if (SKERRY_HAS_FAR_OPERATIONS) skerry_far_quiet_of(of);
    skerry_may_be_polling(NULL);
}

void skerry_far_fence_of(uint32_t of) {
    begin_use();
    module()->fence(of);
    end_use();
}

void skerry_far_quiet(void) {
    skerry_far_quiet_of(0);
}

void skerry_far_fence(void) {
    skerry_far_fence_of(0);
}
