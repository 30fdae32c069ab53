// SPDX-License-Identifier: BSD-3-Clause
// Declares the routines that exchange a block between every two PEs of a team, with contiguous or strided elements
// (specification, section 9.11).

//@ shmem_alltoall: shmem_TYPENAME_alltoall shmem_alltoallmem deprecated shmem_alltoallSIZE
// Exchanges a block between every two PEs of a team. Each PE sends block j of its source to the PE of rank j. That PE
// stores the block that comes from the PE of rank i as block i of its dest.
//   dest, source  symmetric arrays of one block for each PE; dest must be ready on all PEs before any PE makes the call
//   nelems        number of elements in a block (shmem_alltoallmem: bytes)
//   PE_start, logPE_stride, PE_size, pSync  as for shmem_barrier
// Returns: 0.
// Source: OpenSHMEM 1.6, collectives, SHMEM_ALLTOALL.

//@ shmem_alltoalls: shmem_TYPENAME_alltoalls shmem_alltoallsmem deprecated shmem_alltoallsSIZE
// Exchanges blocks as shmem_alltoall does, with strided elements. The elements of a block are dst elements apart in
// dest, and sst elements apart in source.
//   dst, sst  strides in elements (shmem_alltoallsmem: bytes), at least 1
//   dest, source, nelems  as for shmem_alltoall
//   PE_start, logPE_stride, PE_size, pSync  as for shmem_barrier
// Returns: 0.
// Source: OpenSHMEM 1.6, collectives, SHMEM_ALLTOALLS.

SKERRY_TYPED_LIBRARY(RMA, SKERRY_STATUS, _alltoall, SKERRY_TEAM, team_alltoall)
SKERRY_TYPED_LIBRARY(RMA, SKERRY_STATUS, _alltoalls, SKERRY_TEAM_STRIDED, team_alltoalls)
SKERRY_LIBRARY(int, shmem_alltoallmem, (SKERRY_TEAM_ARGUMENTS(void)),
               {SKERRY_STATUS_OF(team_alltoall, void, 1, SKERRY_TEAM)})
SKERRY_LIBRARY(int, shmem_alltoallsmem, (SKERRY_TEAM_STRIDED_ARGUMENTS(void)),
               {SKERRY_STATUS_OF(team_alltoalls, void, 1, SKERRY_TEAM_STRIDED)})
SKERRY_SIZED_LIBRARY(OLD_SIZE, _alltoall, SKERRY_SET, set_alltoall)
SKERRY_SIZED_LIBRARY(OLD_SIZE, _alltoalls, SKERRY_SET_STRIDED, set_alltoalls)

#ifdef SKERRY_READING_GENERICS
#define shmem_alltoall(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_RMA, _alltoall, __VA_ARGS__)
#define shmem_alltoalls(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_RMA, _alltoalls, __VA_ARGS__)
#endif
