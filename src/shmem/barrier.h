// SPDX-License-Identifier: BSD-3-Clause
// Declares the barriers and synchronisations of all PEs, of a team, and of an active set (specification, section 9.11).

//@ shmem_barrier_all: shmem_barrier_all deprecated shmem_barrier
// Waits until all PEs have called the routine. Before the wait, the routine completes this PE's operations on the
// default context. The deprecated shmem_barrier waits for the PEs of an active set.
//   PE_start, logPE_stride, PE_size  the active set: PEs PE_start + i * 2^logPE_stride
//   pSync                            symmetric work array of SHMEM_BARRIER_SYNC_SIZE elements, all SHMEM_SYNC_VALUE
// Source: OpenSHMEM 1.6, collectives, SHMEM_BARRIER_ALL and SHMEM_BARRIER.

//@ shmem_sync_all: shmem_sync_all shmem_team_sync deprecated shmem_sync
// Waits until all PEs, the PEs of a team, or the PEs of an active set (deprecated) have called the routine. The routine
// completes this PE's stores, but not its puts.
//   team  a team that this PE is in
//   PE_start, logPE_stride, PE_size, pSync  as for shmem_barrier
// Returns: shmem_team_sync returns 0.
// Source: OpenSHMEM 1.6, collectives, SHMEM_SYNC_ALL and SHMEM_SYNC.

SKERRY_DECLARE(void, shmem_barrier_all, (void))
SKERRY_DECLARE(void, shmem_sync_all, (void))
SKERRY_DECLARE(int, shmem_team_sync, (shmem_team_t team))
SKERRY_DECLARE(void, shmem_barrier, (int PE_start, int logPE_stride, int PE_size, long *pSync))
SKERRY_DECLARE(void, shmem_sync, (int PE_start, int logPE_stride, int PE_size, long *pSync))

#ifdef SKERRY_READING_GENERICS
// With one argument, a team, this macro calls shmem_team_sync. With four arguments, an active set, it calls the C
// function shmem_sync.
#define shmem_sync(...)                                                                                                \
    SKERRY_TENTH(__VA_ARGS__, shmem_sync, shmem_sync, shmem_sync, shmem_sync, shmem_sync, shmem_sync, shmem_sync,      \
                 shmem_sync, shmem_team_sync, ~)                                                                       \
    (__VA_ARGS__)
#endif

#ifdef SKERRY_READING_OVERLOADS
// This overload is for a team. The overload for an active set is the C function shmem_sync(PE_start, ...).
inline __attribute__((always_inline)) int shmem_sync(shmem_team_t team) {
    return shmem_team_sync(team);
}
#endif
