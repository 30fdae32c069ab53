// SPDX-License-Identifier: BSD-3-Clause
// Declares the routines that concatenate blocks of different sizes (collect) or of equal size (fcollect):
// specification, section 9.11.

//@ shmem_collect: shmem_TYPENAME_collect shmem_collectmem deprecated shmem_collectSIZE
// Concatenates the blocks of all PEs in the order of ranks, and stores the result on every PE. The blocks can have
// different sizes.
//   dest    symmetric array that can hold all blocks; must be ready on all PEs before any PE makes the call
//   source  symmetric array: this PE's block
//   nelems  number of elements in this PE's block (shmem_collectmem: bytes); can be 0
//   PE_start, logPE_stride, PE_size, pSync  as for shmem_barrier
// Returns: 0.
// Source: OpenSHMEM 1.6, collectives, SHMEM_COLLECT.

//@ shmem_fcollect: shmem_TYPENAME_fcollect shmem_fcollectmem deprecated shmem_fcollectSIZE
// Concatenates the blocks of all PEs in the order of ranks, and stores the result on every PE. The blocks have equal
// sizes.
//   dest, source, nelems  as for shmem_collect; nelems must be equal on all PEs
//   PE_start, logPE_stride, PE_size, pSync  as for shmem_barrier
// Returns: 0.
// Source: OpenSHMEM 1.6, collectives, SHMEM_FCOLLECT.

SKERRY_TYPED_LIBRARY(RMA, SKERRY_STATUS, _collect, SKERRY_TEAM, team_collect)
SKERRY_TYPED_LIBRARY(RMA, SKERRY_STATUS, _fcollect, SKERRY_TEAM, team_fcollect)
SKERRY_LIBRARY(int, shmem_collectmem, (SKERRY_TEAM_ARGUMENTS(void)),
               {SKERRY_STATUS_OF(team_collect, void, 1, SKERRY_TEAM)})
SKERRY_LIBRARY(int, shmem_fcollectmem, (SKERRY_TEAM_ARGUMENTS(void)),
               {SKERRY_STATUS_OF(team_fcollect, void, 1, SKERRY_TEAM)})
SKERRY_SIZED_LIBRARY(OLD_SIZE, _collect, SKERRY_SET, set_collect)
SKERRY_SIZED_LIBRARY(OLD_SIZE, _fcollect, SKERRY_SET, set_fcollect)

#ifdef SKERRY_READING_GENERICS
#define shmem_collect(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_RMA, _collect, __VA_ARGS__)
#define shmem_fcollect(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_RMA, _fcollect, __VA_ARGS__)
#endif
