// SPDX-License-Identifier: BSD-3-Clause
// Configures primitives and programming models for a machine whose PEs are processes on Linux. config.h says what each
// value means. Tables are large, because memory is cheap on this machine and untouched pages cost nothing.
#ifndef SKERRY_CONFIG_LINUX_H
#define SKERRY_CONFIG_LINUX_H

// -- Groups and collectives --------------------------------------------------------------------------------------------

#define SKERRY_TEAMS_MAX 1024
#define SKERRY_CONTEXTS_MAX 4096
#define SKERRY_SYNC_ELEMENTS 32 // a word for each round of a barrier, and spare words
#define SKERRY_AREA_ALIGNMENT SKERRY_LINE
#define SKERRY_CELL_BYTES (SKERRY_LINE - sizeof(skerry_word))
#define SKERRY_BROADCAST_CELLS 8
#define SKERRY_CHUNK_BYTES 2048
#define SKERRY_ROUNDS_MAX 10 // enough for 1024 members on a node: 2^10 = 1024
#define SKERRY_NODE_ROUNDS_MAX 20
#define SKERRY_NODE_SCRATCH_BYTES 65536

// `skerry bench barrier broadcast` measured the numbers of members and bytes at which one algorithm becomes faster than
// another.
#define SKERRY_CHANNELS 0
#define SKERRY_PARTNERS_MAX 0
#define SKERRY_COUNTER_BARRIER_MEMBERS 2
#define SKERRY_FLAT_BROADCAST_MEMBERS 4
#define SKERRY_OFFER_BYTES 32768

#define SKERRY_HEAP_ON_DEMAND 0

// -- Segments ----------------------------------------------------------------------------------------------------------

// A thread writes to at most two queues at the same time: one in the program, and one in a handler. Handlers run one at
// a time. The value is 8, because an array of 8 elements (src/aos/internal.h, `queues`) fills a cache line of 64 bytes.
#define SKERRY_NESTING 8
#define SKERRY_AOS_SEGMENTS_MAX 131072
#define SKERRY_AOS_BUCKETS 32768
#define SKERRY_AOS_DEFERRED_MAX 4096
#define SKERRY_AOS_REPLIES_MAX 4096
#define SKERRY_AOS_REQUESTS 256
#define SKERRY_AOS_STAGES 16
#define SKERRY_AOS_STAGE_BYTES 65536

#endif
