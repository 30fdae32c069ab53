// SPDX-License-Identifier: BSD-3-Clause
// Defines the atomic memory operations (specification, section 9.6): fetching, non-fetching, non-blocking and bitwise
// operations, and their deprecated names. An operation that reads and changes a word is one locked instruction, also if
// the word is in the memory of another PE.

//@ shmem_atomic_fetch: shmem_TYPENAME_atomic_fetch shmem_TYPENAME_atomic_fetch_nbi shmem_TYPENAME_fetch
// Reads a word of another PE. The read is atomic with respect to other atomics on the word. shmem_TYPENAME_fetch is a
// deprecated name of shmem_TYPENAME_atomic_fetch.
//   source  symmetric address of the word on PE `pe`
//   fetch   (names with _nbi) receives the value, which is valid after shmem_quiet
//   pe      rank in the world team; if the call has a context, rank in the context's team
// Order: the read is an acquire.
// Source: OpenSHMEM 1.6, AMO, SHMEM_ATOMIC_FETCH.

//@ shmem_atomic_set: shmem_TYPENAME_atomic_set shmem_TYPENAME_set
// Writes a word of another PE. The write is atomic with respect to other atomics on the word. shmem_TYPENAME_set is a
// deprecated name of shmem_TYPENAME_atomic_set.
//   dest   symmetric address of the word on PE `pe`
//   value  the new value
//   pe     rank in the world team; if the call has a context, rank in the context's team
// Order: the write is a release.
// Source: OpenSHMEM 1.6, AMO, SHMEM_ATOMIC_SET.

//@ shmem_atomic_swap: shmem_TYPENAME_atomic_swap shmem_TYPENAME_atomic_swap_nbi shmem_TYPENAME_swap
// Writes a word of another PE and returns the word's old value, in one locked instruction.
//   dest   symmetric address of the word on PE `pe`
//   value  the new value
//   fetch  (names with _nbi) receives the old value, which is valid after shmem_quiet
//   pe     rank in the world team; if the call has a context, rank in the context's team
// Source: OpenSHMEM 1.6, AMO, SHMEM_ATOMIC_SWAP.

//@ shmem_atomic_compare_swap: shmem_TYPENAME_atomic_compare_swap shmem_TYPENAME_atomic_compare_swap_nbi shmem_TYPENAME_cswap
// Writes `value` to a word of another PE if the word holds `cond`, and returns the word's old value.
//   dest   symmetric address of the word on PE `pe`
//   cond   value that the word must hold
//   value  the new value
//   fetch  (names with _nbi) receives the old value, which is valid after shmem_quiet
//   pe     rank in the world team; if the call has a context, rank in the context's team
// Source: OpenSHMEM 1.6, AMO, SHMEM_ATOMIC_COMPARE_SWAP.

//@ shmem_atomic_add: shmem_TYPENAME_atomic_add shmem_TYPENAME_atomic_inc shmem_TYPENAME_add shmem_TYPENAME_inc
// Adds `value` to a word of another PE; the routines with inc in their names add 1. Integers wrap around.
//   dest   symmetric address of the word on PE `pe`
//   value  the value to add
//   pe     rank in the world team; if the call has a context, rank in the context's team
// Order: the addition is a release. The addition is complete after shmem_quiet.
// Source: OpenSHMEM 1.6, AMO, SHMEM_ATOMIC_ADD and SHMEM_ATOMIC_INC.

//@ shmem_atomic_fetch_add: shmem_TYPENAME_atomic_fetch_add shmem_TYPENAME_atomic_fetch_inc shmem_TYPENAME_atomic_fetch_add_nbi shmem_TYPENAME_atomic_fetch_inc_nbi shmem_TYPENAME_fadd shmem_TYPENAME_finc
// Adds `value` to a word of another PE and returns the word's old value, in one locked instruction. The routines with
// inc in their names add 1.
//   dest   symmetric address of the word on PE `pe`
//   value  the value to add
//   fetch  (names with _nbi) receives the old value, which is valid after shmem_quiet
//   pe     rank in the world team; if the call has a context, rank in the context's team
// Source: OpenSHMEM 1.6, AMO, SHMEM_ATOMIC_FETCH_ADD and SHMEM_ATOMIC_FETCH_INC.

//@ shmem_atomic_and: shmem_TYPENAME_atomic_and shmem_TYPENAME_atomic_or shmem_TYPENAME_atomic_xor
// Combines a word of another PE with `value` bit by bit: AND, OR or XOR.
//   dest   symmetric address of the word on PE `pe`
//   value  the other operand
//   pe     rank in the world team; if the call has a context, rank in the context's team
// Order: the change is a release. The change is complete after shmem_quiet.
// Source: OpenSHMEM 1.6, AMO, SHMEM_ATOMIC_AND, _OR and _XOR.

