// SPDX-License-Identifier: BSD-3-Clause
// Defines the parameters of event units (counters, queues and command buffers in a core's network interface) that a
// machine description can set. Also defines the offsets of their lines in a core's range of 1 MB of addresses. The
// default times come from Tendulkar et al. (2011) if no comment says otherwise.
#pragma once
#include <cstdint>

namespace skerry::sim {

struct EventConfiguration {
    std::uint32_t lines = 0; // lines of 32 bytes that each core has; 0: the machine has no counters and queues
    // Times, in cycles, from the store that starts a command until the command's message enters the network. `enqueue`
    // is for a message to a queue, and `initiate` for any other message. During this time the unit starts no other
    // command.
    unsigned initiate = 10;
    unsigned enqueue = 20;
    // Cycles that a sender waits after the answer "the queue is full", before it sends the message again. No source
    // gives this time.
    unsigned retry = 64;
    // Numbers of slots (buffers) for messages that wait or are under way. `commands` slots are for messages of the
    // core's commands. `responses` slots are for messages that the unit itself sends: notifications, and answers to
    // dequeues. No source gives these numbers.
    unsigned commands = 8;
    unsigned responses = 8;
};

namespace events {

constexpr std::uint32_t line_bytes = 32;
constexpr std::uint32_t line_words = line_bytes / 4;
constexpr std::uint32_t most_lines = 1024;
constexpr unsigned most_messages = 64; // the largest value of `commands` and of `responses`

// Offsets in a core's range of 1 MB. Line n is at lines_base + n * line_bytes. The word with the tag of line n is at
// tags_base + n * 4.
constexpr std::uint32_t lines_base = 0xe0000;
constexpr std::uint32_t tags_base = lines_base + most_lines * line_bytes;
constexpr std::uint32_t tags_end = tags_base + most_lines * 4;

} // namespace events

} // namespace skerry::sim
