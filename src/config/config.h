// SPDX-License-Identifier: BSD-3-Clause
// Includes the configuration file of the machine that this code is compiled for: linux.h, epiphany.h, riscv.h, mppa.h or
// example.h. A configuration file chooses the sizes of tables and the algorithms of the primitives and programming
// models. The machine's own code does not use these values. Each configuration file defines all of the following names.
#ifndef SKERRY_CONFIG_CONFIG_H
#define SKERRY_CONFIG_CONFIG_H

#include "../machine/machine.h"

// OpenSHMEM:
//
//     SKERRY_TEAMS_MAX                largest number of teams that a PE can be in at the same time
//     SKERRY_CONTEXTS_MAX             largest number of contexts that a PE can have at the same time
//     SKERRY_SYNC_ELEMENTS            number of elements of a pSync array
//     SKERRY_HEAP_ON_DEMAND           1: programs that allocate nothing do not contain the allocator

// The memory through which the members of a group of PEs (a team or an active set) synchronise:
//
//     SKERRY_AREA_ALIGNMENT           alignment of this memory in bytes
//     SKERRY_CELL_BYTES               bytes of data in a cell, a buffer for one short message
//     SKERRY_BROADCAST_CELLS          number of cells of a receiver that short broadcasts use in turn. A sender
//                                     reads its receivers' progress at most once in this many broadcasts
//     SKERRY_CHUNK_BYTES              bytes of one chunk of the operands of a reduction or scan
//     SKERRY_ROUNDS_MAX               largest number of rounds of a dissemination barrier

// Algorithms of barriers and collectives:
//
//     SKERRY_CHANNELS                 1: groups use channels (src/primitive/channel.h: one-way connections between two
//                                     PEs that count signals). Collectives then only write to other PEs.
//                                     0: groups have no channels. Collectives also read from other PEs
//     SKERRY_PARTNERS_MAX             largest number of partners that a PE has in a barrier over channels, plus 1 for
//                                     an end mark
//     SKERRY_COUNTER_BARRIER_MEMBERS  largest number of members for which a group's barrier is one counter of arrivals
//     SKERRY_FLAT_BROADCAST_MEMBERS   largest number of members for which the root of a broadcast itself sends to each
//                                     member
//     SKERRY_OFFER_BYTES              smallest number of bytes for which receivers of a broadcast read the data from
//                                     the root's memory, in parallel. With fewer bytes the data is written to them

// Segments (src/aos):
//
//     SKERRY_NESTING                  largest number of queues to which one thread writes at the same time: one of
//                                     the program, and one of each handler that interrupts it (src/aos/queue.c)
//     SKERRY_AOS_SEGMENTS_MAX         largest number of segments that a PE has at the same time
//     SKERRY_AOS_BUCKETS              number of buckets of the hash table by which PEs find these segments
//     SKERRY_AOS_DEFERRED_MAX         largest number of conditional atomics that wait at the same time for words of one
//                                     PE
//     SKERRY_AOS_REPLIES_MAX          largest number of operations of one PE that wait for replies at the same time

// Machines of several nodes (SKERRY_FAR_PES is 1) also define:
//
//     SKERRY_NODE_ROUNDS_MAX          largest number of rounds of a dissemination barrier of nodes: 20 are enough for
//                                     2^20 nodes
//     SKERRY_NODE_SCRATCH_BYTES       bytes of a team's memory for data that nodes send each other in a collective

// Machines with channels (SKERRY_CHANNELS is 1) also define:
//
//     SKERRY_SCATTER_MEMBERS          smallest number of members for which a broadcast is a scatter and a collect
//     SKERRY_SCATTER_BYTES            smallest number of bytes for which a broadcast is a scatter and a collect
//     SKERRY_WORK_BYTES               bytes of the memory in which a PE receives data of a reduction or scan
//     SKERRY_DOUBLING_BYTES           largest number of bytes for which the partners of a reduction exchange whole
//                                     operands (recursive doubling). In a larger reduction they exchange parts of the
//                                     operands, in twice as many rounds

// Machines on which other PEs cannot access all memory of a PE (SKERRY_PRIVATE_MEMORY is 1) also define:
//
//     SKERRY_AOS_REQUESTS             largest number of requests that a PE has received and not yet run
//     SKERRY_AOS_STAGES               number of stages of a PE: buffers through which data of requests travels
//     SKERRY_AOS_STAGE_BYTES          bytes of a stage

// Machines whose PEs have a server (SKERRY_FAR_WATCHES is 1) also define:
//
//     SKERRY_AOS_CREDITED_QUEUES      largest number of queues of a PE into which other PEs enqueue without an answer
//                                     (src/aos/credits.c); at most 32
//     SKERRY_SYSTEM_BYTES_MIN         least system memory of a program in bytes, for the words of the shared heap

#include SKERRY_CONFIG_HEADER // machine.h defines this macro as the name of the machine's configuration file

#endif
