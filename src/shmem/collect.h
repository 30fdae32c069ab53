// SPDX-License-Identifier: BSD-3-Clause
// Declares the routines that concatenate blocks of different sizes (collect) or of equal size (fcollect):
// specification, section 9.11.

//@ shmem_collect: shmem_TYPENAME_collect shmem_collectmem shmem_collectSIZE
// Concatenates the blocks of all PEs in the order of ranks, and stores the result on every PE. The blocks can have
// different sizes.
//   dest    symmetric array that can hold all blocks; must be ready on all PEs before any PE makes the call
//   source  symmetric array: this PE's block
//   nelems  number of elements in this PE's block (shmem_collectmem: bytes); can be 0
//   PE_start, logPE_stride, PE_size, pSync  as for shmem_barrier
// Returns: 0.
// Source: OpenSHMEM 1.6, collectives, SHMEM_COLLECT.

//@ shmem_fcollect: shmem_TYPENAME_fcollect shmem_fcollectmem shmem_fcollectSIZE
// Concatenates the blocks of all PEs in the order of ranks, and stores the result on every PE. The blocks have equal
// sizes.
//   dest, source, nelems  as for shmem_collect; nelems must be equal on all PEs
//   PE_start, logPE_stride, PE_size, pSync  as for shmem_barrier
// Returns: 0.
// Source: OpenSHMEM 1.6, collectives, SHMEM_FCOLLECT.

#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_DECLARE(int, shmem_##NAME##_collect, (shmem_team_t team, TYPE * dest, const TYPE *source, size_t nelems))   \
    SKERRY_DECLARE(int, shmem_##NAME##_fcollect, (shmem_team_t team, TYPE * dest, const TYPE *source, size_t nelems))
SKERRY_RMA_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
SKERRY_DECLARE(int, shmem_collectmem, (shmem_team_t team, void *dest, const void *source, size_t nelems))
SKERRY_DECLARE(int, shmem_fcollectmem, (shmem_team_t team, void *dest, const void *source, size_t nelems))

#define SKERRY_LIST(BITS, BYTES)                                                                                       \
    SKERRY_DECLARE(                                                                                                    \
        void, shmem_collect##BITS,                                                                                     \
        (void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync))     \
    SKERRY_DECLARE(                                                                                                    \
        void, shmem_fcollect##BITS,                                                                                    \
        (void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync))
SKERRY_OLD_SIZES(SKERRY_LIST)
#undef SKERRY_LIST
