// SPDX-License-Identifier: BSD-3-Clause
// Ends the job if an operation names a PE that does not exist. A job has one node, so every PE of the job is near, and
// the inline functions of machine.h call these functions only with a number that is no PE's.
#include "../far.h"

#include "internal.h"

// Accesses the address that the object would have in the PE's partition. No memory is mapped there, so the process gets
// a signal, and the launcher prints the place in the program's source that called the routine (crash.c). The check of
// `oshcc --check` also names the routine. The name of this function is part of the message if the program has no debug
// information.
_Noreturn static void access_to_missing_pe(const volatile void *symmetric, int pe) {
    *(volatile char *)skerry_global(symmetric, pe) = 0;
    skerry_refuse("there is no PE %d: the job has PEs 0 to %d", pe, skerry_facts.pe_count - 1);
}

uint64_t skerry_far_atomic(enum skerry_far_operation operation, unsigned bytes, const volatile void *word,
                           uint64_t value, uint64_t expected, int pe) {
    (void)operation, (void)bytes, (void)value, (void)expected;
    access_to_missing_pe(word, pe);
}

void skerry_far_put(void *dest, const void *source, size_t bytes, int pe) {
    (void)source, (void)bytes;
    access_to_missing_pe(dest, pe);
}

void skerry_far_get(void *dest, const void *source, size_t bytes, int pe) {
    (void)dest, (void)bytes;
    access_to_missing_pe(source, pe);
}

void skerry_far_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                            size_t block_bytes, size_t blocks, int pe) {
    (void)source, (void)dest_stride, (void)source_stride, (void)block_bytes, (void)blocks;
    access_to_missing_pe(dest, pe);
}

void skerry_far_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                            size_t block_bytes, size_t blocks, int pe) {
    (void)dest, (void)dest_stride, (void)source_stride, (void)block_bytes, (void)blocks;
    access_to_missing_pe(source, pe);
}

const void *skerry_far_load(const volatile void *source, size_t bytes, int pe) {
    (void)bytes;
    access_to_missing_pe(source, pe);
}
