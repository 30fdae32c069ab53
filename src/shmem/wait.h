// SPDX-License-Identifier: BSD-3-Clause
// Defines the point-to-point synchronisation (specification, section 9.9): routines that wait until words of this PE's
// memory satisfy a comparison, or test if they do. The first poll is inline; the machine does the waiting
// (skerry_pause). The load that satisfies a comparison is an acquire: data that the writer put before the word is
// visible.

//@ shmem_wait_until: shmem_TYPENAME_wait_until shmem_wait_until shmem_wait shmem_TYPENAME_wait
// Waits until a word of this PE satisfies a comparison. The wait spins first, then yields the processor, then sleeps,
// so that a long wait costs no processor time. The deprecated shmem_wait waits until the word differs from cmp_value.
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
// processors, a test that returns 0 yields the processor.
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

#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_INLINE(void, shmem_##NAME##_wait_until, (TYPE * ivar, int cmp, TYPE cmp_value), {                           \
        SKERRY_WHEN_CHECKING(skerry_check_wait(__func__ + 1, ivar, sizeof(TYPE), cmp))                                 \
        SKERRY_PAUSE(pause);                                                                                           \
        const TYPE *word = (const TYPE *)skerry_poll_address(ivar);                                                    \
        while (!SKERRY_COMPARE(SKERRY_LOAD_ACQUIRE(word), cmp, cmp_value)) skerry_pause(&pause, skerry_my_pe());       \
    })                                                                                                                 \
    SKERRY_INLINE(int, shmem_##NAME##_test, (TYPE * ivar, int cmp, TYPE cmp_value), {                                  \
        SKERRY_WHEN_CHECKING(skerry_check_wait(__func__ + 1, ivar, sizeof(TYPE), cmp))                                 \
        const TYPE *word = (const TYPE *)skerry_poll_address(ivar);                                                    \
        return skerry_test_outcome(SKERRY_COMPARE(SKERRY_LOAD_ACQUIRE(word), cmp, cmp_value));                         \
    })
SKERRY_STANDARD_ATOMIC_TYPES(SKERRY_LIST)
SKERRY_SHORT_WAIT_TYPES(SKERRY_LIST)
#undef SKERRY_LIST

#define SKERRY_LIST_ONE(NAME, TYPE, VERB, RESULT_ALL)                                                                  \
    SKERRY_DECLARE(RESULT_ALL, shmem_##NAME##_##VERB##_all,                                                            \
                   (TYPE * ivars, size_t nelems, const int *status, int cmp, TYPE cmp_value))                          \
    SKERRY_DECLARE(size_t, shmem_##NAME##_##VERB##_any,                                                                \
                   (TYPE * ivars, size_t nelems, const int *status, int cmp, TYPE cmp_value))                          \
    SKERRY_DECLARE(size_t, shmem_##NAME##_##VERB##_some,                                                               \
                   (TYPE * ivars, size_t nelems, size_t * indices, const int *status, int cmp, TYPE cmp_value))        \
    SKERRY_DECLARE(RESULT_ALL, shmem_##NAME##_##VERB##_all_vector,                                                     \
                   (TYPE * ivars, size_t nelems, const int *status, int cmp, const TYPE *cmp_values))                  \
    SKERRY_DECLARE(size_t, shmem_##NAME##_##VERB##_any_vector,                                                         \
                   (TYPE * ivars, size_t nelems, const int *status, int cmp, const TYPE *cmp_values))                  \
    SKERRY_DECLARE(                                                                                                    \
        size_t, shmem_##NAME##_##VERB##_some_vector,                                                                   \
        (TYPE * ivars, size_t nelems, size_t * indices, const int *status, int cmp, const TYPE *cmp_values))
#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_LIST_ONE(NAME, TYPE, wait_until, void)                                                                      \
    SKERRY_LIST_ONE(NAME, TYPE, test, int)
SKERRY_STANDARD_ATOMIC_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
#undef SKERRY_LIST_ONE

SKERRY_INLINE(uint64_t, shmem_signal_wait_until, (uint64_t * sig_addr, int cmp, uint64_t cmp_value), {
    SKERRY_WHEN_CHECKING(skerry_check_wait(__func__ + 1, sig_addr, sizeof *sig_addr, cmp))
    SKERRY_PAUSE(pause);
    const uint64_t *word = (const uint64_t *)skerry_poll_address(sig_addr);
    uint64_t value;
    while (value = SKERRY_LOAD_ACQUIRE(word), !SKERRY_COMPARE(value, cmp, cmp_value))
        skerry_pause(&pause, skerry_my_pe());
    return value;
})

// Defines deprecated routines: the waits for a change of a word, and shmem_wait_until, which is for a long although its
// name contains no type.
#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_INLINE(void, shmem_##NAME##_wait, (TYPE * ivar, TYPE cmp_value), {                                          \
        SKERRY_WHEN_CHECKING(skerry_check_wait(__func__ + 1, ivar, sizeof(TYPE), SHMEM_CMP_NE))                        \
        shmem_##NAME##_wait_until(ivar, SHMEM_CMP_NE, cmp_value);                                                      \
    })
SKERRY_OLD_INTEGER_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
SKERRY_INLINE(void, shmem_wait, (long *ivar, long cmp_value), {
    SKERRY_WHEN_CHECKING(skerry_check_wait(__func__ + 1, ivar, sizeof *ivar, SHMEM_CMP_NE))
    shmem_long_wait_until(ivar, SHMEM_CMP_NE, cmp_value);
})
SKERRY_INLINE(void, shmem_wait_until, (long *ivar, int cmp, long cmp_value), {
    SKERRY_WHEN_CHECKING(skerry_check_wait(__func__ + 1, ivar, sizeof *ivar, cmp))
    shmem_long_wait_until(ivar, cmp, cmp_value);
})
