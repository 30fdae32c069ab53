// SPDX-License-Identifier: BSD-3-Clause
// Contains the table of the atomic memory operations (specification, section 9.6): fetching, non-fetching, non-blocking
// and bitwise operations, and their deprecated names. On Linux, an operation on a word of the same node that reads and
// changes the word is one locked instruction. amo_inline.h has the bodies.

//@ shmem_atomic_fetch: shmem_TYPENAME_atomic_fetch shmem_TYPENAME_atomic_fetch_nbi deprecated shmem_TYPENAME_fetch
// Reads a word of another PE. The read is atomic with respect to other atomics on the word. shmem_TYPENAME_fetch is a
// deprecated name of shmem_TYPENAME_atomic_fetch.
//   source  symmetric address of the word on PE `pe`
//   fetch   (names with _nbi) receives the value, which is valid after shmem_quiet
//   pe      rank in the world team; if the call has a context, rank in the context's team
// Order: the read is an acquire.
// Source: OpenSHMEM 1.6, AMO, SHMEM_ATOMIC_FETCH.

//@ shmem_atomic_set: shmem_TYPENAME_atomic_set deprecated shmem_TYPENAME_set
// Writes a word of another PE. The write is atomic with respect to other atomics on the word. shmem_TYPENAME_set is a
// deprecated name of shmem_TYPENAME_atomic_set.
//   dest   symmetric address of the word on PE `pe`
//   value  the new value
//   pe     rank in the world team; if the call has a context, rank in the context's team
// Order: the write is a release.
// Source: OpenSHMEM 1.6, AMO, SHMEM_ATOMIC_SET.

//@ shmem_atomic_swap: shmem_TYPENAME_atomic_swap shmem_TYPENAME_atomic_swap_nbi deprecated shmem_TYPENAME_swap
// Writes a word of another PE and returns the word's old value, in one atomic operation.
//   dest   symmetric address of the word on PE `pe`
//   value  the new value
//   fetch  (names with _nbi) receives the old value, which is valid after shmem_quiet
//   pe     rank in the world team; if the call has a context, rank in the context's team
// Source: OpenSHMEM 1.6, AMO, SHMEM_ATOMIC_SWAP.

//@ shmem_atomic_compare_swap: shmem_TYPENAME_atomic_compare_swap shmem_TYPENAME_atomic_compare_swap_nbi deprecated shmem_TYPENAME_cswap
// Writes `value` to a word of another PE if the word holds `cond`, and returns the word's old value.
//   dest   symmetric address of the word on PE `pe`
//   cond   value that the word must hold
//   value  the new value
//   fetch  (names with _nbi) receives the old value, which is valid after shmem_quiet
//   pe     rank in the world team; if the call has a context, rank in the context's team
// Source: OpenSHMEM 1.6, AMO, SHMEM_ATOMIC_COMPARE_SWAP.

//@ shmem_atomic_add: shmem_TYPENAME_atomic_add shmem_TYPENAME_atomic_inc deprecated shmem_TYPENAME_add shmem_TYPENAME_inc
// Adds `value` to a word of another PE; the routines with inc in their names add 1. Integers wrap around.
//   dest   symmetric address of the word on PE `pe`
//   value  the value to add
//   pe     rank in the world team; if the call has a context, rank in the context's team
// Order: the addition is a release. The addition is complete after shmem_quiet.
// Source: OpenSHMEM 1.6, AMO, SHMEM_ATOMIC_ADD and SHMEM_ATOMIC_INC.

//@ shmem_atomic_fetch_add: shmem_TYPENAME_atomic_fetch_add shmem_TYPENAME_atomic_fetch_inc shmem_TYPENAME_atomic_fetch_add_nbi shmem_TYPENAME_atomic_fetch_inc_nbi deprecated shmem_TYPENAME_fadd shmem_TYPENAME_finc
// Adds `value` to a word of another PE and returns the word's old value, in one atomic operation. The routines with inc
// in their names add 1.
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

SKERRY_TYPED_PAIRS(EXTENDED_ATOMIC, SKERRY_VALUE, _atomic_fetch, SKERRY_LOAD, skerry_shmem_atomic_fetch)
SKERRY_TYPED_PAIRS(EXTENDED_ATOMIC, SKERRY_NOTHING, _atomic_set, SKERRY_STORE, skerry_shmem_atomic_set)
SKERRY_TYPED_PAIRS(EXTENDED_ATOMIC, SKERRY_VALUE, _atomic_swap, SKERRY_STORE, skerry_shmem_atomic_swap)
SKERRY_TYPED_PAIRS(EXTENDED_ATOMIC, SKERRY_FETCHED, _atomic_fetch_nbi, SKERRY_FETCH, skerry_shmem_atomic_fetch)
SKERRY_TYPED_PAIRS(EXTENDED_ATOMIC, SKERRY_FETCHED, _atomic_swap_nbi, SKERRY_FETCH_STORE, skerry_shmem_atomic_swap)

