// SPDX-License-Identifier: BSD-3-Clause
// Configures primitives and programming models for a machine whose PEs are the clusters of an MPPA. config.h says what each
// value means. Each PE is a node, so groups synchronise by messages between nodes (src/primitive/levels). A cluster has 2 MB
// of memory. mppa.ld reserves the memory for the areas of all teams.
#ifndef SKERRY_CONFIG_MPPA_H
#define SKERRY_CONFIG_MPPA_H

// -- Groups and collectives --------------------------------------------------------------------------------------------

#define SKERRY_TEAMS_MAX 32
#define SKERRY_CONTEXTS_MAX 16
#define SKERRY_SYNC_ELEMENTS 20 // a word for each round of a barrier, and spare words
#define SKERRY_AREA_ALIGNMENT 8
#define SKERRY_CELL_BYTES 28
#define SKERRY_BROADCAST_CELLS 1
#define SKERRY_CHUNK_BYTES 512
#define SKERRY_ROUNDS_MAX 5 // enough for 18 PEs
#define SKERRY_NODE_ROUNDS_MAX 5
#define SKERRY_NODE_SCRATCH_BYTES 1024

#define SKERRY_CHANNELS 0
#define SKERRY_PARTNERS_MAX 0
#define SKERRY_COUNTER_BARRIER_MEMBERS 0
#define SKERRY_FLAT_BROADCAST_MEMBERS 4
#define SKERRY_OFFER_BYTES SIZE_MAX

#define SKERRY_HEAP_ON_DEMAND 0

#define SKERRY_SYSTEM_BYTES_MIN 0x100 // of a program without teams (mppa.ld): the words of the shared heap

// -- Segments ----------------------------------------------------------------------------------------------------------

#define SKERRY_NESTING 4
#define SKERRY_AOS_SEGMENTS_MAX 64
#define SKERRY_AOS_BUCKETS 64
#define SKERRY_AOS_DEFERRED_MAX 64
#define SKERRY_AOS_REPLIES_MAX 64
#define SKERRY_AOS_CREDITED_QUEUES 16

#endif