//@ shmem_atomic_fetch_and: shmem_TYPENAME_atomic_fetch_and shmem_TYPENAME_atomic_fetch_or shmem_TYPENAME_atomic_fetch_xor shmem_TYPENAME_atomic_fetch_and_nbi shmem_TYPENAME_atomic_fetch_or_nbi shmem_TYPENAME_atomic_fetch_xor_nbi
// Combines a word of another PE with `value` bit by bit (AND, OR or XOR) and returns the word's old value.
//   dest   symmetric address of the word on PE `pe`
//   value  the other operand
//   fetch  (names with _nbi) receives the old value, which is valid after shmem_quiet
//   pe     rank in the world team; if the call has a context, rank in the context's team
// Source: OpenSHMEM 1.6, AMO, SHMEM_ATOMIC_FETCH_AND, _OR and _XOR.

#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_INLINE_PAIR(TYPE, NAME##_atomic_fetch, 2, (const TYPE *source, int pe), {                                   \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "source", source, sizeof(TYPE), pe))                      \
        return skerry_atomic_fetch_##NAME(source, pe);                                                                 \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(void, NAME##_atomic_set, 3, (TYPE * dest, TYPE value, int pe), {                                \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe))                          \
        skerry_atomic_set_##NAME(dest, value, pe);                                                                     \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(TYPE, NAME##_atomic_swap, 3, (TYPE * dest, TYPE value, int pe), {                               \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe))                          \
        return skerry_atomic_swap_##NAME(dest, value, pe);                                                             \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(void, NAME##_atomic_fetch_nbi, 3, (TYPE * fetch, const TYPE *source, int pe), {                 \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "source", source, sizeof(TYPE), pe);                      \
                             skerry_check_fetch(__func__ + 1, fetch, sizeof(TYPE)))                                    \
        *fetch = skerry_atomic_fetch_##NAME(source, pe);                                                               \
        SKERRY_WHEN_CHECKING(skerry_check_fetch_nbi(__func__ + 1, fetch, sizeof(TYPE)))                                \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(void, NAME##_atomic_swap_nbi, 4, (TYPE * fetch, TYPE * dest, TYPE value, int pe), {             \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe);                          \
                             skerry_check_fetch(__func__ + 1, fetch, sizeof(TYPE)))                                    \
        *fetch = skerry_atomic_swap_##NAME(dest, value, pe);                                                           \
        SKERRY_WHEN_CHECKING(skerry_check_fetch_nbi(__func__ + 1, fetch, sizeof(TYPE)))                                \
    })
SKERRY_EXTENDED_ATOMIC_TYPES(SKERRY_LIST)
#undef SKERRY_LIST

#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_INLINE_PAIR(TYPE, NAME##_atomic_compare_swap, 4, (TYPE * dest, TYPE cond, TYPE value, int pe), {            \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe))                          \
        return skerry_atomic_compare_swap_##NAME(dest, cond, value, pe);                                               \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(TYPE, NAME##_atomic_fetch_inc, 2, (TYPE * dest, int pe), {                                      \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe))                          \
        return skerry_atomic_fetch_add_##NAME(dest, 1, pe);                                                            \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(void, NAME##_atomic_inc, 2, (TYPE * dest, int pe), {                                            \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe))                          \
        skerry_atomic_add_##NAME(dest, 1, pe);                                                                         \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(TYPE, NAME##_atomic_fetch_add, 3, (TYPE * dest, TYPE value, int pe), {                          \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe))                          \
        return skerry_atomic_fetch_add_##NAME(dest, value, pe);                                                        \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(void, NAME##_atomic_add, 3, (TYPE * dest, TYPE value, int pe), {                                \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe))                          \
        skerry_atomic_add_##NAME(dest, value, pe);                                                                     \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(void, NAME##_atomic_compare_swap_nbi, 5,                                                        \
                       (TYPE * fetch, TYPE * dest, TYPE cond, TYPE value, int pe), {                                   \
                           SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe);       \
                                                skerry_check_fetch(__func__ + 1, fetch, sizeof(TYPE)))                 \
                           *fetch = skerry_atomic_compare_swap_##NAME(dest, cond, value, pe);                          \
                           SKERRY_WHEN_CHECKING(skerry_check_fetch_nbi(__func__ + 1, fetch, sizeof(TYPE)))             \
                       })                                                                                              \
    SKERRY_INLINE_PAIR(void, NAME##_atomic_fetch_inc_nbi, 3, (TYPE * fetch, TYPE * dest, int pe), {                    \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe);                          \
                             skerry_check_fetch(__func__ + 1, fetch, sizeof(TYPE)))                                    \
        *fetch = skerry_atomic_fetch_add_##NAME(dest, 1, pe);                                                          \
        SKERRY_WHEN_CHECKING(skerry_check_fetch_nbi(__func__ + 1, fetch, sizeof(TYPE)))                                \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(void, NAME##_atomic_fetch_add_nbi, 4, (TYPE * fetch, TYPE * dest, TYPE value, int pe), {        \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe);                          \
                             skerry_check_fetch(__func__ + 1, fetch, sizeof(TYPE)))                                    \
        *fetch = skerry_atomic_fetch_add_##NAME(dest, value, pe);                                                      \
        SKERRY_WHEN_CHECKING(skerry_check_fetch_nbi(__func__ + 1, fetch, sizeof(TYPE)))                                \
    })
