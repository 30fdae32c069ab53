// SPDX-License-Identifier: BSD-3-Clause
// Copies between PEs: words, blocks and strided blocks. A near PE's memory is mapped, so a copy is a loop of loads and
// stores. machine.h includes this file.
#ifndef SKERRY_MACHINE_LINUX_TRANSFER_H
#define SKERRY_MACHINE_LINUX_TRANSFER_H

// -- Copy --------------------------------------------------------------------------------------------------------------

// Copies `bytes` bytes by the loop that is best for this size on this processor. Source and destination must not
// overlap. If the loop uses non-temporal stores, it ends with a fence.
void skerry_copy_bytes(void *dest, const void *source, size_t bytes);

void skerry_copy_one_of_many(void *dest, const void *source, size_t bytes, uint64_t all);

#define SKERRY_COPY_INLINE_MAX 64

SKERRY_ALWAYS_INLINE void skerry_copy(void *dest, const void *source, size_t bytes) {
    if (!__builtin_constant_p(bytes) || bytes > SKERRY_COPY_INLINE_MAX) skerry_copy_bytes(dest, source, bytes);
    else if (bytes > 0) // for 0 bytes the address can be null, which memcpy must not get
        __builtin_memcpy(dest, source, bytes);
}

// Copies `bytes` bytes as two words of type TYPE, the first and the last. The words overlap unless `bytes` is twice the
// word's size.
#define SKERRY_COPY_ENDS(TYPE, dest, source, bytes)                                                                    \
    do {                                                                                                               \
        TYPE first, last;                                                                                              \
        __builtin_memcpy(&first, source, sizeof(TYPE));                                                                \
        __builtin_memcpy(&last, (const char *)(source) + (bytes) - sizeof(TYPE), sizeof(TYPE));                        \
        __builtin_memcpy(dest, &first, sizeof(TYPE));                                                                  \
        __builtin_memcpy((char *)(dest) + (bytes) - sizeof(TYPE), &last, sizeof(TYPE));                                \
    } while (0)

SKERRY_ALWAYS_INLINE bool skerry_copy_short(void *dest, const void *source, size_t bytes) {
    if (bytes - 8 <= 8) SKERRY_COPY_ENDS(uint64_t, dest, source, bytes);
    else if (bytes - 17 <= 15) SKERRY_COPY_ENDS(__uint128_t, dest, source, bytes);
    else if (bytes - 4 <= 3) SKERRY_COPY_ENDS(uint32_t, dest, source, bytes);
    else return false;
    return true;
}

// -- One word ----------------------------------------------------------------------------------------------------------

// Returns `near_address` if `pe` is a near PE, else `far_address`. Compilers make this a conditional move and move it out
// of loops. With __builtin_expect they would make it a branch.
SKERRY_ALWAYS_INLINE void *skerry_select(const volatile void *near_address, const volatile void *far_address, int pe) {
    return (void *)(skerry_window(pe) < skerry_facts.near_count ? near_address : far_address);
}

// Completes a put of a word that the caller has stored at `stored`: in the memory of the near PE `pe`, or else in a
// variable of the caller.
void skerry_complete_put(void *dest, const void *stored, size_t bytes, int pe);

// skerry_put_value stores one word of 1, 2, 4 or 8 bytes, or a long double, to PE `pe`; skerry_get_value loads one. The
// store is volatile: it is executed exactly one time, not in parts, and before the load of `sleeping`.
//
// A put has one branch for two rare cases, a target that sleeps and a target that is far. For a far PE, the value is
// stored to a variable of the caller, and the loaded word is the number of near PEs, which is never 0. So the loop of
// puts to one PE has no more instructions than it would have without far PEs, also at -O2, where compilers move no
// branch out of a loop.
#define skerry_put_value(TYPE, dest, value, pe)                                                                        \
    do {                                                                                                               \
        TYPE skerry_kept;                                                                                              \
        volatile TYPE *skerry_there = (volatile TYPE *)skerry_select(skerry_global(dest, pe), &skerry_kept, pe);       \
        const volatile uint32_t *skerry_attention =                                                                    \
            (const volatile uint32_t *)skerry_select(skerry_sleeping(pe), &skerry_facts.near_count, pe);               \
        *skerry_there = (value);                                                                                       \
        if (__builtin_expect(*skerry_attention != 0, 0))                                                               \
            skerry_complete_put(dest, (const TYPE *)skerry_there, sizeof(TYPE), pe);                                   \
    } while (0)
#define skerry_get_value(TYPE, source, pe)                                                                             \
    (__builtin_expect(skerry_window(pe) < skerry_facts.load_count, 1)                                                  \
         ? *(const volatile TYPE *)skerry_global(source, pe)                                                           \
         : *(const volatile TYPE *)skerry_load_slowly(source, sizeof(TYPE), pe))

// Does what skerry_get_value does if PE `pe` is far or if PEs are oversubscribed. Returns the address from which the
// caller loads the word.
const void *skerry_load_slowly(const volatile void *source, size_t bytes, int pe);

