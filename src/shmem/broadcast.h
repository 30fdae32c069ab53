// SPDX-License-Identifier: BSD-3-Clause
// Declares the broadcasts (specification, section 9.11).

//@ shmem_broadcast: shmem_TYPENAME_broadcast shmem_broadcastmem shmem_broadcastSIZE
// Copies elements of one PE, the root, to all PEs of a team, including the root. The deprecated forms copy to the PEs
// of an active set and leave the root's own dest unchanged. The root can store into the dest of a PE before that PE
// makes the call. So two broadcasts into the same dest from different roots need a barrier between them. Without the
// barrier, the data of the first broadcast can arrive after that of the second.
//   dest, source  symmetric addresses; dest must be ready on all PEs before any PE makes the call
//   nelems        number of elements (shmem_broadcastmem: bytes)
//   PE_root       the root's rank in the team or the active set
//   PE_start, logPE_stride, PE_size, pSync  as for shmem_barrier
// Returns: 0.
// Source: OpenSHMEM 1.6, collectives, SHMEM_BROADCAST.

#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_DECLARE(int, shmem_##NAME##_broadcast,                                                                      \
                   (shmem_team_t team, TYPE * dest, const TYPE *source, size_t nelems, int PE_root))
SKERRY_RMA_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
SKERRY_DECLARE(int, shmem_broadcastmem, (shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root))

#define SKERRY_LIST(BITS, BYTES)                                                                                       \
    SKERRY_DECLARE(void, shmem_broadcast##BITS,                                                                        \
                   (void *dest, const void *source, size_t nelems, int PE_root, int PE_start, int logPE_stride,        \
                    int PE_size, long *pSync))
SKERRY_OLD_SIZES(SKERRY_LIST)
#undef SKERRY_LIST
