// SPDX-License-Identifier: BSD-3-Clause
// Copies between PEs: single words, blocks, and strided blocks. This process maps the memory of every near PE (PE of
// this node). So a copy to or from this memory is a loop of loads and stores. For PEs of other nodes the functions call
// far.h. machine.h includes this file.
#ifndef SKERRY_MACHINE_LINUX_TRANSFER_H
#define SKERRY_MACHINE_LINUX_TRANSFER_H

// -- Copy --------------------------------------------------------------------------------------------------------------

// Copies `bytes` bytes by the loop that is best for this size on this processor. Source and destination must not
// overlap. If the loop uses non-temporal stores, it ends with a fence.
SKERRY_DIRECT_CALL void skerry_copy_bytes(void *dest, const void *source, size_t bytes);

void skerry_copy_one_of_many(void *dest, const void *source, size_t bytes, uint64_t all);

#define SKERRY_COPY_INLINE_MAX 64

SKERRY_ALWAYS_INLINE void skerry_copy(void *dest, const void *source, size_t bytes) {
    if (!__builtin_constant_p(bytes) || bytes > SKERRY_COPY_INLINE_MAX) skerry_copy_bytes(dest, source, bytes);
    else if (bytes > 0) // for 0 bytes the address can be null, which memcpy must not get
        __builtin_memcpy(dest, source, bytes);
}

// Copies `bytes` bytes as two words of type TYPE, the first and the last. `bytes` is at most twice the word's size. If
// `bytes` is less than twice the size, the words overlap.
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

// Returns `near_address` if PE `pe` is near (on this node), and `far_address` if it is far. Compilers translate this to
// a conditional move, which they can move out of loops. With __builtin_expect they would translate it to a branch.
SKERRY_ALWAYS_INLINE void *skerry_select(const volatile void *near_address, const volatile void *far_address, int pe) {
    return (void *)(skerry_window(pe) < skerry_facts.near_count ? near_address : far_address);
}

// Completes a put by skerry_put_value, which has stored the word at `stored`. If PE `pe` is near, `stored` is in the
// memory of that PE, and this function wakes the PE's sleepers. If PE `pe` is far, `stored` is a variable of the
// caller, and this function sends the word.
void skerry_complete_put(void *dest, const void *stored, size_t bytes, int pe);

// Loads a word that other threads change. Compilers combine a volatile load with the comparison that follows, but not an
// atomic load. The thread sanitizer takes a volatile load for a race.
#if defined(__SANITIZE_THREAD__)
#define SKERRY_LOAD_ATTENTION(word) __atomic_load_n(word, __ATOMIC_RELAXED)
#else
#define SKERRY_LOAD_ATTENTION(word) (*(word))
#endif

// skerry_put_value stores one word of 1, 2, 4 or 8 bytes, or a long double, to the memory of PE `pe`. skerry_get_value
// loads such a word. The store is volatile. So the compiler keeps it whole, executes it exactly once, and executes it
// before the load of `sleeping`.
//
// A put has only one branch for two rare cases: a thread sleeps until a word of PE `pe` changes, or PE `pe` is far (on
// another node). The branch is taken if a loaded word is not 0:
// * For a near PE, the loaded word is the word `sleeping` of that PE.
// * For a far PE, the value is stored to a variable of the caller. The loaded word is the number of near PEs, which is
//   never 0.
// The two addresses are selected without a branch. So a loop of puts to one PE has no more instructions than it would
// have without far PEs. This is true at -O2 too, where compilers move no branch out of a loop.
#define skerry_put_value(TYPE, dest, value, pe)                                                                        \
    do {                                                                                                               \
        TYPE skerry_kept;                                                                                              \
        volatile TYPE *skerry_there = (volatile TYPE *)skerry_select(skerry_global(dest, pe), &skerry_kept, pe);       \
        const volatile uint32_t *skerry_attention =                                                                    \
            (const volatile uint32_t *)skerry_select(skerry_sleeping(pe), &skerry_facts.near_count, pe);               \
        *skerry_there = (value);                                                                                       \
        if (__builtin_expect(SKERRY_LOAD_ATTENTION(skerry_attention) != 0, 0))                                         \
            skerry_complete_put(dest, (const TYPE *)skerry_there, sizeof(TYPE), pe);                                   \
    } while (0)
#define skerry_get_value(TYPE, source, pe)                                                                             \
    (__builtin_expect(skerry_window(pe) < skerry_facts.load_count, 1)                                                  \
         ? *(const volatile TYPE *)skerry_global(source, pe)                                                           \
         : *(const volatile TYPE *)skerry_load_slowly(source, sizeof(TYPE), pe))

// Loads a word for skerry_get_value if PE `pe` is on another node, or if PEs are oversubscribed (more awake PEs than
// processors). Returns the address from which the caller loads the word.
const void *skerry_load_slowly(const volatile void *source, size_t bytes, int pe);

// Integer types for words that can have any address and any type.
typedef uint8_t __attribute__((may_alias)) skerry_any_8;
typedef uint16_t __attribute__((may_alias, aligned(1))) skerry_any_16;
typedef uint32_t __attribute__((may_alias, aligned(1))) skerry_any_32;
typedef uint64_t __attribute__((may_alias, aligned(1))) skerry_any_64;

// If `bytes` is a compile-time constant and the size of a word, copy one word and return true. If not, copy nothing and
// return false.
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

// The functions compute the remote address before the branch. So the compiler can compute it once for a whole loop.
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

// Copies for skerry_get if PE `pe` is on another node, or if PEs are oversubscribed (more PEs are awake than there are
// processors).
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
