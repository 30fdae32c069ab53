// SPDX-License-Identifier: BSD-3-Clause
// Set-up and exit, and requests of other PEs that a PE runs while it computes.

//@ aos_init: aos_init
// Prepares this PE to create and clone segments. A program may use OpenSHMEM too, and may set up the two in any order.
// Calls nest: each call needs its own aos_finalize.
//   flags  0: every PE of the job must call aos_init, and no call returns before all PEs have called it. The static
//          data of a program that all PEs run is then near, as the symmetric heaps are. AOS_ALONE: the call does not
//          wait. The other PEs may call aos_init later, or run other programs. Static data is then reached as private
//          memory is.
// Returns: AOS_SUCCESS; AOS_ERROR_ARGUMENT; AOS_ERROR_MEMORY: the machine has no space for the tables, or 32 calls are
// still without their aos_finalize.
// Source: Hascoet et al. 2017, section 3.

//@ aos_finalize: aos_finalize
// Ends one call of aos_init. Completes this PE's operations; the last call also destroys its segments. If that aos_init
// waited for all PEs, aos_finalize waits for all PEs too, and runs requests of other PEs meanwhile.
// Returns: AOS_SUCCESS; AOS_ERROR_STATE.

//@ aos_my_pe: aos_my_pe aos_pe_count
// Returns the rank of this PE in the job (aos_my_pe), or the number of PEs in the job (aos_pe_count). May be called at
// any time.

//@ aos_progress: aos_progress
// Runs requests of other PEs to this PE: atomics on its private memory, puts and gets there if the kernel does not
// allow them directly, and conditional atomics. Every wait of these routines does this too. A PE that computes for long
// may call it from time to time.
// Returns: the number of requests that were run.

//@ aos_error_text: aos_error_text
// Returns the meaning of an error in a few words. The text is constant.

AOS_DECLARE(int, aos_init, (uint32_t flags))
AOS_DECLARE(int, aos_finalize, (void))
AOS_DECLARE(int, aos_my_pe, (void))
AOS_DECLARE(int, aos_pe_count, (void))
AOS_DECLARE(int, aos_progress, (void))
AOS_DECLARE(const char *, aos_error_text, (int error))
