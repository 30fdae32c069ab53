// SPDX-License-Identifier: BSD-3-Clause
// Inclusive and exclusive prefix sums over the PEs of a team (specification, section 9.11).

//@ shmem_sum_scan: shmem_TYPENAME_sum_inscan shmem_TYPENAME_sum_exscan
// Prefix sums over the PEs of a team: each gets the sum of the arrays of the ranks up to its own (exscan: below its own, zeros
// on rank 0).
//   dest, source  symmetric; equal or apart; dest must be ready on all PEs before any calls
//   nelems        count of elements
// Returns: 0.
// Source: OpenSHMEM 1.6, collectives, SHMEM_SCAN.

#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_DECLARE(int, shmem_##NAME##_sum_inscan,                                                                     \
                   (shmem_team_t team, TYPE * dest, const TYPE *source, size_t nelems))                                \
    SKERRY_DECLARE(int, shmem_##NAME##_sum_exscan, (shmem_team_t team, TYPE * dest, const TYPE *source, size_t nelems))
SKERRY_REDUCE_SUM_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
