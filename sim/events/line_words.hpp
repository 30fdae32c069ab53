// SPDX-License-Identifier: BSD-3-Clause
// Defines the indices of the words in a line of an event unit, for each kind of line (docs/design/events.md).
#pragma once
#include <cstdint>

namespace skerry::sim::events {

// Indices of the words in a line of the kind `command`. A line has 8 words of 4 bytes.
constexpr std::uint32_t command_address = 0;
constexpr std::uint32_t command_return = 1; // of a copy: the source's address
constexpr std::uint32_t command_go = 2;     // a store starts a message: bits 0 to 7 its bytes, bits 8 and 9 its kind
constexpr std::uint32_t command_outstanding = 3; // messages of this line that were not taken yet, and copies under way
constexpr std::uint32_t command_counter = 4;     // of a copy: the address of a counter, or 0

// The value of bits 8 and 9 of command_go that starts a copy. Its number of bytes begins at bit copy_bytes_shift.
constexpr std::uint32_t copy_kind = 3;
constexpr unsigned copy_bytes_shift = 10;

// Indices of the words in a line of the kind `counter`. A line has 8 words of 4 bytes.
constexpr std::uint32_t counter_value = 0;
constexpr std::uint32_t counter_next = 1;   // value that the counter gets when it has become zero
constexpr std::uint32_t counter_word = 2;   // word that the counter sends when it has become zero
constexpr std::uint32_t counter_notify = 3; // first of four addresses to which it sends this word; 0: no address
constexpr std::uint32_t counter_set = 7;    // a store sets the value, and does not add

// Indices of the words in the line of a queue. Only the unit changes these words. A store of the core to queue_count
// does not write this word: it removes the first item.
constexpr std::uint32_t queue_count = 0;
constexpr std::uint32_t queue_first = 1;   // offset of the first item's line, as in events::lines_base
constexpr std::uint32_t queue_waiting = 2; // requests that wait for an item
constexpr std::uint32_t queue_capacity = 3;
constexpr std::uint32_t queue_position = 4; // number of the item line that has the first item or request

} // namespace skerry::sim::events
