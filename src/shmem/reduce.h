// SPDX-License-Identifier: BSD-3-Clause
// Declares the reductions on teams, and the deprecated reductions on active sets (specification, section 9.11).

//@ shmem_reduce: shmem_TYPENAME_and_reduce shmem_TYPENAME_or_reduce shmem_TYPENAME_xor_reduce shmem_TYPENAME_max_reduce shmem_TYPENAME_min_reduce shmem_TYPENAME_sum_reduce shmem_TYPENAME_prod_reduce
// Combines the arrays of all PEs of a team element by element, in the order of ranks or pairwise. The result has the
// same bits on every PE.
//   dest, source  symmetric arrays, equal or disjoint; dest must be ready on all PEs before any PE makes the call
//   nreduce       number of elements
// Returns: 0.
// Source: OpenSHMEM 1.6, collectives, SHMEM_REDUCTIONS.

//@ shmem_to_all: deprecated shmem_TYPENAME_and_to_all shmem_TYPENAME_or_to_all shmem_TYPENAME_xor_to_all shmem_TYPENAME_max_to_all shmem_TYPENAME_min_to_all shmem_TYPENAME_sum_to_all shmem_TYPENAME_prod_to_all
// Combines the arrays of the PEs of an active set element by element. These are the deprecated forms of shmem_reduce.
//   dest, source, nreduce  as for shmem_reduce
//   pWrk  symmetric work array of max(nreduce / 2 + 1, SHMEM_REDUCE_MIN_WRKDATA_SIZE) elements; the library ignores it
//   PE_start, logPE_stride, PE_size, pSync  as for shmem_barrier
// Source: OpenSHMEM 1.6, collectives, SHMEM_REDUCTIONS.

SKERRY_TYPED_DECLARE(REDUCE_BITWISE, SKERRY_STATUS, _and_reduce, SKERRY_TEAM_REDUCE)
SKERRY_TYPED_DECLARE(REDUCE_BITWISE, SKERRY_STATUS, _or_reduce, SKERRY_TEAM_REDUCE)
SKERRY_TYPED_DECLARE(REDUCE_BITWISE, SKERRY_STATUS, _xor_reduce, SKERRY_TEAM_REDUCE)
SKERRY_TYPED_DECLARE(REDUCE_ORDER, SKERRY_STATUS, _max_reduce, SKERRY_TEAM_REDUCE)
SKERRY_TYPED_DECLARE(REDUCE_ORDER, SKERRY_STATUS, _min_reduce, SKERRY_TEAM_REDUCE)
SKERRY_TYPED_DECLARE(REDUCE_SUM, SKERRY_STATUS, _sum_reduce, SKERRY_TEAM_REDUCE)
SKERRY_TYPED_DECLARE(REDUCE_SUM, SKERRY_STATUS, _prod_reduce, SKERRY_TEAM_REDUCE)

SKERRY_TYPED_DECLARE(OLD_REDUCE_BITWISE, SKERRY_NOTHING, _and_to_all, SKERRY_SET_REDUCE)
SKERRY_TYPED_DECLARE(OLD_REDUCE_BITWISE, SKERRY_NOTHING, _or_to_all, SKERRY_SET_REDUCE)
SKERRY_TYPED_DECLARE(OLD_REDUCE_BITWISE, SKERRY_NOTHING, _xor_to_all, SKERRY_SET_REDUCE)
SKERRY_TYPED_DECLARE(OLD_REDUCE_ORDER, SKERRY_NOTHING, _max_to_all, SKERRY_SET_REDUCE)
SKERRY_TYPED_DECLARE(OLD_REDUCE_ORDER, SKERRY_NOTHING, _min_to_all, SKERRY_SET_REDUCE)
SKERRY_TYPED_DECLARE(OLD_REDUCE_SUM, SKERRY_NOTHING, _sum_to_all, SKERRY_SET_REDUCE)
SKERRY_TYPED_DECLARE(OLD_REDUCE_SUM, SKERRY_NOTHING, _prod_to_all, SKERRY_SET_REDUCE)

#ifdef SKERRY_READING_GENERICS
#define shmem_and_reduce(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_REDUCE_BITWISE, _and_reduce, __VA_ARGS__)
#define shmem_or_reduce(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_REDUCE_BITWISE, _or_reduce, __VA_ARGS__)
#define shmem_xor_reduce(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_REDUCE_BITWISE, _xor_reduce, __VA_ARGS__)
#define shmem_max_reduce(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_RMA, _max_reduce, __VA_ARGS__)
#define shmem_min_reduce(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_RMA, _min_reduce, __VA_ARGS__)
#define shmem_sum_reduce(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_REDUCE_SUM, _sum_reduce, __VA_ARGS__)
#define shmem_prod_reduce(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_REDUCE_SUM, _prod_reduce, __VA_ARGS__)
#endif
