// SPDX-License-Identifier: BSD-3-Clause
// Declares the routines that exchange a block between every two PEs of a team, with contiguous or strided elements
// (specification, section 9.11).

//@ shmem_alltoall: shmem_TYPENAME_alltoall shmem_alltoallmem shmem_alltoallSIZE
// Exchanges a block between every two PEs of a team. Each PE sends block j of its source to the PE of rank j. That PE
// stores the block that comes from the PE of rank i as block i of its dest.
//   dest, source  symmetric arrays of one block for each PE; dest must be ready on all PEs before any PE makes the call
//   nelems        number of elements in a block (shmem_alltoallmem: bytes)
//   PE_start, logPE_stride, PE_size, pSync  as for shmem_barrier
// Returns: 0.
// Source: OpenSHMEM 1.6, collectives, SHMEM_ALLTOALL.

//@ shmem_alltoalls: shmem_TYPENAME_alltoalls shmem_alltoallsmem shmem_alltoallsSIZE
// Exchanges blocks as shmem_alltoall does, with strided elements. The elements of a block are dst elements apart in
// dest, and sst elements apart in source.
//   dst, sst  strides in elements (shmem_alltoallsmem: bytes), at least 1
//   dest, source, nelems  as for shmem_alltoall
//   PE_start, logPE_stride, PE_size, pSync  as for shmem_barrier
// Returns: 0.
// Source: OpenSHMEM 1.6, collectives, SHMEM_ALLTOALLS.

#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_DECLARE(int, shmem_##NAME##_alltoall, (shmem_team_t team, TYPE * dest, const TYPE *source, size_t nelems))  \
    SKERRY_DECLARE(int, shmem_##NAME##_alltoalls,                                                                      \
                   (shmem_team_t team, TYPE * dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems))
SKERRY_RMA_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
SKERRY_DECLARE(int, shmem_alltoallmem, (shmem_team_t team, void *dest, const void *source, size_t nelems))
SKERRY_DECLARE(int, shmem_alltoallsmem,
               (shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems))

#define SKERRY_LIST(BITS, BYTES)                                                                                       \
    SKERRY_DECLARE(                                                                                                    \
        void, shmem_alltoall##BITS,                                                                                    \
        (void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync))     \
    SKERRY_DECLARE(void, shmem_alltoalls##BITS,                                                                        \
                   (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int PE_start,         \
                    int logPE_stride, int PE_size, long *pSync))
SKERRY_OLD_SIZES(SKERRY_LIST)
#undef SKERRY_LIST