// Words at any address, of any type.
typedef uint8_t __attribute__((may_alias)) skerry_any_8;
typedef uint16_t __attribute__((may_alias, aligned(1))) skerry_any_16;
typedef uint32_t __attribute__((may_alias, aligned(1))) skerry_any_32;
typedef uint64_t __attribute__((may_alias, aligned(1))) skerry_any_64;

// Copy one word if `bytes` is a constant and the size of a word. Otherwise they return false.
SKERRY_ALWAYS_INLINE bool skerry_put_word(void *dest, const void *source, size_t bytes, int pe) {
    if (!__builtin_constant_p(bytes)) return false;
    switch (bytes) {
    case 1: skerry_put_value(skerry_any_8, dest, *(const skerry_any_8 *)source, pe); return true;
    case 2: skerry_put_value(skerry_any_16, dest, *(const skerry_any_16 *)source, pe); return true;
    case 4: skerry_put_value(skerry_any_32, dest, *(const skerry_any_32 *)source, pe); return true;
    case 8: skerry_put_value(skerry_any_64, dest, *(const skerry_any_64 *)source, pe); return true;
    default: return false;
    }
}

SKERRY_ALWAYS_INLINE bool skerry_get_word(void *dest, const void *source, size_t bytes, int pe) {
    if (!__builtin_constant_p(bytes)) return false;
    switch (bytes) {
    case 1: *(skerry_any_8 *)dest = skerry_get_value(skerry_any_8, source, pe); return true;
    case 2: *(skerry_any_16 *)dest = skerry_get_value(skerry_any_16, source, pe); return true;
    case 4: *(skerry_any_32 *)dest = skerry_get_value(skerry_any_32, source, pe); return true;
    case 8: *(skerry_any_64 *)dest = skerry_get_value(skerry_any_64, source, pe); return true;
    default: return false;
    }
}

// -- Blocks ------------------------------------------------------------------------------------------------------------

// The addresses are computed before the branch, so that the compiler can compute them once for a whole loop.
SKERRY_ALWAYS_INLINE void skerry_put(void *dest, const void *source, size_t bytes, int pe) {
    if (skerry_put_word(dest, source, bytes, pe)) return;
    void *there = skerry_global(dest, pe);
    if (skerry_is_near(pe)) {
        skerry_copy(there, source, bytes);
        skerry_compiler_fence(); // keeps the copy before the load of `sleeping`
        skerry_wake(pe);
    } else {
        skerry_far_put(dest, source, bytes, pe);
    }
}

// Does what skerry_get does if PE `pe` is far or if PEs are oversubscribed.
void skerry_get_slowly(void *dest, const void *source, size_t bytes, int pe);

SKERRY_ALWAYS_INLINE void skerry_get(void *dest, const void *source, size_t bytes, int pe) {
    if (skerry_get_word(dest, source, bytes, pe)) return;
    const void *there = skerry_global(source, pe);
    if (__builtin_expect(skerry_window(pe) < skerry_facts.load_count, 1)) {
        skerry_compiler_fence(); // a program can poll by gets, so each get reads memory again
        skerry_copy(dest, there, bytes);
    } else {
        skerry_get_slowly(dest, source, bytes, pe);
    }
}

SKERRY_ALWAYS_INLINE void skerry_copy_to(void *dest, const void *source, size_t bytes, int pe) {
    if (skerry_is_near(pe)) skerry_copy(skerry_global(dest, pe), source, bytes);
    else skerry_far_put(dest, source, bytes, pe);
}

SKERRY_ALWAYS_INLINE void skerry_put_nbi(void *dest, const void *source, size_t bytes, int pe) {
    if (skerry_is_near(pe)) skerry_put(dest, source, bytes, pe);
    else skerry_far_put_nbi(dest, source, bytes, pe);
}

SKERRY_ALWAYS_INLINE void skerry_get_nbi(void *dest, const void *source, size_t bytes, int pe) {
    if (skerry_is_near(pe)) skerry_get(dest, source, bytes, pe);
    else skerry_far_get_nbi(dest, source, bytes, pe);
}

void skerry_copy_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                         size_t block_bytes, size_t blocks);

SKERRY_ALWAYS_INLINE void skerry_put_strided(void *dest, const void *source, ptrdiff_t dest_stride,
                                             ptrdiff_t source_stride, size_t block_bytes, size_t blocks, int pe) {
    if (!skerry_is_near(pe)) {
        skerry_far_put_strided(dest, source, dest_stride, source_stride, block_bytes, blocks, pe);
        return;
    }
    skerry_copy_strided(skerry_global(dest, pe), source, dest_stride, source_stride, block_bytes, blocks);
    skerry_compiler_fence();
    skerry_wake(pe);
}

SKERRY_ALWAYS_INLINE void skerry_get_strided(void *dest, const void *source, ptrdiff_t dest_stride,
                                             ptrdiff_t source_stride, size_t block_bytes, size_t blocks, int pe) {
    if (!skerry_is_near(pe)) {
        skerry_far_get_strided(dest, source, dest_stride, source_stride, block_bytes, blocks, pe);
        return;
    }
    skerry_copy_strided(dest, skerry_global(source, pe), dest_stride, source_stride, block_bytes, blocks);
}

#endif
