// SPDX-License-Identifier: BSD-3-Clause
// Defines the registers of a node of the MPPA: those of its DMA unit, and the range of its mailboxes (control network).
// A cluster's cores have them at the same addresses in each cluster, and no other core has access to them. Software
// mirrors these constants. docs/design/mppa-machine.md describes what a store to a register does.
//
// All offsets are relative to registers_base. A register has 4 bytes if its comment says nothing else.
#pragma once
#include <cstdint>

namespace skerry::sim::mppa {

constexpr std::uint32_t registers_base = 0x60000000; // an address
constexpr std::uint32_t registers_bytes = 0x40000;

// What a program finds out about its node; read only.
constexpr std::uint32_t node_number = 0x00000;   // 0 to nodes - 1; clusters come first
constexpr std::uint32_t node_count = 0x00004;    // clusters and I/O nodes
constexpr std::uint32_t cluster_count = 0x00008; // the first I/O node has this number

// -- headers: where packets go ----------------------------------------------------------------------------------------

// A header is kept in the unit, so that a core need not store the route of each packet.
constexpr std::uint32_t headers = 128;
constexpr std::uint32_t headers_base = 0x01000;
constexpr std::uint32_t header_bytes = 8;  // of one header's registers
constexpr std::uint32_t header_route = 0;  // the directions (dnoc/packet.hpp)
constexpr std::uint32_t header_target = 4; // bits 0 to 7: Rx tag; bits 8 to 10: shaper; bit 31: the header is in use
constexpr std::uint32_t header_shaper_shift = 8;
constexpr std::uint32_t header_valid = 0x80000000;

// -- packets that cores send ------------------------------------------------------------------------------------------

// Each core has a buffer of its own for the packet that it builds, at the same addresses as every other core. So a core
// needs no lock. A store of 1, 2, 4 or 8 bytes to push_base + k writes bytes k and following of the buffer. A store to
// send_base + header * send_stride + k does the same, and sends the buffer's bytes up to and with those of the store: a
// packet of 8 bytes takes two stores of 4 bytes, or one store of 8. The buffer keeps its content. `send_end_base` is the
// same as `send_base` for a packet with an end of transfer. A store to end_base + 4 * header sends a packet without
// bytes, with an end of transfer. A core that sends its next packet while the last one waits for the shaper waits too.
constexpr std::uint32_t push_base = 0x02000;
constexpr std::uint32_t push_bytes = 64;       // most bytes of such a packet
constexpr std::uint32_t push_offset = 0x02040; // offset in the tag's window, of all further packets of this core
constexpr std::uint32_t end_base = 0x02400;
constexpr std::uint32_t send_stride = 64;
constexpr std::uint32_t send_base = 0x04000;
constexpr std::uint32_t send_end_base = 0x06000;

// -- packet shapers ---------------------------------------------------------------------------------------------------

constexpr std::uint32_t shapers = 8;
constexpr std::uint32_t shapers_base = 0x03000;
constexpr std::uint32_t shaper_bytes = 16;  // of one shaper's registers
constexpr std::uint32_t shaper_rate = 0;    // flits in 1024 cycles, on average, headers included; 0: no limit
constexpr std::uint32_t shaper_burst = 4;   // flits that may be sent at once after a pause, at least those of a packet
constexpr std::uint32_t shaper_payload = 8; // most flits of a packet of a micro-core, without its header: 1 to 62
constexpr std::uint32_t shaper_sent = 12;   // packets sent, modulo 2^32; read only
constexpr std::uint32_t rate_cycles = 1024;
constexpr std::uint32_t payload_flits = 32; // shaper_payload at start: 34 flits a packet, as Hascoet et al. measured
constexpr std::uint32_t most_payload_flits = 62; // 248 bytes: the largest message of Hascoet et al. (table 2)

// -- Rx tags: where packets are written -------------------------------------------------------------------------------

constexpr std::uint32_t tags = 256;
constexpr std::uint32_t tags_base = 0x08000;
constexpr std::uint32_t tag_bytes = 32;  // of one tag's registers
constexpr std::uint32_t tag_address = 0; // of the window, in the node's memory
constexpr std::uint32_t tag_size = 4;    // bytes of the window; 0: nobody owns the tag
constexpr std::uint32_t tag_mode =
    8; // bits 0 and 1: a mode; bits 2 and 3: what is counted; 16 to 31: bytes of a slot, or 0
constexpr std::uint32_t tag_position = 12; // offset of the next packet, if its mode is not `offset`
constexpr std::uint32_t tag_transfers =
    16; // bits 0 to 15: ends of transfers, modulo 2^16; bit 16: the count has wrapped
constexpr std::uint32_t tag_remaining = 20; // 16 bits: ends of transfers until the tag's event; 0: no event
constexpr std::uint32_t tag_reload = 24;    // 16 bits: tag_remaining after the event
constexpr std::uint32_t tag_notify = 28;    // cores of the cluster that the event notifies, a bit for each
constexpr std::uint32_t tag_slot_shift = 16;
constexpr std::uint32_t transfers_wrapped = 0x10000;
// A load from take_base + 4 * tag returns tag_transfers and sets it to 0.
constexpr std::uint32_t take_base = 0x0a000;

constexpr std::uint32_t mode_offset = 0; // the packet says where it is written
constexpr std::uint32_t mode_append = 1; // packets are written one behind the other, or one a slot
constexpr std::uint32_t mode_ring = 2;   // the same, and behind the end of the window comes its begin
// A packet with the offset no_offset is written behind the last packet, and behind the end of the window comes its begin,
// also in the middle of a packet. Another packet is written at its own offset.
constexpr std::uint32_t mode_chosen = 3;
constexpr std::uint32_t no_offset = 0xffffffff;

// What a tag counts in tag_transfers. Each tag has a number of items besides (32 bits): items_base + 4 * tag.
constexpr std::uint32_t count_shift = 2;
constexpr std::uint32_t count_ends = 0;  // ends of transfers. The items are the bytes that have arrived
constexpr std::uint32_t count_bytes = 1; // each byte takes an item away. When none is left, this is counted
constexpr std::uint32_t count_down = 2;  // the same for each end of a transfer
constexpr std::uint32_t items_base = 0x0a400;
constexpr std::uint32_t items_reload_base = 0x0a800; // + 4 * tag: the items after the last one was taken away
constexpr std::uint32_t items_take_base = 0x0ac00;   // + 4 * tag: a load returns the items and sets them to 0

// -- micro-cores ------------------------------------------------------------------------------------------------------

// The programs of all micro-cores are in one store (mppa_dma/program.hpp has the instructions). Each core has parameters
// of its own, at the same addresses as every other core. A store to micro_start + 4 * k starts micro-core k: bits 0 to 6
// are the number of the first instruction, bits 8 to 14 the header. The parameters are copied. With k = any_micro_core
// the unit chooses an idle one. If the micro-core's jobs fill its queue, the storing core waits.
constexpr std::uint32_t micro_cores = 8;
constexpr std::uint32_t any_micro_core = 8;
constexpr std::uint32_t instructions = 128;
constexpr std::uint32_t program_base = 0x0b000; // 8 bytes each
constexpr std::uint32_t parameters = 16;
constexpr std::uint32_t parameters_base = 0x0b800;
constexpr std::uint32_t micro_start = 0x0b900;
constexpr std::uint32_t start_header_shift = 8;
constexpr std::uint32_t micro_jobs = 0x0b940;     // + 4 * k: jobs of micro-core k that have not ended; read only
constexpr std::uint32_t micro_finished = 0x0b980; // + 4 * k: jobs that have ended, modulo 2^32; read only

// -- the control network (cnoc/) --------------------------------------------------------------------------------------

constexpr std::uint32_t control_base = 0x10000;
constexpr std::uint32_t control_bytes = 0x10000;
constexpr std::uint32_t mailboxes = 128;
constexpr std::uint32_t mailboxes_base = control_base; // 128 ranges
constexpr std::uint32_t mailbox_bytes = 64;            // of one mailbox's registers
constexpr std::uint32_t control_send_base = 0x18000;   // senders of the control network

} // namespace skerry::sim::mppa
