// SPDX-License-Identifier: BSD-3-Clause
// Order beyond what operations have of themselves.

//@ aos_fence: aos_fence aos_fence_all
// Completes what this PE has outstanding on a segment, or on all segments, and makes it visible to every PE. Conditional atomics
// of this PE that still wait for their condition are outstanding too.
//   event  NULL: returns when that is so; else the event happens then
// Order: without it: all puts of one PE complete locally in order; gets from one segment are ordered; a get is not ordered with
// a put before it; atomics on one segment are ordered among themselves, posted or fetching, and are seen only after this
// PE's earlier puts to that segment. A conditional atomic has its place in that order from when its condition holds.
// Returns: AOS_SUCCESS; AOS_ERROR_FAULT, once: the segment's owner had no memory for an atomic without an answer, on this segment
// or another one of its memory, or may not write it; AOS_ERROR_GONE; AOS_ERROR_STATE.
// Source: Hascoet et al. 2017, 5.4.

AOS_DECLARE(int, aos_fence, (const aos_segment_t *segment, aos_event_t *event))
AOS_DECLARE(int, aos_fence_all, (aos_event_t * event))
