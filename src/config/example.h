// SPDX-License-Identifier: BSD-3-Clause
// Configures primitives and programming models for the example machine, which has one PE. config.h says what each value
// means.
#ifndef SKERRY_CONFIG_EXAMPLE_H
#define SKERRY_CONFIG_EXAMPLE_H

// -- Groups and collectives --------------------------------------------------------------------------------------------

#define SKERRY_TEAMS_MAX 1024
#define SKERRY_CONTEXTS_MAX 64
#define SKERRY_SYNC_ELEMENTS 1
#define SKERRY_AREA_ALIGNMENT SKERRY_LINE
#define SKERRY_CELL_BYTES (SKERRY_LINE - sizeof(skerry_word))
#define SKERRY_BROADCAST_CELLS 1
#define SKERRY_CHUNK_BYTES 64
#define SKERRY_ROUNDS_MAX 1

// A collective of one PE sends nothing, so no algorithm is better than another.
#define SKERRY_CHANNELS 0
#define SKERRY_PARTNERS_MAX 0
#define SKERRY_COUNTER_BARRIER_MEMBERS 0
#define SKERRY_FLAT_BROADCAST_MEMBERS 1
#define SKERRY_OFFER_BYTES SIZE_MAX

#define SKERRY_HEAP_ON_DEMAND 0

// -- Segments: the example machine does not have them (example.cmake) --------------------------------------------------

#define SKERRY_NESTING 1
#define SKERRY_AOS_SEGMENTS_MAX 1
#define SKERRY_AOS_BUCKETS 1
#define SKERRY_AOS_DEFERRED_MAX 1
#define SKERRY_AOS_REPLIES_MAX 1

#endif
