// SPDX-License-Identifier: BSD-3-Clause
// Declares the inclusive and exclusive prefix sums over the PEs of a team (specification, section 9.11).

//@ shmem_sum_scan: shmem_TYPENAME_sum_inscan shmem_TYPENAME_sum_exscan
// Computes prefix sums over the PEs of a team. With shmem_TYPENAME_sum_inscan each PE gets the sum, element by element,
// of the arrays of rank 0 to its own rank. With shmem_TYPENAME_sum_exscan each PE gets the sum of the arrays of the
// ranks below its own rank, and rank 0 gets zeros.
//   dest, source  symmetric arrays, equal or disjoint; dest must be ready on all PEs before any PE makes the call
//   nelems        number of elements
// Returns: 0.
// Source: OpenSHMEM 1.6, collectives, SHMEM_SCAN.

#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_DECLARE(int, shmem_##NAME##_sum_inscan,                                                                     \
                   (shmem_team_t team, TYPE * dest, const TYPE *source, size_t nelems))                                \
    SKERRY_DECLARE(int, shmem_##NAME##_sum_exscan, (shmem_team_t team, TYPE * dest, const TYPE *source, size_t nelems))
SKERRY_REDUCE_SUM_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
