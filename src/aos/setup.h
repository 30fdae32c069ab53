// SPDX-License-Identifier: BSD-3-Clause
// Declares set-up and exit, and the routine by which a PE runs requests of other PEs while it computes.

//@ aos_init: aos_init
// Prepares this PE to create and clone segments. A program may use OpenSHMEM too, and may call aos_init before or after
// OpenSHMEM's set-up. Calls of aos_init nest: each call needs its own aos_finalize.
//   flags  0: every PE of the job must call aos_init, and no call returns before all PEs have called it. If all PEs run
//          the same program, they afterwards access each other's static data by loads and stores. AOS_ALONE: the call
//          does not wait. The other PEs may call aos_init later, or run other programs. These PEs reach the static data
//          of this PE in the way in which they reach private memory.
// Returns: AOS_SUCCESS or AOS_ERROR_ARGUMENT. AOS_ERROR_MEMORY: the machine has no space for the tables, or 32 earlier
// calls are still without their aos_finalize.
// Source: Hascoet et al. 2017, section 3.

//@ aos_finalize: aos_finalize
// Ends the use that a call of aos_init began: the last call that has no aos_finalize yet. Completes this PE's
// operations. If no other call of aos_init is left, also destroys this PE's segments. If that aos_init waited for all
// PEs, aos_finalize waits for all PEs too, and runs requests of other PEs meanwhile.
// Returns: AOS_SUCCESS or AOS_ERROR_STATE.

//@ aos_my_pe: aos_my_pe aos_pe_count
// Returns the rank of this PE in the job (aos_my_pe), or the number of PEs in the job (aos_pe_count). May be called at
// any time.

//@ aos_progress: aos_progress
// Runs requests of other PEs to this PE. Requests are atomics on its private memory and conditional atomics. Puts to
// and gets from private memory are requests too, if the kernel does not allow other PEs to copy directly. Every wait of
// the routines of aos.h runs requests. A PE that computes for a long time can call aos_progress from time to time.
// Returns: the number of requests that were run.

//@ aos_error_text: aos_error_text
// Returns a text that says in a few words what an error number means. The text is constant.

AOS_DECLARE(int, aos_init, (uint32_t flags))
AOS_DECLARE(int, aos_finalize, (void))
AOS_DECLARE(int, aos_my_pe, (void))
AOS_DECLARE(int, aos_pe_count, (void))
AOS_DECLARE(int, aos_progress, (void))
AOS_DECLARE(const char *, aos_error_text, (int error))
