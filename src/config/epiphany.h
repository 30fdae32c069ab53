// SPDX-License-Identifier: BSD-3-Clause
// Configures primitives and programming models for a machine whose PEs are cores of an Epiphany chip. config.h says
// what each value means. Tables are small, because memory is scarce on this machine. Groups use channels here
// (src/primitive/channel.h). The tables that only groups without channels use have the smallest possible size.
#ifndef SKERRY_CONFIG_EPIPHANY_H
#define SKERRY_CONFIG_EPIPHANY_H

// -- Groups and collectives --------------------------------------------------------------------------------------------

#define SKERRY_TEAMS_MAX 12
#define SKERRY_CONTEXTS_MAX 8
#define SKERRY_SYNC_ELEMENTS 1 // collectives over channels use no pSync array
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
// A broadcast to fewer members or of fewer bytes passes the data from member to member, along a tree.
#define SKERRY_SCATTER_MEMBERS 5
#define SKERRY_SCATTER_BYTES 1536
#define SKERRY_WORK_BYTES 1024
#define SKERRY_DOUBLING_BYTES 32

#define SKERRY_HEAP_ON_DEMAND 1

// -- Segments: only programs that use segments have these tables, in each core's memory ------------------

// A core can write to three queues at the same time:
// - one in the program,
// - one in a handler that interrupts the program,
// - one in a second handler that interrupts the first.
// The fourth element of the array `queues` (src/aos/internal.h) is not used.
#define SKERRY_NESTING 4
#define SKERRY_AOS_SEGMENTS_MAX 8
#define SKERRY_AOS_BUCKETS 8
#define SKERRY_AOS_DEFERRED_MAX 8
#define SKERRY_AOS_REPLIES_MAX 8

#endif
