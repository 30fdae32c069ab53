// SPDX-License-Identifier: BSD-3-Clause
// Declares how this PE uses its DMA unit: the headers, tags and programs of micro-cores that begin.c sets up, and packets
// that a core builds itself.
//
// Order: all packets of one core to one PE arrive in the order in which the core has sent them. So does a packet that a
// core sends after it has seen that a micro-core's job has ended (SKERRY_MPPA_TAG_SENT). Nothing else is ordered.
#ifndef SKERRY_MACHINE_MPPA_NETWORK_H
#define SKERRY_MACHINE_MPPA_NETWORK_H

#include "../machine.h"
#include "registers.h"

// Headers. One for each PE, in ranges:
//     MEMORY   packets to the memory of PE pe
//     JOBS     jobs for the server of PE pe
//     ANSWERS  answers of this PE's server to PE pe; the server sets the tag, which the job names
//     REPLIES  messages of this PE's server to the server of PE pe
//     LETTERS  long messages to PE pe (message.c)
// ANSWERS_BY_MICRO_CORE are used in turn. There are more of them than jobs that can be in the queues of the micro-cores
// of the server, so a header is not changed while a job uses it. CHANNELS and ENGINES are the program's (noc.c).
#define SKERRY_MPPA_HEADER_MEMORY 0u
#define SKERRY_MPPA_HEADER_JOBS 18u
#define SKERRY_MPPA_HEADER_ANSWERS 36u
#define SKERRY_MPPA_HEADER_REPLIES 54u
#define SKERRY_MPPA_HEADER_LETTERS 72u
#define SKERRY_MPPA_HEADER_ANSWERS_BY_MICRO_CORE 90u
#define SKERRY_MPPA_ANSWERS_BY_MICRO_CORE 22u // queues of 2 micro-cores, 8 jobs each
#define SKERRY_MPPA_HEADER_CHANNELS 112u
#define SKERRY_MPPA_HEADER_ENGINES 119u
_Static_assert(SKERRY_MPPA_HEADER_JOBS == SKERRY_PES_MAX, "each range has a header for each PE");

// Tags. Those below MEMORY are the program's (noc.c).
//     MEMORY  the whole memory of this PE, of an I/O node with its DDR
//     LETTERS the memory of long messages
//     JOBS    the ring of jobs of other PEs' cores; notifies the server
//     REPLIES the ring of messages of other PEs' servers; notifies the server
//     ANSWERS + core  the whole memory; counts the answers to the jobs of this core, which can be the server. The one behind
//             them is of the server's replies.
//     SENT + core     counts the jobs of micro-cores, started by this core, whose packets have been sent
//     ENGINES + number  the same for the jobs of the program's own engines (noc.c)
//     GETS + number   the whole memory; counts the answers to a get that goes on while its core computes (begun.c)
#define SKERRY_MPPA_TAG_MEMORY 192u
#define SKERRY_MPPA_TAG_JOBS 193u
#define SKERRY_MPPA_TAG_REPLIES 194u
#define SKERRY_MPPA_TAG_LETTERS 195u
#define SKERRY_MPPA_TAG_ANSWERS 196u
#define SKERRY_MPPA_TAG_SENT 216u
#define SKERRY_MPPA_TAG_ENGINES 233u // SENT + SKERRY_MPPA_CORES
#define SKERRY_MPPA_TAG_GETS 240u

// Micro-cores. The server has the last two. The cores of the program share the others, each core one of them: so the jobs
// of one core end in their order.
#define SKERRY_MPPA_MICRO_CORES 6u
#define SKERRY_MPPA_SERVER_MICRO_CORES 2u
#define SKERRY_MPPA_MICRO_CORE_JOBS 8u // started and not ended; who starts a further one waits

// Cores of a cluster: the threads of the PE, and the server behind them. An I/O node has fewer cores, the last of which runs
// the server under the same number.
#define SKERRY_MPPA_CORES 17
#define SKERRY_MPPA_CLUSTERS 16u // of the chip; the first nodes of the networks
// DMA units of an I/O node, each of which is a node of the networks. All packets of a cluster to an I/O node except answers
// go to the unit in the cluster's column, so they stay in order. Packets of an I/O node leave by its first unit, except
// answers to gets by micro-cores, and answers to it arrive at its first unit.
#define SKERRY_MPPA_UNITS_OF_IO_NODE 4u
#define SKERRY_MPPA_SERVER (SKERRY_MPPA_CORES - 1)

#define SKERRY_MPPA_REGISTER(TYPE, OFFSET) (*(volatile TYPE *)(uintptr_t)(SKERRY_MPPA_REGISTERS + (uint32_t)(OFFSET)))

