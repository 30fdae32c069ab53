// SPDX-License-Identifier: BSD-3-Clause
// Defines the parameters of counters, queues and command buffers that a machine description can set, and where they are
// in a core's megabyte. The defaults of the times are those of Tendulkar et al. (2011).
#pragma once
#include <cstdint>

namespace skerry::sim {

struct EventConfiguration {
    std::uint32_t lines = 0; // lines of 32 bytes that each core has; 0: the machine has no counters and queues
    // Time, in cycles, from the store that starts a command until its message enters the network. The second one is that
    // of a message to a queue. Until then the unit starts no other command.
    unsigned initiate = 10;
    unsigned enqueue = 20;
    // Time, in cycles, from the answer that a queue is full until the message is sent again. No source gives it.
    unsigned retry = 64;
    // The largest numbers of messages of the core's commands, and of messages that the unit itself sends (notifications,
    // answers to dequeues), that wait or are under way. No source gives them.
    unsigned commands = 8;
    unsigned responses = 8;
};

namespace events {

constexpr std::uint32_t line_bytes = 32;
constexpr std::uint32_t line_words = line_bytes / 4;
constexpr std::uint32_t most_lines = 1024;
constexpr unsigned most_messages = 64; // the largest value of `commands` and of `responses`

// Offsets in a core's megabyte. Line n is at lines_base + n * line_bytes, and the word with its tag at tags_base + n * 4.
constexpr std::uint32_t lines_base = 0xe0000;
constexpr std::uint32_t tags_base = lines_base + most_lines * line_bytes;
constexpr std::uint32_t tags_end = tags_base + most_lines * 4;

} // namespace events

} // namespace skerry::sim
