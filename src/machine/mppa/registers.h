// SPDX-License-Identifier: BSD-3-Clause
// Defines the registers of a node of the MPPA that this machine uses: of its DMA unit, which sends and receives packets of
// the data network, and of its mailboxes. Only the cores of a cluster have access to the registers of their node. The
// values are those of sim/mppa_dma/registers.hpp and program.hpp; test/mppa_machine/registers.py compares them.
#ifndef SKERRY_MACHINE_MPPA_REGISTERS_H
#define SKERRY_MACHINE_MPPA_REGISTERS_H

#define SKERRY_MPPA_REGISTERS 0x60000000u
#define SKERRY_MPPA_REGISTERS_BYTES 0x40000u // of a unit; those of the next unit of an I/O node follow
#define SKERRY_MPPA_NODE_NUMBER 0x00000u

// Headers: the route, Rx tag and shaper of a packet, kept in the unit.
#define SKERRY_MPPA_HEADERS_BASE 0x01000u
#define SKERRY_MPPA_HEADER_BYTES 8u
#define SKERRY_MPPA_HEADER_ROUTE 0u
#define SKERRY_MPPA_HEADER_TARGET 4u
#define SKERRY_MPPA_HEADER_SHAPER_SHIFT 8u
#define SKERRY_MPPA_HEADER_VALID 0x80000000u

// Packets that a core builds in its own buffer. A store to SEND_BASE sends the buffer's bytes.
#define SKERRY_MPPA_PUSH_BASE 0x02000u
#define SKERRY_MPPA_PUSH_BYTES 64u
#define SKERRY_MPPA_PUSH_OFFSET 0x02040u
#define SKERRY_MPPA_END_BASE 0x02400u
#define SKERRY_MPPA_SEND_STRIDE 64u
#define SKERRY_MPPA_SEND_BASE 0x04000u
#define SKERRY_MPPA_SEND_END_BASE 0x06000u

#define SKERRY_MPPA_NO_OFFSET 0xffffffffu

// Packet shapers: the rate of packets, in flits in 1024 cycles.
#define SKERRY_MPPA_SHAPERS_BASE 0x03000u
#define SKERRY_MPPA_SHAPER_BYTES 16u
#define SKERRY_MPPA_SHAPER_RATE 0u
#define SKERRY_MPPA_SHAPER_BURST 4u
#define SKERRY_MPPA_SHAPER_PAYLOAD 8u
#define SKERRY_MPPA_RATE_CYCLES 1024u

// Rx tags: where packets are written.
#define SKERRY_MPPA_TAGS_BASE 0x08000u
#define SKERRY_MPPA_TAG_BYTES 32u
#define SKERRY_MPPA_TAG_ADDRESS 0u
#define SKERRY_MPPA_TAG_SIZE 4u
#define SKERRY_MPPA_TAG_MODE 8u
#define SKERRY_MPPA_TAG_POSITION 12u
#define SKERRY_MPPA_TAG_TRANSFERS 16u
#define SKERRY_MPPA_TAG_REMAINING 20u
#define SKERRY_MPPA_TAG_RELOAD 24u
#define SKERRY_MPPA_TAG_NOTIFY 28u
#define SKERRY_MPPA_TAG_SLOT_SHIFT 16u
#define SKERRY_MPPA_MODE_OFFSET 0u
#define SKERRY_MPPA_MODE_RING 2u
#define SKERRY_MPPA_MODE_CHOSEN 3u
#define SKERRY_MPPA_TAKE_BASE 0x0a000u
#define SKERRY_MPPA_COUNT_SHIFT 2u
#define SKERRY_MPPA_COUNT_ENDS 0u
#define SKERRY_MPPA_COUNT_BYTES 1u
#define SKERRY_MPPA_COUNT_DOWN 2u
#define SKERRY_MPPA_ITEMS_BASE 0x0a400u
#define SKERRY_MPPA_ITEMS_RELOAD_BASE 0x0a800u
#define SKERRY_MPPA_ITEMS_TAKE_BASE 0x0ac00u

// Micro-cores.
#define SKERRY_MPPA_PROGRAM_BASE 0x0b000u
#define SKERRY_MPPA_PARAMETERS_BASE 0x0b800u
#define SKERRY_MPPA_MICRO_START 0x0b900u
#define SKERRY_MPPA_START_HEADER_SHIFT 8u
#define SKERRY_MPPA_ANY_MICRO_CORE 8u

// The control network: mailboxes for words of 64 bits, and senders. The mailbox START collects bits from the start on.
#define SKERRY_MPPA_MAILBOXES_BASE 0x10000u
#define SKERRY_MPPA_MAILBOX_BYTES 64u
#define SKERRY_MPPA_MAILBOX_VALUE 0u
#define SKERRY_MPPA_MAILBOX_MASK 8u
#define SKERRY_MPPA_MAILBOX_MODE 16u
#define SKERRY_MPPA_MAILBOX_NOTIFY 20u
#define SKERRY_MPPA_MAILBOX_COUNT 24u
#define SKERRY_MPPA_MAILBOX_TAKE 28u
#define SKERRY_MPPA_MODE_CLOSED 0u
#define SKERRY_MPPA_MODE_WORD 1u
#define SKERRY_MPPA_MODE_BARRIER 2u
#define SKERRY_MPPA_MAILBOX_START 127u
#define SKERRY_MPPA_CONTROL_SEND_BASE 0x18000u
#define SKERRY_MPPA_SENDER_BYTES 32u
#define SKERRY_MPPA_SENDER_ROUTE 0u
#define SKERRY_MPPA_SENDER_TARGET 4u
#define SKERRY_MPPA_SENDER_LOW 8u
#define SKERRY_MPPA_SENDER_HIGH 12u
#define SKERRY_MPPA_SENDER_VALID 0x80000000u

#endif
