// SPDX-License-Identifier: BSD-3-Clause
// Contains the table of the point-to-point synchronisation (specification, section 9.9): routines that wait until words
// of this PE's memory satisfy a comparison, or test if they do. The first poll of a wait is inline (wait_inline.h).
// Between later polls the machine's skerry_pause spins, yields the processor or sleeps. The load whose value satisfies
// the comparison is an acquire: after it, data that the writer put before it wrote the word is visible.

//@ shmem_wait_until: shmem_TYPENAME_wait_until deprecated shmem_wait_until shmem_wait shmem_TYPENAME_wait
// Waits until a word of this PE satisfies a comparison. On Linux, the wait spins first, then yields the processor, then
// sleeps, so that a long wait costs no processor time. The deprecated shmem_wait waits until the word differs from
// cmp_value.
//   ivar       symmetric word of this PE that other PEs update
//   cmp        SHMEM_CMP_EQ, _NE, _GT, _GE, _LT or _LE
//   cmp_value  right side of the comparison
// Order: the last load of the word is an acquire.
// Errors: if no PE ever changes the word, the wait never ends. oshrun --timeout limits the time of the job.
// Source: OpenSHMEM 1.6, point-to-point synchronization, SHMEM_WAIT_UNTIL.

//@ shmem_wait_until_all: shmem_TYPENAME_wait_until_all shmem_TYPENAME_wait_until_all_vector
// Waits until every word of an array satisfies a comparison with cmp_value. The routines with vector in their names
// compare word i with cmp_values[i].
//   ivars   symmetric array of words of this PE that other PEs update
//   nelems  number of words
//   status  NULL, or an array of nelems elements: word i is left out if element i is not zero
//   cmp     SHMEM_CMP_EQ, _NE, _GT, _GE, _LT or _LE
//   cmp_value, cmp_values  right side of the comparison: one value for all words, or one value for each word
// Source: OpenSHMEM 1.6, point-to-point synchronization, SHMEM_WAIT_UNTIL_ALL.

//@ shmem_wait_until_any: shmem_TYPENAME_wait_until_any shmem_TYPENAME_wait_until_any_vector
// Waits until one word of an array satisfies its comparison. If several words keep satisfying their comparisons,
// repeated calls return the indices of all these words.
//   ivars, nelems, status, cmp, cmp_value, cmp_values  as for shmem_wait_until_all
// Returns: the index of the word. If there is no word, or every word is left out, it returns SIZE_MAX without waiting.
// Source: OpenSHMEM 1.6, point-to-point synchronization, SHMEM_WAIT_UNTIL_ANY.

//@ shmem_wait_until_some: shmem_TYPENAME_wait_until_some shmem_TYPENAME_wait_until_some_vector
// Waits until at least one word of an array satisfies its comparison, and gives the indices of all words that satisfy
// it.
//   indices  array of nelems elements, which receives the indices
//   ivars, nelems, status, cmp, cmp_value, cmp_values  as for shmem_wait_until_all
// Returns: the number of indices. If there is no word, or every word is left out, it returns 0 without waiting.
// Source: OpenSHMEM 1.6, point-to-point synchronization, SHMEM_WAIT_UNTIL_SOME.

//@ shmem_test: shmem_TYPENAME_test
// Returns 1 if a word of this PE satisfies a comparison, else 0, without waiting. If there are more PEs than
// processors, the routine yields the processor before it returns 0.
//   ivar, cmp, cmp_value  as for shmem_wait_until
// Order: the load of the word is an acquire if the routine returns 1.
// Source: OpenSHMEM 1.6, point-to-point synchronization, SHMEM_TEST.

//@ shmem_test_all: shmem_TYPENAME_test_all shmem_TYPENAME_test_all_vector
// Tests if every word of an array satisfies its comparison.
//   ivars, nelems, status, cmp, cmp_value, cmp_values  as for shmem_wait_until_all
// Returns: 1 if every word satisfies its comparison, if there is no word, or if every word is left out; else 0.
// Source: OpenSHMEM 1.6, point-to-point synchronization, SHMEM_TEST_ALL.

//@ shmem_test_any: shmem_TYPENAME_test_any shmem_TYPENAME_test_any_vector
// Searches an array for a word that satisfies its comparison, without waiting.
//   ivars, nelems, status, cmp, cmp_value, cmp_values  as for shmem_wait_until_all
// Returns: the index of the word; SIZE_MAX if no word satisfies its comparison, there is no word, or every word is left
// out.
// Source: OpenSHMEM 1.6, point-to-point synchronization, SHMEM_TEST_ANY.

//@ shmem_test_some: shmem_TYPENAME_test_some shmem_TYPENAME_test_some_vector
// Gives the indices of all words of an array that satisfy their comparison, without waiting.
//   indices  array of nelems elements, which receives the indices
//   ivars, nelems, status, cmp, cmp_value, cmp_values  as for shmem_wait_until_all
// Returns: the number of indices; 0 if there is no word or every word is left out.
// Source: OpenSHMEM 1.6, point-to-point synchronization, SHMEM_TEST_SOME.

