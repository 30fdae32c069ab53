// SPDX-License-Identifier: BSD-3-Clause
// Set-up and exit, and serving others while computing.

//@ aos_init: aos_init
// Makes this PE ready to create and to clone segments. A program may use OpenSHMEM too, whichever is set up first. Calls nest:
// each needs its aos_finalize.
//   flags  0: every PE of the job calls it, and none returns before all have; then the static data of a program that all of
//          them run is as near as their symmetric heaps. AOS_ALONE: nothing is waited for: the other PEs may call it later,
//          or run other programs; static data is then reached as private memory is.
// Returns: AOS_SUCCESS; AOS_ERROR_ARGUMENT; AOS_ERROR_MEMORY: the machine has no room for the tables, or 32 calls have not
// had their aos_finalize yet.
// Source: Hascoet et al. 2017, section 3.

//@ aos_finalize: aos_finalize
// Ends what aos_init began: completes this PE's operations and destroys its segments. If aos_init waited for all PEs, so does
// this, and they serve one another meanwhile.
// Returns: AOS_SUCCESS; AOS_ERROR_STATE.

//@ aos_my_pe: aos_my_pe aos_pe_count
// Rank of this PE in the job, and how many PEs the job has. May be called at any time.

//@ aos_progress: aos_progress
// Serves what other PEs have asked of this one: accesses to its private memory where the system does not let them in, and
// conditional atomics. Every wait of these routines does so; a PE that computes for long may call it now and then.
// Returns: how many requests were served.

//@ aos_error_text: aos_error_text
// What an error means, in a few words. The text is constant.

AOS_DECLARE(int, aos_init, (uint32_t flags))
AOS_DECLARE(int, aos_finalize, (void))
AOS_DECLARE(int, aos_my_pe, (void))
AOS_DECLARE(int, aos_pe_count, (void))
AOS_DECLARE(int, aos_progress, (void))
AOS_DECLARE(const char *, aos_error_text, (int error))
