// SPDX-License-Identifier: BSD-3-Clause
// Inclusive and exclusive prefix sums over the PEs of a team (specification, section 9.11).

//@ shmem_sum_scan: shmem_TYPENAME_sum_inscan shmem_TYPENAME_sum_exscan
// Computes prefix sums over the PEs of a team. Each PE gets the sum, element by element, of the arrays of the ranks up
// to and including its own. With exscan it gets the sum for the ranks below its own, and rank 0 gets zeros.
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
