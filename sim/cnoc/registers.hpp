// SPDX-License-Identifier: BSD-3-Clause
// Defines the registers of a node's part of the control network: mailboxes, which receive words of 64 bits, and senders.
// mppa_dma/registers.hpp says where they are in the node's registers. Software mirrors these constants. A register of 8
// bytes can be accessed as two of 4 bytes, lower half first.
#pragma once
#include <cstdint>

namespace skerry::sim::cnoc {

constexpr std::uint32_t mailboxes = 128;
constexpr std::uint32_t mailbox_bytes = 64;  // of one mailbox's registers
constexpr std::uint32_t mailbox_value = 0;   // 8 bytes: the last word, or the bits that have come
constexpr std::uint32_t mailbox_mask = 8;    // 8 bytes, of a barrier: the bits for which it waits
constexpr std::uint32_t mailbox_mode = 16;   // one of the modes below
constexpr std::uint32_t mailbox_notify = 20; // cores of the cluster that an event notifies, a bit for each
constexpr std::uint32_t mailbox_count = 24;  // events
constexpr std::uint32_t mailbox_take = 28;   // a load returns mailbox_count and sets it to 0

constexpr std::uint32_t mode_closed = 0; // nobody owns the mailbox: a word that comes is a mistake of its sender
// A word that comes becomes the value, and is an event. It replaces the word before it, even if nobody has read that one.
constexpr std::uint32_t mode_word = 1;
// The bits of a word that comes are set in the value. When all bits of the mask are set, they are cleared, and that is an
// event. So bits of the next round may come before all bits of this one have, if they are other bits.
constexpr std::uint32_t mode_barrier = 2;

// This mailbox is a barrier without a mask from the start of the run: it collects bits. By it the clusters find out that
// all of them have opened the mailboxes and tags that they use.
constexpr std::uint32_t start_mailbox = 127;

// A sender keeps a route and a mailbox, so that a word takes one or two stores. Each core has its own lower half for each
// sender, so that cores need no lock. Hascoet et al. (2017) have 4 senders that the cores of a node share.
constexpr std::uint32_t senders = 32;
constexpr std::uint32_t sender_bytes = 32; // of one sender's registers
constexpr std::uint32_t sender_route = 0;  // as dnoc/packet.hpp defines it
constexpr std::uint32_t sender_target = 4; // bits 0 to 6: the mailbox; bit 31: the sender is in use
constexpr std::uint32_t sender_low = 8;    // a store of 4 bytes keeps the lower half; one of 8 bytes sends
constexpr std::uint32_t sender_high = 12;  // a store sends the word of this upper half and the core's lower half
constexpr std::uint32_t sender_word = 16;  // a store sends the word of this lower half and the upper half 0
constexpr std::uint32_t sender_valid = 0x80000000;

} // namespace skerry::sim::cnoc
