// SPDX-License-Identifier: BSD-3-Clause
// Declares the reductions on teams, and the deprecated reductions on active sets (specification, section 9.11).

//@ shmem_reduce: shmem_TYPENAME_and_reduce shmem_TYPENAME_or_reduce shmem_TYPENAME_xor_reduce shmem_TYPENAME_max_reduce shmem_TYPENAME_min_reduce shmem_TYPENAME_sum_reduce shmem_TYPENAME_prod_reduce
// Combines the arrays of all PEs of a team element by element, in the order of ranks or pairwise. The result has the
// same bits on every PE.
//   dest, source  symmetric arrays, equal or disjoint; dest must be ready on all PEs before any PE makes the call
//   nreduce       number of elements
// Returns: 0.
// Source: OpenSHMEM 1.6, collectives, SHMEM_REDUCTIONS.

//@ shmem_to_all: shmem_TYPENAME_and_to_all shmem_TYPENAME_or_to_all shmem_TYPENAME_xor_to_all shmem_TYPENAME_max_to_all shmem_TYPENAME_min_to_all shmem_TYPENAME_sum_to_all shmem_TYPENAME_prod_to_all
// Combines the arrays of the PEs of an active set element by element. These are the deprecated forms of shmem_reduce.
//   dest, source, nreduce  as for shmem_reduce
//   pWrk  symmetric work array of max(nreduce / 2 + 1, SHMEM_REDUCE_MIN_WRKDATA_SIZE) elements; the library ignores it
//   PE_start, logPE_stride, PE_size, pSync  as for shmem_barrier
// Source: OpenSHMEM 1.6, collectives, SHMEM_REDUCTIONS.

#define SKERRY_LIST_ONE(NAME, TYPE, OPERATION)                                                                         \
    SKERRY_DECLARE(int, shmem_##NAME##_##OPERATION##_reduce,                                                           \
                   (shmem_team_t team, TYPE * dest, const TYPE *source, size_t nreduce))
#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_LIST_ONE(NAME, TYPE, and)                                                                                   \
    SKERRY_LIST_ONE(NAME, TYPE, or)                                                                                    \
    SKERRY_LIST_ONE(NAME, TYPE, xor)
SKERRY_REDUCE_BITWISE_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_LIST_ONE(NAME, TYPE, max)                                                                                   \
    SKERRY_LIST_ONE(NAME, TYPE, min)
SKERRY_REDUCE_ORDER_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_LIST_ONE(NAME, TYPE, sum)                                                                                   \
    SKERRY_LIST_ONE(NAME, TYPE, prod)
SKERRY_REDUCE_SUM_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
#undef SKERRY_LIST_ONE

#define SKERRY_LIST_ONE(NAME, TYPE, OPERATION)                                                                         \
    SKERRY_DECLARE(void, shmem_##NAME##_##OPERATION##_to_all,                                                          \
                   (TYPE * dest, const TYPE *source, int nreduce, int PE_start, int logPE_stride, int PE_size,         \
                    TYPE *pWrk, long *pSync))
#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_LIST_ONE(NAME, TYPE, and)                                                                                   \
    SKERRY_LIST_ONE(NAME, TYPE, or)                                                                                    \
    SKERRY_LIST_ONE(NAME, TYPE, xor)
SKERRY_OLD_INTEGER_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_LIST_ONE(NAME, TYPE, max)                                                                                   \
    SKERRY_LIST_ONE(NAME, TYPE, min)
SKERRY_OLD_INTEGER_TYPES(SKERRY_LIST)
SKERRY_OLD_REAL_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_LIST_ONE(NAME, TYPE, sum)                                                                                   \
    SKERRY_LIST_ONE(NAME, TYPE, prod)
SKERRY_OLD_INTEGER_TYPES(SKERRY_LIST)
SKERRY_OLD_REAL_TYPES(SKERRY_LIST)
SKERRY_COMPLEX_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
#undef SKERRY_LIST_ONE
