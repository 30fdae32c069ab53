// SPDX-License-Identifier: BSD-3-Clause
// Declares the fences, which complete a PE's operations and so order them with its later operations.

//@ aos_fence: aos_fence aos_fence_all
// Completes the outstanding operations of this PE on a segment (aos_fence) or on all segments (aos_fence_all), and
// makes them visible to every PE. Conditional atomics of this PE that still wait for their condition are outstanding
// too.
//   event  NULL: the routine returns when all these operations are complete. Not NULL: the routine makes an event that
//          happens when they are complete
// Order: without a fence, the puts of one PE with events complete locally in order; inside a node without DMA channels a
// put completes on return, except a large one to private memory. Gets from one segment are ordered among themselves, except gets whose events have not happened yet. A get is
// not ordered with a put before it. Atomics on one segment, with or without an answer, are ordered among themselves.
// They are seen only after this PE's earlier puts to that segment. A conditional atomic takes its place in that order
// when its condition holds.
// Returns: AOS_SUCCESS, AOS_ERROR_GONE, AOS_ERROR_STATE or AOS_ERROR_FAULT. AOS_ERROR_FAULT: the segment's owner could
// not do an earlier atomic without an answer. The owner has no memory at the word's address or must not write to it.
// The atomic can have been on this segment or on other memory of the owner. Only one fence reports such an error. A fence
// also returns the error of a put or get behind the program that has failed, if no wait for its event has returned it.
// Source: Hascoet et al. 2017, 5.4.

AOS_DECLARE(int, aos_fence, (const aos_segment_t *segment, aos_event_t *event))
AOS_DECLARE(int, aos_fence_all, (aos_event_t * event))
