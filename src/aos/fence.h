// SPDX-License-Identifier: BSD-3-Clause
// Fences: order among operations beyond the order that they have without one.

//@ aos_fence: aos_fence aos_fence_all
// Completes the outstanding operations of this PE on a segment, or on all segments, and makes them visible to every PE.
// Conditional atomics of this PE that still wait for their condition are outstanding too.
//   event  NULL: the routine returns when all are complete; otherwise an event that happens then
// Order: without a fence, all puts of one PE complete locally in order. Gets from one segment are ordered among
// themselves. A get is not ordered with a put before it. Atomics on one segment, posted or fetching, are ordered among
// themselves, and are seen only after this PE's earlier puts to that segment. A conditional atomic takes its place in
// that order when its condition holds.
// Returns: AOS_SUCCESS; AOS_ERROR_FAULT, reported once: for an atomic without an answer, on this segment or on other
// memory of its owner, the owner had no memory there or may not write it; AOS_ERROR_GONE; AOS_ERROR_STATE.
// Source: Hascoet et al. 2017, 5.4.

AOS_DECLARE(int, aos_fence, (const aos_segment_t *segment, aos_event_t *event))
AOS_DECLARE(int, aos_fence_all, (aos_event_t * event))
