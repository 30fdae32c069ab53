// SPDX-License-Identifier: BSD-3-Clause
// Declares the routines of remote procedure calls. These routines are not in the OpenSHMEM specification. They follow
// Ross and Richie 2018, and the future work that this paper names.

//@ shmemx_rpc_wait: shmemx_rpc_wait shmemx_rpc_wait_any shmemx_rpc_wait_all
// Waits until asynchronous calls have ended. Runs calls of other PEs meanwhile.
//   event, events  events that f_async or shmemx_rpc_async returned. The event of a call that has ended becomes
//                  SHMEMX_RPC_EVENT_NONE
//   count    number of events
//   result   NULL, or place for the function's result
//   results  NULL, or an array for the functions' results
// Order: data that the function stored before it returned is visible.
// Returns: shmemx_rpc_wait returns the status of the call. shmemx_rpc_wait_any returns the index of an event whose call
// has ended, or SIZE_MAX if no call is under way. shmemx_rpc_wait_all returns 0, or the first status below 0. An event
// of a refused call, and SHMEMX_RPC_EVENT_NONE, have the status SHMEMX_RPC_REFUSED.
// Errors: an event that is not under way ends the job with a message. An example is a copy of an event that has ended.
// If the function returns a struct and `result` is not NULL, the wait ends the job with a message too.
// Source: Skerry's own; Ross and Richie 2018, section 5.

//@ shmemx_rpc_test: shmemx_rpc_test shmemx_rpc_test_any shmemx_rpc_test_all
// Tests, without waiting, whether asynchronous calls have ended.
//   event, events, count, result  as for shmemx_rpc_wait
// Returns: shmemx_rpc_test returns 1 if the call has ended, and ends the event. If not, it returns 0.
// shmemx_rpc_test_any returns the index of an event whose call has ended, and ends this event. If no call has ended, it
// returns SIZE_MAX. shmemx_rpc_test_all returns 1 if all calls have ended, and 0 if not. It ends no event.
// Source: Skerry's own; Ross and Richie 2018, section 5.

//@ shmemx_rpc_status: shmemx_rpc_status
// Returns the status of this thread's last call. A call by f_rpc, or a posted call, becomes the last call when it
// returns. An asynchronous call becomes the last call when a wait or a test of its event returns that it has ended.
// Returns: SHMEMX_RPC_SERVED, SHMEMX_RPC_RUN_BY_CALLER, SHMEMX_RPC_GONE, SHMEMX_RPC_REFUSED or SHMEMX_RPC_UNKNOWN. If
// the status is below 0, the call was not run and its result is zero. An f_rpc whose first argument is in this PE's own
// memory is a plain call and does not change the status.
// Source: Skerry's own.

//@ shmemx_rpc_class: shmemx_rpc_class
// Sets the class of the calls that this thread makes from now on. The target is the PE that runs a call. A target runs
// a call of a class only if no call of an earlier class waits in its queues. Background calls do not interrupt their
// target: the target runs them in its waits. On a chip background calls interrupt a target that does not defer them,
// because a core does not know whether its program waits.
//   newclass  SHMEMX_RPC_URGENT, SHMEMX_RPC_NORMAL (the default) or SHMEMX_RPC_BACKGROUND
// Returns: the previous class.
// Source: Skerry's own; Ross and Richie 2018, section 5 (tunable priority).

//@ shmemx_rpc_when_full: shmemx_rpc_when_full
// Sets the policy for calls of this thread that find the target's queue full. With SHMEMX_RPC_RUN (the default) the
// caller runs the function itself, by remote access to the target's memory. A function can then run on several PEs at
// the same time. With SHMEMX_RPC_WAIT the caller waits for a free slot, and runs calls of other PEs meanwhile. With
// SHMEMX_RPC_REFUSE the call is not run and has the status SHMEMX_RPC_REFUSED. A caller cannot run the function on data
// of a PE of another node. For such a call SHMEMX_RPC_RUN has the same effect as SHMEMX_RPC_WAIT.
//   policy  SHMEMX_RPC_RUN, SHMEMX_RPC_WAIT or SHMEMX_RPC_REFUSE
// Returns: the previous policy.
// Source: Ross and Richie 2018, section 3.

//@ shmemx_rpc_defer: shmemx_rpc_defer shmemx_rpc_poll
// Defers the calls of a class and of all later classes. Deferred calls stay in this PE's queues until shmemx_rpc_defer
// is called again with a later class. The routine shmemx_rpc_poll runs all calls that have arrived, deferred calls too.
// Calls that are still deferred when this PE leaves the job are not run.
//   fromclass  the first class that is deferred; SHMEMX_RPC_NONE: no class is deferred
// Returns: shmemx_rpc_defer returns the previous first class. shmemx_rpc_poll returns the number of calls that it has
// run.
// Source: Skerry's own; Ross and Richie 2018, section 5 (deferral).

//@ shmemx_rpc_mask: shmemx_rpc_mask shmemx_rpc_unmask
// Masks and unmasks calls of other PEs. While calls are masked, this PE runs no call, neither in a wait nor when it is
// interrupted. Pairs of shmemx_rpc_mask and shmemx_rpc_unmask nest. Mask calls for a short time only, because other PEs
// possibly wait for their calls.
// Errors: a shmemx_rpc_unmask without its shmemx_rpc_mask ends the job with a message.
// Source: Skerry's own.

//@ shmemx_rpc_attention: shmemx_rpc_attention
// Sets the way in which this PE runs calls of other PEs while it computes. While this PE waits in the library, it runs
// calls with every value of `how`. The environment variable SKERRY_ATTENTION sets the way at the program's start. The
// default is SHMEMX_RPC_BY_SIGNAL. With SHMEMX_RPC_BY_SIGNAL functions run in the handler of SIGURG and must be safe in
// a signal handler. Calls of sleep and poll can then return early, with EINTR. With SHMEMX_RPC_BY_THREAD functions run
// in a separate thread and must be safe beside the program. With SHMEMX_RPC_ONLY_WAITING functions run in waits of the
// library only, and are allowed to call everything that the program is allowed to call. A function must never wait for
// another PE.
//   how  SHMEMX_RPC_BY_SIGNAL, SHMEMX_RPC_BY_THREAD or SHMEMX_RPC_ONLY_WAITING
// Returns: 0, or a value other than 0 if the way is not available: no thread can be started, or a chip has only
// SHMEMX_RPC_BY_SIGNAL.
// Source: Skerry's own.

//@ shmemx_rpc_get_counters: shmemx_rpc_get_counters
// Reads this PE's counters. Some of them count the calls that this PE has sent, and the calls that it has run for other
// PEs. Another counts the calls of its own that it has run itself.
//   counters  place for the counters
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
