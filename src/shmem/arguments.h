// SPDX-License-Identifier: BSD-3-Clause
// Defines the argument lists and results of the type families. Routines whose argument lists differ only in the type
// share one list. A list NAME consists of three macros:
//     NAME_ARGUMENTS(TYPE)     declares the arguments of the routine for TYPE
//     NAME_VALUES              passes the arguments to another routine that has the same arguments
//     NAME_PASSED(TYPE, SIZE)  passes the arguments to the body that the family shares. The body gets pointers to
//                              values of TYPE, the size of an element in bytes, and the PE as a rank in the world team
#ifndef SKERRY_SHMEM_ARGUMENTS_H
#define SKERRY_SHMEM_ARGUMENTS_H

// -- Results -----------------------------------------------------------------------------------------------------------

// RESULT(TYPE) is the type of the result. RESULT_OF(BODY, TYPE, SIZE, LIST) calls the body and returns its result.
#define SKERRY_NOTHING(TYPE) void
#define SKERRY_NOTHING_OF(BODY, TYPE, SIZE, LIST) BODY(SKERRY_ROUTINE, LIST##_PASSED(TYPE, SIZE));
#define SKERRY_STATUS(TYPE) int
#define SKERRY_STATUS_OF(BODY, TYPE, SIZE, LIST) return BODY(SKERRY_ROUTINE, LIST##_PASSED(TYPE, SIZE));
#define SKERRY_INDEX(TYPE) size_t
#define SKERRY_INDEX_OF(BODY, TYPE, SIZE, LIST) return BODY(SKERRY_ROUTINE, LIST##_PASSED(TYPE, SIZE));
// Used for routines that return a value of TYPE. The body stores the value, and the routine returns it.
#define SKERRY_VALUE(TYPE) TYPE
#define SKERRY_VALUE_OF(BODY, TYPE, SIZE, LIST)                                                                        \
    TYPE skerry_result;                                                                                                \
    BODY(SKERRY_ROUTINE, &skerry_result, LIST##_PASSED(TYPE, SIZE));                                                   \
    return skerry_result;
// Used for non-blocking atomics. The body stores a value of TYPE at `fetch`. The program is allowed to use this value
// only after the next quiet.
#define SKERRY_FETCHED(TYPE) void
#define SKERRY_FETCHED_OF(BODY, TYPE, SIZE, LIST)                                                                      \
    skerry_shmem_before_fetch(SKERRY_ROUTINE, fetch, SIZE);                                                            \
    BODY(SKERRY_ROUTINE, LIST##_PASSED(TYPE, SIZE));                                                                   \
    skerry_shmem_after_fetch(SKERRY_ROUTINE, fetch, SIZE);

// -- Remote memory access ----------------------------------------------------------------------------------------------

#define SKERRY_COPY_ARGUMENTS(TYPE) TYPE *dest, const TYPE *source, size_t nelems, int pe
#define SKERRY_COPY_VALUES dest, source, nelems, pe
#define SKERRY_COPY_PASSED(TYPE, SIZE) dest, source, nelems, SIZE, pe

#define SKERRY_STORE_ARGUMENTS(TYPE) TYPE *dest, TYPE value, int pe
#define SKERRY_STORE_VALUES dest, value, pe
#define SKERRY_STORE_PASSED(TYPE, SIZE) dest, &value, SIZE, pe

#define SKERRY_LOAD_ARGUMENTS(TYPE) const TYPE *source, int pe
#define SKERRY_LOAD_VALUES source, pe
#define SKERRY_LOAD_PASSED(TYPE, SIZE) source, SIZE, pe

#define SKERRY_STRIDED_ARGUMENTS(TYPE)                                                                                 \
    TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe
#define SKERRY_STRIDED_VALUES dest, source, dst, sst, nelems, pe
#define SKERRY_STRIDED_PASSED(TYPE, SIZE) dest, source, dst, sst, 1, nelems, SIZE, pe

#define SKERRY_BLOCKS_ARGUMENTS(TYPE)                                                                                  \
    TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe
#define SKERRY_BLOCKS_VALUES dest, source, dst, sst, bsize, nblocks, pe
#define SKERRY_BLOCKS_PASSED(TYPE, SIZE) dest, source, dst, sst, bsize, nblocks, SIZE, pe

#define SKERRY_SIGNALLED_ARGUMENTS(TYPE)                                                                               \
    TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe
#define SKERRY_SIGNALLED_VALUES dest, source, nelems, sig_addr, signal, sig_op, pe
#define SKERRY_SIGNALLED_PASSED(TYPE, SIZE) dest, source, nelems, SIZE, sig_addr, signal, sig_op, pe

// -- Atomics -----------------------------------------------------------------------------------------------------------

#define SKERRY_WORD_ARGUMENTS(TYPE) TYPE *dest, int pe
#define SKERRY_WORD_VALUES dest, pe
#define SKERRY_WORD_PASSED(TYPE, SIZE) dest, SIZE, pe

#define SKERRY_CONDITIONAL_ARGUMENTS(TYPE) TYPE *dest, TYPE cond, TYPE value, int pe
#define SKERRY_CONDITIONAL_VALUES dest, cond, value, pe
#define SKERRY_CONDITIONAL_PASSED(TYPE, SIZE) dest, &cond, &value, SIZE, pe

#define SKERRY_FETCH_ARGUMENTS(TYPE) TYPE *fetch, const TYPE *source, int pe
#define SKERRY_FETCH_VALUES fetch, source, pe
#define SKERRY_FETCH_PASSED(TYPE, SIZE) fetch, source, SIZE, pe

#define SKERRY_FETCH_WORD_ARGUMENTS(TYPE) TYPE *fetch, TYPE *dest, int pe
#define SKERRY_FETCH_WORD_VALUES fetch, dest, pe
#define SKERRY_FETCH_WORD_PASSED(TYPE, SIZE) fetch, dest, SIZE, pe

#define SKERRY_FETCH_STORE_ARGUMENTS(TYPE) TYPE *fetch, TYPE *dest, TYPE value, int pe
#define SKERRY_FETCH_STORE_VALUES fetch, dest, value, pe
#define SKERRY_FETCH_STORE_PASSED(TYPE, SIZE) fetch, dest, &value, SIZE, pe

#define SKERRY_FETCH_CONDITIONAL_ARGUMENTS(TYPE) TYPE *fetch, TYPE *dest, TYPE cond, TYPE value, int pe
#define SKERRY_FETCH_CONDITIONAL_VALUES fetch, dest, cond, value, pe
#define SKERRY_FETCH_CONDITIONAL_PASSED(TYPE, SIZE) fetch, dest, &cond, &value, SIZE, pe

// -- Collectives -------------------------------------------------------------------------------------------------------

#define SKERRY_TEAM_ARGUMENTS(TYPE) shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems
#define SKERRY_TEAM_VALUES team, dest, source, nelems
#define SKERRY_TEAM_PASSED(TYPE, SIZE) team, dest, source, nelems, SIZE

#define SKERRY_TEAM_STRIDED_ARGUMENTS(TYPE)                                                                            \
    shmem_team_t team, TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems
#define SKERRY_TEAM_STRIDED_VALUES team, dest, source, dst, sst, nelems
#define SKERRY_TEAM_STRIDED_PASSED(TYPE, SIZE) team, dest, source, dst, sst, nelems, SIZE

#define SKERRY_TEAM_ROOT_ARGUMENTS(TYPE) shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems, int PE_root
#define SKERRY_TEAM_ROOT_VALUES team, dest, source, nelems, PE_root
#define SKERRY_TEAM_ROOT_PASSED(TYPE, SIZE) team, dest, source, nelems, SIZE, PE_root

#define SKERRY_TEAM_REDUCE_ARGUMENTS(TYPE) shmem_team_t team, TYPE *dest, const TYPE *source, size_t nreduce
#define SKERRY_TEAM_REDUCE_VALUES team, dest, source, nreduce

// Arguments of the deprecated collectives on active sets.
#define SKERRY_SET_ARGUMENTS(TYPE)                                                                                     \
    TYPE *dest, const TYPE *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync
#define SKERRY_SET_PASSED(TYPE, SIZE) dest, source, nelems, SIZE, PE_start, logPE_stride, PE_size, pSync

#define SKERRY_SET_STRIDED_ARGUMENTS(TYPE)                                                                             \
    TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int PE_start, int logPE_stride,       \
        int PE_size, long *pSync
#define SKERRY_SET_STRIDED_PASSED(TYPE, SIZE)                                                                          \
    dest, source, dst, sst, nelems, SIZE, PE_start, logPE_stride, PE_size, pSync

#define SKERRY_SET_ROOT_ARGUMENTS(TYPE)                                                                                \
    TYPE *dest, const TYPE *source, size_t nelems, int PE_root, int PE_start, int logPE_stride, int PE_size, long *pSync
#define SKERRY_SET_ROOT_PASSED(TYPE, SIZE) dest, source, nelems, SIZE, PE_root, PE_start, logPE_stride, PE_size, pSync

#define SKERRY_SET_REDUCE_ARGUMENTS(TYPE)                                                                              \
    TYPE *dest, const TYPE *source, int nreduce, int PE_start, int logPE_stride, int PE_size, TYPE *pWrk, long *pSync

// -- Point-to-point synchronisation ------------------------------------------------------------------------------------

#define SKERRY_IS_SIGNED(TYPE) ((TYPE)-1 < (TYPE)1)

#define SKERRY_COMPARISON_ARGUMENTS(TYPE) TYPE *ivar, int cmp, TYPE cmp_value
#define SKERRY_COMPARISON_VALUES ivar, cmp, cmp_value
#define SKERRY_COMPARISON_PASSED(TYPE, SIZE) ivar, cmp, &cmp_value, SIZE, SKERRY_IS_SIGNED(TYPE)

#define SKERRY_CHANGE_ARGUMENTS(TYPE) TYPE *ivar, TYPE cmp_value
#define SKERRY_CHANGE_PASSED(TYPE, SIZE) ivar, SHMEM_CMP_NE, &cmp_value, SIZE, SKERRY_IS_SIGNED(TYPE)

// Arguments of the routines that compare several words:
// - The routines compare all words with one value. If the name of the list has VECTOR, they compare each word with a
//   value of its own.
// - If the name of the list has INDICES, the routine also stores the indices of the words that satisfy their
//   comparison.
#define SKERRY_COMPARISONS_ARGUMENTS(TYPE) TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE cmp_value
#define SKERRY_COMPARISONS_VALUES ivars, nelems, status, cmp, cmp_value
#define SKERRY_COMPARISONS_PASSED(TYPE, SIZE)                                                                          \
    ivars, nelems, status, cmp, &cmp_value, false, SIZE, SKERRY_IS_SIGNED(TYPE)

#define SKERRY_COMPARISONS_INDICES_ARGUMENTS(TYPE)                                                                     \
    TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, TYPE cmp_value
#define SKERRY_COMPARISONS_INDICES_VALUES ivars, nelems, indices, status, cmp, cmp_value
#define SKERRY_COMPARISONS_INDICES_PASSED(TYPE, SIZE)                                                                  \
    ivars, nelems, indices, status, cmp, &cmp_value, false, SIZE, SKERRY_IS_SIGNED(TYPE)

#define SKERRY_COMPARISONS_VECTOR_ARGUMENTS(TYPE)                                                                      \
    TYPE *ivars, size_t nelems, const int *status, int cmp, const TYPE *cmp_values
#define SKERRY_COMPARISONS_VECTOR_VALUES ivars, nelems, status, cmp, cmp_values
#define SKERRY_COMPARISONS_VECTOR_PASSED(TYPE, SIZE)                                                                   \
    ivars, nelems, status, cmp, cmp_values, true, SIZE, SKERRY_IS_SIGNED(TYPE)

#define SKERRY_COMPARISONS_INDICES_VECTOR_ARGUMENTS(TYPE)                                                              \
    TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const TYPE *cmp_values
#define SKERRY_COMPARISONS_INDICES_VECTOR_VALUES ivars, nelems, indices, status, cmp, cmp_values
#define SKERRY_COMPARISONS_INDICES_VECTOR_PASSED(TYPE, SIZE)                                                           \
    ivars, nelems, indices, status, cmp, cmp_values, true, SIZE, SKERRY_IS_SIGNED(TYPE)

#endif
