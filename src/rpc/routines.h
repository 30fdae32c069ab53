// SPDX-License-Identifier: BSD-3-Clause
// Routines of remote procedure calls (beyond the specification; Ross and Richie 2018 and the work it leaves to be done).

//@ shmemx_rpc_wait: shmemx_rpc_wait shmemx_rpc_wait_any shmemx_rpc_wait_all
// Waits until asynchronous calls have ended. Serves calls of others meanwhile.
//   event, events  from f_async or shmemx_rpc_async; ended ones become SHMEMX_RPC_EVENT_NONE
//   count    how many events
//   result   NULL, or where the function's result goes
//   results  NULL, or an array of results
// Order: what the function has stored before it returned is visible.
// Returns: the call's status; wait_any the index of an event that has ended, SIZE_MAX when there is none open; wait_all 0
// or the first status below 0. An event that was refused has status SHMEMX_RPC_REFUSED.
// SHMEMX_RPC_EVENT_NONE, which an event becomes when it ends, has the same.
// Errors: an event that is not under way, such as a copy of one that has ended, ends the job with a line, and so does a result
// that is a struct.
// Source: Skerry's own; Ross and Richie 2018, section 5.

//@ shmemx_rpc_test: shmemx_rpc_test shmemx_rpc_test_any shmemx_rpc_test_all
// Whether asynchronous calls have ended, without waiting.
//   event, events, count, result  as for shmemx_rpc_wait
// Returns: test 1 if so, which ends the event, else 0; test_any the index of one that has ended, which ends it, or SIZE_MAX;
// test_all 1 if all have ended, else 0, and ends none.
// Source: Skerry's own; Ross and Richie 2018, section 5.

//@ shmemx_rpc_status: shmemx_rpc_status
// How the last call of this thread that was waited for, or was posted, ended.
// Returns: SHMEMX_RPC_SERVED, _RUN_BY_CALLER, _GONE, _REFUSED or _UNKNOWN; below 0 it was not run and its result is zero.
// f_rpc whose first argument is this PE's own is a plain call and leaves it as it was.
// Source: Skerry's own.

//@ shmemx_rpc_class: shmemx_rpc_class
// Sets the class of the calls that this thread makes from now on.
// On a chip background calls interrupt whoever does not defer them: a core does not know whether its program waits.
//   newclass  SHMEMX_RPC_URGENT, _NORMAL (at first) or _BACKGROUND; each is served when none before it waits; background ones interrupt nobody
// Returns: the class before.
// Source: Skerry's own; Ross and Richie 2018, section 5 (tunable priority).

//@ shmemx_rpc_when_full: shmemx_rpc_when_full
// Sets what becomes of this thread's calls that find a queue full.
// With SHMEMX_RPC_RUN (at first) the caller runs the function itself, by remote access, so that it may run on several PEs at a
// time; with SHMEMX_RPC_WAIT it waits for room and serves calls of others meanwhile; with SHMEMX_RPC_REFUSE the call is not
// run and has the status SHMEMX_RPC_REFUSED.
//   policy  one of the three
// Returns: the policy before.
// Source: Ross and Richie 2018, section 3.

//@ shmemx_rpc_defer: shmemx_rpc_defer shmemx_rpc_poll
// Leaves calls of a class and of those behind it in their queues until it is taken back; shmemx_rpc_poll serves all that
// have arrived, deferred ones too.
// What is deferred when its PE leaves is not run.
//   fromclass  the first one deferred; SHMEMX_RPC_NONE: none is
// Returns: the class before; shmemx_rpc_poll how many calls it has run.
// Source: Skerry's own; Ross and Richie 2018, section 5 (deferral).

//@ shmemx_rpc_mask: shmemx_rpc_mask shmemx_rpc_unmask
// Between the two this PE serves no call, neither in a wait nor by interruption. They nest. Not for long: others wait.
// Errors: an unmasking without a masking ends the job with a line.
// Source: Skerry's own.

//@ shmemx_rpc_attention: shmemx_rpc_attention
// Sets how this PE is made to serve calls while it computes. In its waits it serves them in any case.
// With SHMEMX_RPC_BY_SIGNAL (at first, or as SKERRY_ATTENTION says) functions run in the handler of SIGURG and must be safe
// there; sleep and poll may then return early, with EINTR. With SHMEMX_RPC_BY_THREAD they run in a thread and must be safe beside
// the program. With SHMEMX_RPC_ONLY_WAITING they run in waits of the library and may call what the program may. In none may
// they wait for another PE.
//   how  one of the three
// Returns: 0, or non-zero when it is not to be had: a thread, or on a chip anything but SHMEMX_RPC_BY_SIGNAL.
// Source: Skerry's own.

//@ shmemx_rpc_get_counters: shmemx_rpc_get_counters
// What this PE has sent, served and run itself.
//   counters  filled
// Source: Skerry's own; Ross and Richie 2018, section 4.

SKERRY_DECLARE(int, shmemx_rpc_wait, (shmemx_rpc_event_t * event, void *result))
SKERRY_DECLARE(size_t, shmemx_rpc_wait_any, (shmemx_rpc_event_t * events, size_t count, void *result))
SKERRY_DECLARE(int, shmemx_rpc_wait_all, (shmemx_rpc_event_t * events, size_t count, void *results))
SKERRY_DECLARE(int, shmemx_rpc_test, (shmemx_rpc_event_t * event, void *result))
SKERRY_DECLARE(size_t, shmemx_rpc_test_any, (shmemx_rpc_event_t * events, size_t count, void *result))
SKERRY_DECLARE(int, shmemx_rpc_test_all, (shmemx_rpc_event_t * events, size_t count))
SKERRY_DECLARE(int, shmemx_rpc_status, (void))
SKERRY_DECLARE(int, shmemx_rpc_class, (int newclass))
SKERRY_DECLARE(int, shmemx_rpc_when_full, (int policy))
SKERRY_DECLARE(int, shmemx_rpc_defer, (int fromclass))
SKERRY_DECLARE(int, shmemx_rpc_poll, (void))
SKERRY_DECLARE(void, shmemx_rpc_mask, (void))
SKERRY_DECLARE(void, shmemx_rpc_unmask, (void))
SKERRY_DECLARE(int, shmemx_rpc_attention, (int how))
SKERRY_DECLARE(void, shmemx_rpc_get_counters, (shmemx_rpc_counters_t * counters))
