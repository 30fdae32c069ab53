// SPDX-License-Identifier: BSD-3-Clause
// Chooses the table sizes and the algorithms of primitives and programming models for a machine whose PEs are cores of
// an Epiphany chip. Tables are small, because memory is scarce on this machine. On this machine groups use channels
// (src/primitive/channel.h). So the tables that only groups without channels use have the smallest possible size.
// config.h says what each value means.
#ifndef SKERRY_CONFIG_EPIPHANY_H
#define SKERRY_CONFIG_EPIPHANY_H

// -- Groups and collectives --------------------------------------------------------------------------------------------

#define SKERRY_TEAMS_MAX 12
#define SKERRY_CONTEXTS_MAX 8
#define SKERRY_SYNC_ELEMENTS 1 // collectives over channels use no element
#define SKERRY_AREA_ALIGNMENT 8
#define SKERRY_CELL_BYTES 8
#define SKERRY_BROADCAST_CELLS 1
#define SKERRY_CHUNK_BYTES 8
#define SKERRY_ROUNDS_MAX 1

#define SKERRY_CHANNELS 1      // reading another core's memory is ten times slower than writing it
#define SKERRY_PARTNERS_MAX 11 // 10 partners in a barrier of 1024 members (2^10 = 1024), and 1 for an end mark
#define SKERRY_COUNTER_BARRIER_MEMBERS 0
#define SKERRY_FLAT_BROADCAST_MEMBERS 0
#define SKERRY_OFFER_BYTES SIZE_MAX
#define SKERRY_SCATTER_MEMBERS 5
#define SKERRY_SCATTER_BYTES 1536
#define SKERRY_WORK_BYTES 1024
#define SKERRY_DOUBLING_BYTES 32

#define SKERRY_HEAP_ON_DEMAND 1

// -- Segments: only programs that use segments have these tables, in each core's memory ------------------

// A core can write to three queues at the same time: one in the program, one in a handler that interrupts the program,
// and one in a second handler that interrupts the first. The fourth element of the array (src/aos/internal.h, `queues`)
// is not used.
#define SKERRY_NESTING 4
#define SKERRY_AOS_SEGMENTS_MAX 8
#define SKERRY_AOS_BUCKETS 8
#define SKERRY_AOS_DEFERRED_MAX 8
#define SKERRY_AOS_REPLIES_MAX 8

#endif