SKERRY_TYPED_PAIRS(STANDARD_ATOMIC, SKERRY_VALUE, _atomic_compare_swap, SKERRY_CONDITIONAL,
                   skerry_shmem_atomic_compare_swap)
SKERRY_TYPED_PAIRS(STANDARD_ATOMIC, SKERRY_VALUE, _atomic_fetch_inc, SKERRY_WORD, skerry_shmem_atomic_fetch_inc)
SKERRY_TYPED_PAIRS(STANDARD_ATOMIC, SKERRY_NOTHING, _atomic_inc, SKERRY_WORD, skerry_shmem_atomic_inc)
SKERRY_TYPED_PAIRS(STANDARD_ATOMIC, SKERRY_VALUE, _atomic_fetch_add, SKERRY_STORE, skerry_shmem_atomic_fetch_add)
SKERRY_TYPED_PAIRS(STANDARD_ATOMIC, SKERRY_NOTHING, _atomic_add, SKERRY_STORE, skerry_shmem_atomic_add)
SKERRY_TYPED_PAIRS(STANDARD_ATOMIC, SKERRY_FETCHED, _atomic_compare_swap_nbi, SKERRY_FETCH_CONDITIONAL,
                   skerry_shmem_atomic_compare_swap)
SKERRY_TYPED_PAIRS(STANDARD_ATOMIC, SKERRY_FETCHED, _atomic_fetch_inc_nbi, SKERRY_FETCH_WORD,
                   skerry_shmem_atomic_fetch_inc)
SKERRY_TYPED_PAIRS(STANDARD_ATOMIC, SKERRY_FETCHED, _atomic_fetch_add_nbi, SKERRY_FETCH_STORE,
                   skerry_shmem_atomic_fetch_add)

SKERRY_TYPED_PAIRS(BITWISE_ATOMIC, SKERRY_VALUE, _atomic_fetch_and, SKERRY_STORE, skerry_shmem_atomic_fetch_and)
SKERRY_TYPED_PAIRS(BITWISE_ATOMIC, SKERRY_NOTHING, _atomic_and, SKERRY_STORE, skerry_shmem_atomic_and)
SKERRY_TYPED_PAIRS(BITWISE_ATOMIC, SKERRY_FETCHED, _atomic_fetch_and_nbi, SKERRY_FETCH_STORE,
                   skerry_shmem_atomic_fetch_and)
SKERRY_TYPED_PAIRS(BITWISE_ATOMIC, SKERRY_VALUE, _atomic_fetch_or, SKERRY_STORE, skerry_shmem_atomic_fetch_or)
SKERRY_TYPED_PAIRS(BITWISE_ATOMIC, SKERRY_NOTHING, _atomic_or, SKERRY_STORE, skerry_shmem_atomic_or)
SKERRY_TYPED_PAIRS(BITWISE_ATOMIC, SKERRY_FETCHED, _atomic_fetch_or_nbi, SKERRY_FETCH_STORE,
                   skerry_shmem_atomic_fetch_or)
SKERRY_TYPED_PAIRS(BITWISE_ATOMIC, SKERRY_VALUE, _atomic_fetch_xor, SKERRY_STORE, skerry_shmem_atomic_fetch_xor)
SKERRY_TYPED_PAIRS(BITWISE_ATOMIC, SKERRY_NOTHING, _atomic_xor, SKERRY_STORE, skerry_shmem_atomic_xor)
SKERRY_TYPED_PAIRS(BITWISE_ATOMIC, SKERRY_FETCHED, _atomic_fetch_xor_nbi, SKERRY_FETCH_STORE,
                   skerry_shmem_atomic_fetch_xor)

// The oldest names of the atomics, such as shmem_int_fadd. These names are deprecated since OpenSHMEM 1.4 and have no
// form with a context.
SKERRY_TYPED(OLD_EXTENDED_ATOMIC, SKERRY_VALUE, _fetch, SKERRY_LOAD, skerry_shmem_atomic_fetch)
SKERRY_TYPED(OLD_EXTENDED_ATOMIC, SKERRY_NOTHING, _set, SKERRY_STORE, skerry_shmem_atomic_set)
SKERRY_TYPED(OLD_EXTENDED_ATOMIC, SKERRY_VALUE, _swap, SKERRY_STORE, skerry_shmem_atomic_swap)
SKERRY_TYPED(OLD_ATOMIC, SKERRY_VALUE, _cswap, SKERRY_CONDITIONAL, skerry_shmem_atomic_compare_swap)
SKERRY_TYPED(OLD_ATOMIC, SKERRY_VALUE, _finc, SKERRY_WORD, skerry_shmem_atomic_fetch_inc)
SKERRY_TYPED(OLD_ATOMIC, SKERRY_NOTHING, _inc, SKERRY_WORD, skerry_shmem_atomic_inc)
SKERRY_TYPED(OLD_ATOMIC, SKERRY_VALUE, _fadd, SKERRY_STORE, skerry_shmem_atomic_fetch_add)
SKERRY_TYPED(OLD_ATOMIC, SKERRY_NOTHING, _add, SKERRY_STORE, skerry_shmem_atomic_add)

