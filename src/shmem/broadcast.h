// SPDX-License-Identifier: BSD-3-Clause
// Declares the broadcasts (specification, section 9.11).

//@ shmem_broadcast: shmem_TYPENAME_broadcast shmem_broadcastmem deprecated shmem_broadcastSIZE
// Copies elements of one PE, the root, to all PEs of a team, including the root. The deprecated forms copy to the PEs
// of an active set and leave the root's own dest unchanged. The root can store into the dest of a PE before that PE
// makes the call. So two broadcasts into the same dest from different roots need a barrier between them. Without the
// barrier, the data of the first broadcast can arrive after the data of the second broadcast.
//   dest, source  symmetric addresses; dest must be ready on all PEs before any PE makes the call
//   nelems        number of elements (shmem_broadcastmem: bytes)
//   PE_root       the root's rank in the team or the active set
//   PE_start, logPE_stride, PE_size, pSync  as for shmem_barrier
// Returns: 0.
// Source: OpenSHMEM 1.6, collectives, SHMEM_BROADCAST.

SKERRY_TYPED_LIBRARY(RMA, SKERRY_STATUS, _broadcast, SKERRY_TEAM_ROOT, team_broadcast)
SKERRY_LIBRARY(int, shmem_broadcastmem, (SKERRY_TEAM_ROOT_ARGUMENTS(void)),
               {SKERRY_STATUS_OF(team_broadcast, void, 1, SKERRY_TEAM_ROOT)})
SKERRY_SIZED_LIBRARY(OLD_SIZE, _broadcast, SKERRY_SET_ROOT, set_broadcast)

#ifdef SKERRY_READING_GENERICS
#define shmem_broadcast(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_RMA, _broadcast, __VA_ARGS__)
#endif
