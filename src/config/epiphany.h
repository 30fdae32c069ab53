// SPDX-License-Identifier: BSD-3-Clause
// Chooses, for PEs that are cores of an Epiphany chip, the sizes of the tables of primitives and programming models,
// and their algorithms. Tables are small, because memory is scarce on this machine. Tables that are used only without
// channels have the smallest possible size, because groups use channels on this machine. config.h says what each value
// means.
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
#define SKERRY_PARTNERS_MAX 11 // 10 partners among 1024 members, and an end mark
#define SKERRY_COUNTER_BARRIER_MEMBERS 0
#define SKERRY_FLAT_BROADCAST_MEMBERS 0
#define SKERRY_OFFER_BYTES SIZE_MAX
#define SKERRY_SCATTER_MEMBERS 5
#define SKERRY_SCATTER_BYTES 1536
#define SKERRY_WORK_BYTES 1024
#define SKERRY_DOUBLING_BYTES 32

#define SKERRY_HEAP_ON_DEMAND 1

// -- Segments: only programs that use segments have these tables, in each core's memory ------------------

// Three places are needed: for the queue of the program, and for the queues of two handlers that interrupt the program
// and one another. The fourth place is not used.
#define SKERRY_NESTING 4
#define SKERRY_AOS_SEGMENTS_MAX 8
#define SKERRY_AOS_BUCKETS 8
#define SKERRY_AOS_DEFERRED_MAX 8
#define SKERRY_AOS_REPLIES_MAX 8

#endif
