// SPDX-License-Identifier: BSD-3-Clause
// Defines a message of up to 32 bytes between event units. A message stays in a slot (buffer) of the unit that sends
// it, until the receiver has answered that it took the message. The network carries only the number of this slot
// (chip/event_units.hpp).
#pragma once
#include <array>
#include <cstdint>

#include "events/configuration.hpp"

namespace skerry::sim {

struct Message {
    enum class Kind : std::uint8_t {
        write,   // to memory, to plain lines, or to a counter, which adds the first word
        enqueue, // to a queue, as one item
        dequeue, // to a queue with several readers, whose next item is sent to return_address
    };

    std::uint32_t address = 0;        // global
    std::uint32_t return_address = 0; // global; of a dequeue
    std::array<std::uint32_t, events::line_words> words{};
    std::uint8_t bytes = 4; // 4 to 32, a multiple of 4; of a dequeue: 4, without meaning
    Kind kind = Kind::write;
    bool operator==(const Message &) const = default;
};

// The receiver's answer to a message that has arrived.
enum class Delivery : std::uint8_t {
    taken,
    refused, // the queue is full, or the receiver has no place for its own message: the sender sends it again
    wrong,   // nothing at the address accepts such a message
};

} // namespace skerry::sim
