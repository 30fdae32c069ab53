// SPDX-License-Identifier: BSD-3-Clause
// Set-up, exit and queries (specification, sections 9.1 and 9.2).

//@ shmem_init: shmem_init shmem_init_thread
// Starts the library. Collective over all PEs of the job. May be called again; each call needs its shmem_finalize.
//   requested  thread level: SHMEM_THREAD_SINGLE, _FUNNELED, _SERIALIZED or _MULTIPLE
//   provided   the level that the program has: the first call's
// Returns: shmem_init_thread 0, or non-zero when `requested` is no level.
// Source: OpenSHMEM 1.6, setup, SHMEM_INIT and SHMEM_INIT_THREAD.

//@ shmem_finalize: shmem_finalize
// Ends what one shmem_init began. Collective. The last one completes all operations, destroys teams, and gives the symmetric
// heap back; the process goes on, and may initialise the library again. A program that ends with 0
// and without it is finalized by the library, which says so; with checks it is refused.
// Source: OpenSHMEM 1.6, setup, SHMEM_FINALIZE.

//@ shmem_query_initialized: shmem_query_initialized
// Tells whether the library is initialised. May be called at any time.
//   initialized  set to non-zero between shmem_init and the last shmem_finalize
// Source: OpenSHMEM 1.6, setup, SHMEM_QUERY_INITIALIZED.

//@ shmem_query_thread: shmem_query_thread
// Tells the thread level of the program.
//   provided  set to the level
// Source: OpenSHMEM 1.6, threads, SHMEM_QUERY_THREAD.

//@ shmem_global_exit: shmem_global_exit
// Ends the whole job from any PE. Output of this PE is flushed; the launcher ends the others and returns the status.
//   status  exit code of the job
// Source: OpenSHMEM 1.6, setup, SHMEM_GLOBAL_EXIT.

//@ shmem_my_pe: shmem_my_pe shmem_n_pes
// The rank of this PE, from 0, and the count of PEs.
// Source: OpenSHMEM 1.6, setup, SHMEM_MY_PE and SHMEM_N_PES.

//@ shmem_pe_accessible: shmem_pe_accessible shmem_addr_accessible
// Whether a rank is one of the job, and whether an address is symmetric and reachable there.
//   pe    rank
//   addr  address in this PE
// Returns: 1 or 0.
// Source: OpenSHMEM 1.6, setup, SHMEM_PE_ACCESSIBLE and SHMEM_ADDR_ACCESSIBLE.

//@ shmem_ptr: shmem_ptr shmem_team_ptr
// A pointer through which this PE may load from and store to another PE's object. Here that is its global address, the same
// number in every PE. Stores through it wake no sleeping waiter at once: it looks again within 32 ms.
//   dest  symmetric address of the object
//   pe    rank in the world, or in `team`
// Returns: the pointer, or NULL when dest is not symmetric or pe does not exist.
// Source: OpenSHMEM 1.6, setup, SHMEM_PTR and SHMEM_TEAM_PTR.

//@ shmem_info_get_version: shmem_info_get_version shmem_info_get_name
// The version of the specification, and the name of this implementation.
//   major, minor  set to 1 and 6
//   name          room for SHMEM_MAX_NAME_LEN bytes
// Source: OpenSHMEM 1.6, setup, SHMEM_INFO_GET_VERSION and SHMEM_INFO_GET_NAME.

SKERRY_DECLARE(SKERRY_COLD void, shmem_init, (void))
SKERRY_DECLARE(SKERRY_COLD int, shmem_init_thread, (int requested, int *provided))
SKERRY_DECLARE(SKERRY_COLD void, shmem_finalize, (void))
SKERRY_DECLARE(void, shmem_query_initialized, (int *initialized))
SKERRY_DECLARE(void, shmem_query_thread, (int *provided))
SKERRY_DECLARE(SKERRY_NORETURN void, shmem_global_exit, (int status))
SKERRY_DECLARE(int, shmem_pe_accessible, (int pe))
SKERRY_DECLARE(int, shmem_addr_accessible, (const void *addr, int pe))
SKERRY_DECLARE(void *, shmem_ptr, (const void *dest, int pe))
SKERRY_DECLARE(void *, shmem_team_ptr, (shmem_team_t team, const void *dest, int pe))
SKERRY_DECLARE(void, shmem_info_get_version, (int *major, int *minor))
SKERRY_DECLARE(void, shmem_info_get_name, (char *name))

SKERRY_INLINE(int, shmem_my_pe, (void), {
    SKERRY_WHEN_CHECKING(skerry_check_running(__func__ + 1))
    return skerry_my_pe();
})
SKERRY_INLINE(int, shmem_n_pes, (void), {
    SKERRY_WHEN_CHECKING(skerry_check_running(__func__ + 1))
    return skerry_pe_count();
})
