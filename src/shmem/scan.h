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

SKERRY_TYPED_DECLARE(REDUCE_SUM, SKERRY_STATUS, _sum_inscan, SKERRY_TEAM)
SKERRY_TYPED_DECLARE(REDUCE_SUM, SKERRY_STATUS, _sum_exscan, SKERRY_TEAM)

#ifdef SKERRY_READING_GENERICS
#define shmem_sum_inscan(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_REDUCE_SUM, _sum_inscan, __VA_ARGS__)
#define shmem_sum_exscan(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_REDUCE_SUM, _sum_exscan, __VA_ARGS__)
#endif
