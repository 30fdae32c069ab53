// SPDX-License-Identifier: BSD-3-Clause
// Declares the routines for set-up, exit and queries (specification, sections 9.1 and 9.2).

//@ shmem_init: shmem_init shmem_init_thread
// Initialises the library. The routine is collective over all PEs of the job. A program can call it several times; each
// call needs a shmem_finalize of its own.
//   requested  thread level: SHMEM_THREAD_SINGLE, _FUNNELED, _SERIALIZED or _MULTIPLE
//   provided   set to the thread level of the program, which the first call sets
// Returns: shmem_init_thread returns 0, or non-zero if `requested` is not a thread level.
// Source: OpenSHMEM 1.6, setup, SHMEM_INIT and SHMEM_INIT_THREAD.

//@ shmem_finalize: shmem_finalize
// Ends one use of the library that a call of shmem_init began. The routine is collective. The call that ends the last
// use completes all operations, destroys the teams, and frees the symmetric heap. The process continues, and can
// initialise the library again. If a program ends with exit code 0 without this call, the library makes the call and
// writes a message; with checks on, the job ends with an error message.
// Source: OpenSHMEM 1.6, setup, SHMEM_FINALIZE.

//@ shmem_query_initialized: shmem_query_initialized
// Tests if the library is initialised. The routine may be called at any time.
//   initialized  set to non-zero from the first shmem_init to the shmem_finalize that ends the last use, else to 0
// Source: OpenSHMEM 1.6, setup, SHMEM_QUERY_INITIALIZED.

//@ shmem_query_thread: shmem_query_thread
// Gives the thread level of the program.
//   provided  set to the level
// Source: OpenSHMEM 1.6, threads, SHMEM_QUERY_THREAD.

//@ shmem_global_exit: shmem_global_exit
// Ends the whole job; any PE may call it. The routine flushes the output of this PE. The launcher then ends the other
// PEs and returns the status.
//   status  exit code of the job
// Source: OpenSHMEM 1.6, setup, SHMEM_GLOBAL_EXIT.

//@ shmem_my_pe: shmem_my_pe shmem_n_pes
// Returns the rank of this PE, which counts from 0 (shmem_my_pe), or the number of PEs (shmem_n_pes).
// Source: OpenSHMEM 1.6, setup, SHMEM_MY_PE and SHMEM_N_PES.

//@ shmem_pe_accessible: shmem_pe_accessible shmem_addr_accessible
// shmem_pe_accessible tests if the job has a PE of rank `pe`. shmem_addr_accessible tests if `addr` is symmetric, so that
// this PE can access the object on PE `pe`.
//   pe    rank in the world team
//   addr  address in this PE
// Returns: 1 if there is such a PE or if `addr` is symmetric, else 0.
// Source: OpenSHMEM 1.6, setup, SHMEM_PE_ACCESSIBLE and SHMEM_ADDR_ACCESSIBLE.

//@ shmem_ptr: shmem_ptr shmem_team_ptr
// Returns a pointer by which this PE can load from and store to an object of another PE. The pointer is the object's
// global address, which is the same number in every PE. A store through the pointer does not wake a PE that sleeps
// while it waits for the object to change. Such a PE polls the object again within 32 ms.
//   dest  symmetric address of the object
//   pe    rank in the world team, or in `team`
// Returns: the pointer, or NULL if dest is not symmetric, pe is not a rank, or the PE is on another node.
// Source: OpenSHMEM 1.6, setup, SHMEM_PTR and SHMEM_TEAM_PTR.

//@ shmem_info_get_version: shmem_info_get_version shmem_info_get_name
// Gives the version of the specification, or the name of this implementation.
//   major, minor  set to 1 and 6
//   name          array of SHMEM_MAX_NAME_LEN bytes, set to the name
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