SKERRY_STANDARD_ATOMIC_TYPES(SKERRY_LIST)
#undef SKERRY_LIST

#define SKERRY_LIST_ONE(NAME, TYPE, OPERATION)                                                                         \
    SKERRY_INLINE_PAIR(TYPE, NAME##_atomic_fetch_##OPERATION, 3, (TYPE * dest, TYPE value, int pe), {                  \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe))                          \
        return skerry_atomic_fetch_##OPERATION##_##NAME(dest, value, pe);                                              \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(void, NAME##_atomic_##OPERATION, 3, (TYPE * dest, TYPE value, int pe), {                        \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe))                          \
        skerry_atomic_##OPERATION##_##NAME(dest, value, pe);                                                           \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(void, NAME##_atomic_fetch_##OPERATION##_nbi, 4,                                                 \
                       (TYPE * fetch, TYPE * dest, TYPE value, int pe), {                                              \
                           SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe);       \
                                                skerry_check_fetch(__func__ + 1, fetch, sizeof(TYPE)))                 \
                           *fetch = skerry_atomic_fetch_##OPERATION##_##NAME(dest, value, pe);                         \
                           SKERRY_WHEN_CHECKING(skerry_check_fetch_nbi(__func__ + 1, fetch, sizeof(TYPE)))             \
                       })
#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_LIST_ONE(NAME, TYPE, and)                                                                                   \
    SKERRY_LIST_ONE(NAME, TYPE, or)                                                                                    \
    SKERRY_LIST_ONE(NAME, TYPE, xor)
SKERRY_BITWISE_ATOMIC_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
#undef SKERRY_LIST_ONE

// Defines atomic operations under their first names, which are deprecated since OpenSHMEM 1.4.
#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_INLINE(TYPE, shmem_##NAME##_fetch, (const TYPE *source, int pe), {                                          \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "source", source, sizeof(TYPE), pe))                      \
        return skerry_atomic_fetch_##NAME(source, pe);                                                                 \
    })                                                                                                                 \
    SKERRY_INLINE(void, shmem_##NAME##_set, (TYPE * dest, TYPE value, int pe), {                                       \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe))                          \
        skerry_atomic_set_##NAME(dest, value, pe);                                                                     \
    })                                                                                                                 \
    SKERRY_INLINE(TYPE, shmem_##NAME##_swap, (TYPE * dest, TYPE value, int pe), {                                      \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe))                          \
        return skerry_atomic_swap_##NAME(dest, value, pe);                                                             \
    })
SKERRY_OLD_EXTENDED_ATOMIC_TYPES(SKERRY_LIST)
#undef SKERRY_LIST

#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_INLINE(TYPE, shmem_##NAME##_cswap, (TYPE * dest, TYPE cond, TYPE value, int pe), {                          \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe))                          \
        return skerry_atomic_compare_swap_##NAME(dest, cond, value, pe);                                               \
    })                                                                                                                 \
    SKERRY_INLINE(TYPE, shmem_##NAME##_finc, (TYPE * dest, int pe), {                                                  \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe))                          \
        return skerry_atomic_fetch_add_##NAME(dest, 1, pe);                                                            \
    })                                                                                                                 \
    SKERRY_INLINE(void, shmem_##NAME##_inc, (TYPE * dest, int pe), {                                                   \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe))                          \
        skerry_atomic_add_##NAME(dest, 1, pe);                                                                         \
    })                                                                                                                 \
    SKERRY_INLINE(TYPE, shmem_##NAME##_fadd, (TYPE * dest, TYPE value, int pe), {                                      \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe))                          \
        return skerry_atomic_fetch_add_##NAME(dest, value, pe);                                                        \
    })                                                                                                                 \
    SKERRY_INLINE(void, shmem_##NAME##_add, (TYPE * dest, TYPE value, int pe), {                                       \
        SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "dest", dest, sizeof(TYPE), pe))                          \
        skerry_atomic_add_##NAME(dest, value, pe);                                                                     \
    })
SKERRY_OLD_ATOMIC_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