#ifdef SKERRY_READING_GENERICS
#define shmem_atomic_fetch(...)                                                                                        \
    SKERRY_FORM_OF_2(__VA_ARGS__)(SKERRY_DISTINCT_EXTENDED_ATOMIC, _atomic_fetch, __VA_ARGS__)
#define shmem_atomic_set(...) SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_EXTENDED_ATOMIC, _atomic_set, __VA_ARGS__)
#define shmem_atomic_swap(...) SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_EXTENDED_ATOMIC, _atomic_swap, __VA_ARGS__)
#define shmem_atomic_fetch_nbi(...)                                                                                    \
    SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_EXTENDED_ATOMIC, _atomic_fetch_nbi, __VA_ARGS__)
#define shmem_atomic_swap_nbi(...)                                                                                     \
    SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_EXTENDED_ATOMIC, _atomic_swap_nbi, __VA_ARGS__)
#define shmem_atomic_inc(...) SKERRY_FORM_OF_2(__VA_ARGS__)(SKERRY_DISTINCT_STANDARD_ATOMIC, _atomic_inc, __VA_ARGS__)
#define shmem_atomic_fetch_inc(...)                                                                                    \
    SKERRY_FORM_OF_2(__VA_ARGS__)(SKERRY_DISTINCT_STANDARD_ATOMIC, _atomic_fetch_inc, __VA_ARGS__)
#define shmem_atomic_add(...) SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_STANDARD_ATOMIC, _atomic_add, __VA_ARGS__)
#define shmem_atomic_fetch_add(...)                                                                                    \
    SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_STANDARD_ATOMIC, _atomic_fetch_add, __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...)                                                                                \
    SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_STANDARD_ATOMIC, _atomic_fetch_inc_nbi, __VA_ARGS__)
#define shmem_atomic_compare_swap(...)                                                                                 \
    SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_STANDARD_ATOMIC, _atomic_compare_swap, __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...)                                                                                \
    SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_STANDARD_ATOMIC, _atomic_fetch_add_nbi, __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...)                                                                             \
    SKERRY_FORM_OF_5(__VA_ARGS__)(SKERRY_DISTINCT_STANDARD_ATOMIC, _atomic_compare_swap_nbi, __VA_ARGS__)
#define shmem_atomic_and(...) SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_BITWISE_ATOMIC, _atomic_and, __VA_ARGS__)
#define shmem_atomic_or(...) SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_BITWISE_ATOMIC, _atomic_or, __VA_ARGS__)
#define shmem_atomic_xor(...) SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_BITWISE_ATOMIC, _atomic_xor, __VA_ARGS__)
#define shmem_atomic_fetch_and(...)                                                                                    \
    SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_BITWISE_ATOMIC, _atomic_fetch_and, __VA_ARGS__)
#define shmem_atomic_fetch_or(...)                                                                                     \
    SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_BITWISE_ATOMIC, _atomic_fetch_or, __VA_ARGS__)
#define shmem_atomic_fetch_xor(...)                                                                                    \
    SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_BITWISE_ATOMIC, _atomic_fetch_xor, __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...)                                                                                \
    SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_BITWISE_ATOMIC, _atomic_fetch_and_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...)                                                                                 \
    SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_BITWISE_ATOMIC, _atomic_fetch_or_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...)                                                                                \
    SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_BITWISE_ATOMIC, _atomic_fetch_xor_nbi, __VA_ARGS__)

#define shmem_fetch(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_OLD_EXTENDED_ATOMIC, _fetch, __VA_ARGS__)
#define shmem_set(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_OLD_EXTENDED_ATOMIC, _set, __VA_ARGS__)
#define shmem_swap(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_OLD_EXTENDED_ATOMIC, _swap, __VA_ARGS__)
#define shmem_cswap(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_OLD_ATOMIC, _cswap, __VA_ARGS__)
#define shmem_finc(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_OLD_ATOMIC, _finc, __VA_ARGS__)
#define shmem_inc(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_OLD_ATOMIC, _inc, __VA_ARGS__)
#define shmem_fadd(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_OLD_ATOMIC, _fadd, __VA_ARGS__)
#define shmem_add(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_OLD_ATOMIC, _add, __VA_ARGS__)
#endif