//@ shmem_signal_wait_until: shmem_signal_wait_until
// Waits until a signal word satisfies a comparison, and returns the value that satisfies it.
//   sig_addr, cmp, cmp_value  as for shmem_wait_until
// Source: OpenSHMEM 1.6, signaling, SHMEM_SIGNAL_WAIT_UNTIL.

SKERRY_TYPED(WAIT_UNTIL, SKERRY_NOTHING, _wait_until, SKERRY_COMPARISON, skerry_shmem_wait_until)
SKERRY_TYPED(WAIT, SKERRY_STATUS, _test, SKERRY_COMPARISON, skerry_shmem_test)

SKERRY_TYPED_LIBRARY(STANDARD_ATOMIC, SKERRY_NOTHING, _wait_until_all, SKERRY_COMPARISONS, wait_until_all)
SKERRY_TYPED_LIBRARY(STANDARD_ATOMIC, SKERRY_INDEX, _wait_until_any, SKERRY_COMPARISONS, wait_until_any)
SKERRY_TYPED_LIBRARY(STANDARD_ATOMIC, SKERRY_INDEX, _wait_until_some, SKERRY_COMPARISONS_INDICES, wait_until_some)
SKERRY_TYPED_LIBRARY(STANDARD_ATOMIC, SKERRY_NOTHING, _wait_until_all_vector, SKERRY_COMPARISONS_VECTOR, wait_until_all)
SKERRY_TYPED_LIBRARY(STANDARD_ATOMIC, SKERRY_INDEX, _wait_until_any_vector, SKERRY_COMPARISONS_VECTOR, wait_until_any)
SKERRY_TYPED_LIBRARY(STANDARD_ATOMIC, SKERRY_INDEX, _wait_until_some_vector, SKERRY_COMPARISONS_INDICES_VECTOR,
                     wait_until_some)
SKERRY_TYPED_LIBRARY(STANDARD_ATOMIC, SKERRY_STATUS, _test_all, SKERRY_COMPARISONS, test_all)
SKERRY_TYPED_LIBRARY(STANDARD_ATOMIC, SKERRY_INDEX, _test_any, SKERRY_COMPARISONS, test_any)
SKERRY_TYPED_LIBRARY(STANDARD_ATOMIC, SKERRY_INDEX, _test_some, SKERRY_COMPARISONS_INDICES, test_some)
SKERRY_TYPED_LIBRARY(STANDARD_ATOMIC, SKERRY_STATUS, _test_all_vector, SKERRY_COMPARISONS_VECTOR, test_all)
SKERRY_TYPED_LIBRARY(STANDARD_ATOMIC, SKERRY_INDEX, _test_any_vector, SKERRY_COMPARISONS_VECTOR, test_any)
SKERRY_TYPED_LIBRARY(STANDARD_ATOMIC, SKERRY_INDEX, _test_some_vector, SKERRY_COMPARISONS_INDICES_VECTOR, test_some)

SKERRY_INLINE(uint64_t, shmem_signal_wait_until, (uint64_t * sig_addr, int cmp, uint64_t cmp_value),
              { return skerry_shmem_signal_wait_until(SKERRY_ROUTINE, sig_addr, cmp, cmp_value); })

// Deprecated routines. shmem_wait and its forms for other types wait until a word changes. shmem_wait_until waits for a
// long, although its name contains no type.
SKERRY_TYPED(OLD_INTEGER, SKERRY_NOTHING, _wait, SKERRY_CHANGE, skerry_shmem_wait_until)
SKERRY_INLINE(void, shmem_wait, (SKERRY_CHANGE_ARGUMENTS(long)),
              {SKERRY_NOTHING_OF(skerry_shmem_wait_until, long, sizeof(long), SKERRY_CHANGE)})
SKERRY_INLINE(void, shmem_wait_until, (SKERRY_COMPARISON_ARGUMENTS(long)),
              {SKERRY_NOTHING_OF(skerry_shmem_wait_until, long, sizeof(long), SKERRY_COMPARISON)})

#ifdef SKERRY_READING_GENERICS
// The C function shmem_wait_until, for a long, has the same name as this macro. Calls use the macro.
#define shmem_wait_until(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_WAIT, _wait_until, __VA_ARGS__)
#define shmem_test(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_WAIT, _test, __VA_ARGS__)
#define shmem_wait_until_all(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _wait_until_all, __VA_ARGS__)
#define shmem_wait_until_any(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _wait_until_any, __VA_ARGS__)
#define shmem_wait_until_some(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _wait_until_some, __VA_ARGS__)
#define shmem_test_all(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _test_all, __VA_ARGS__)
#define shmem_test_any(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _test_any, __VA_ARGS__)
#define shmem_test_some(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _test_some, __VA_ARGS__)
#define shmem_wait_until_all_vector(...)                                                                               \
    SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _wait_until_all_vector, __VA_ARGS__)
#define shmem_wait_until_any_vector(...)                                                                               \
    SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _wait_until_any_vector, __VA_ARGS__)
#define shmem_wait_until_some_vector(...)                                                                              \
    SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _wait_until_some_vector, __VA_ARGS__)
#define shmem_test_all_vector(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _test_all_vector, __VA_ARGS__)
#define shmem_test_any_vector(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _test_any_vector, __VA_ARGS__)
#define shmem_test_some_vector(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _test_some_vector, __VA_ARGS__)
#endif
