// SPDX-License-Identifier: BSD-3-Clause
// Lists the constants of a DMA engine's speed, in cycles, each with its source. Ross and Richie (2016) and Coduin are
// in docs/bibliography.md: ARL's paper on OpenSHMEM for Epiphany, and measurements of the Parallella at 600 MHz. "GPL"
// is Adapteva's functional simulator.
#pragma once
#include <cstdint>

namespace skerry::sim {

struct DmaTiming {
    // Cycles from the write to CONFIG to the first access. Fitted on Coduin: "slightly less than 500 cycles" to fill a
    // descriptor, start the channel and see it idle. The code for that takes 130 to 350 of these cycles, depending on
    // how the library was built.
    std::uint64_t start = 200;
    // Cycles from the last double word of a descriptor to the first element. The engine fetches one double word of the
    // descriptor in each cycle. GPL: 1 + 24 / 8 cycles for a descriptor of 24 bytes.
    std::uint64_t descriptor = 1;
    // Cycles from the start of an element to the start of the next element, of either channel. Ross and Richie (2016):
    // an erratum limits the DMA to less than half of 8 bytes a clock, and the second channel adds little. Fitted on
    // Coduin: 1000 MB/s from core to core, for 2 KB including the start.
    std::uint64_t element_interval = 3;
    // Cycles between two read requests. Fitted on Coduin: 300 MB/s from another core, for 2 KB including the start.
    std::uint64_t read_interval = 15;
    // Largest number of read requests without a reply, of both channels together. Fitted on Coduin: one core's DMA
    // reads 80 MB/s from external memory, although a single read takes 540 cycles.
    std::uint32_t outstanding_reads = 9;
};

} // namespace skerry::sim