// A register of a tag of one of the node's DMA units.
SKERRY_ALWAYS_INLINE volatile uint32_t *skerry_tag_register_of(uint32_t unit, uint32_t tag, uint32_t which) {
    const uint32_t at = SKERRY_MPPA_TAGS_BASE + tag * SKERRY_MPPA_TAG_BYTES + which;
    return &SKERRY_MPPA_REGISTER(uint32_t, unit * SKERRY_MPPA_REGISTERS_BYTES + at);
}

SKERRY_ALWAYS_INLINE volatile uint32_t *skerry_tag_register(uint32_t tag, uint32_t which) {
    return skerry_tag_register_of(0, tag, which);
}

// Returns the number of ends of transfers of a tag, modulo 2^16.
SKERRY_ALWAYS_INLINE uint16_t skerry_tag_transfers(uint32_t tag) {
    const uint16_t transfers = (uint16_t)*skerry_tag_register(tag, SKERRY_MPPA_TAG_TRANSFERS);
    __asm__ volatile("fence r, rw" ::: "memory");
    return transfers;
}

// Returns the address by which a core stores bytes of a packet, and by which it stores the last bytes and sends it.
SKERRY_ALWAYS_INLINE char *skerry_push_address(void) {
    return (char *)(uintptr_t)(SKERRY_MPPA_REGISTERS + SKERRY_MPPA_PUSH_BASE);
}

SKERRY_ALWAYS_INLINE char *skerry_send_address(uint32_t header) {
    return (char *)(uintptr_t)(SKERRY_MPPA_REGISTERS + SKERRY_MPPA_SEND_BASE + header * SKERRY_MPPA_SEND_STRIDE);
}

SKERRY_ALWAYS_INLINE char *skerry_send_end_address(uint32_t header) {
    return (char *)(uintptr_t)(SKERRY_MPPA_REGISTERS + SKERRY_MPPA_SEND_END_BASE + header * SKERRY_MPPA_SEND_STRIDE);
}

// Sets the offset, in the tag's window, of this core's next packets.
SKERRY_ALWAYS_INLINE void skerry_packet_offset(uint32_t offset) {
    SKERRY_MPPA_REGISTER(uint32_t, SKERRY_MPPA_PUSH_OFFSET) = offset;
}

// Sends bytes from this PE's memory to an offset in the window of a header's tag, in packets that this core builds. If
// `end` is true, the last packet has an end of transfer. `bytes` is at least 1.
void skerry_send_bytes(uint32_t header, uint32_t offset, const void *source, size_t bytes, bool end);

// Stores the last bytes of a packet, from this PE's memory, and sends it: `send` is skerry_send_address of its header, or
// skerry_send_end_address. The core has stored the first `before` bytes, a multiple of 8. `bytes` is at least 1.
void skerry_send_rest(char *send, size_t before, const void *source, size_t bytes);

// A copy by a micro-core: blocks of this PE's memory to offsets in a tag's window. Strides are in bytes.
struct skerry_blocks {
    const void *source;
    uint32_t offset;
    uint32_t block_bytes;
    uint32_t blocks;
    uint32_t source_stride;
    uint32_t offset_stride;
};

// Starts a micro-core's copy. The first functions are for the cores of the program: at the end the tag SENT of this core
// counts. The last one is for the server, by any of the node's DMA units: the last packet has an end of transfer. If the micro-core's queue is full, the
// core waits for room; the data network always makes progress, so this wait ends. skerry_micro_job is skerry_micro_put with
// an end of transfer, and skerry_micro_put_range is skerry_micro_put of one block.
void skerry_micro_put_range(const void *source, uint32_t offset, uint32_t bytes, uint32_t header, uint32_t core);
void skerry_micro_put(const struct skerry_blocks *copy, uint32_t header, uint32_t core);
void skerry_micro_job(const struct skerry_blocks *copy, uint32_t header, uint32_t core);
void skerry_micro_answer(const struct skerry_blocks *copy, uint32_t header, uint32_t micro_core, uint32_t unit);

// How a micro-core of the server answers each PE: the route in the lower 24 bits, and above them the DMA unit that sends. A
// job of one PE does not have them.
#define SKERRY_MPPA_ANSWER_UNIT_SHIFT 24u
#define SKERRY_MPPA_ANSWER_ROUTE ((1u << SKERRY_MPPA_ANSWER_UNIT_SHIFT) - 1)
extern uint32_t skerry_answer_routes[SKERRY_PES_MAX];

// Loads the programs of the micro-cores into the first `units` units of this node. One core calls it before any other uses
// them.
void skerry_micro_begin(uint32_t units);

#endif
