// SPDX-License-Identifier: BSD-3-Clause
// Defines the mistakes of programs that a DMA unit finds, each of which ends the run with one line.
#pragma once
#include <cstdint>
#include <string>

namespace skerry::sim {

struct MppaFault {
    enum class Kind : std::uint8_t {
        none,
        no_register,   // address, bytes, index: 1 if it was a store
        header_unused, // index: the header
        no_route,      // index: the header, route
        burst_small,   // index: the shaper, value: its burst, bytes: flits of the packet
        payload,       // index: the shaper, value
        rate,          // index: the shaper, value
        tag_unowned,   // index: the tag, from
        window, // index: the tag, from, address: offset of the packet, bytes: its payload, value: size of the window
        window_memory, // index: the tag, address, bytes: the window
        slot,          // index: the tag, from, bytes: the payload, value: bytes of a slot
        mode,          // index: the tag, value
        read_nowhere,  // job, address, bytes
        bad_load,      // job, address
        bad_program,   // job
        past_end,      // job
        endless,       // job
        parameter,     // job, value: the number, bytes: the first number that is too large
        start,         // value: what was stored
        no_packet,     // job
    };
    Kind kind = Kind::none;
    std::uint32_t node = 0; // in which the unit is
    std::uint32_t from = 0; // the node that sent the packet
    std::uint32_t index = 0;
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    std::uint32_t value = 0;
    std::uint32_t micro_core = 0;  // of a job
    std::uint32_t instruction = 0; // of a job
};

// Returns the fault as one line, without a newline.
std::string text_of(const MppaFault &fault);

} // namespace skerry::sim
