// SPDX-License-Identifier: BSD-3-Clause
// What a DMA engine's speed depends on, in cycles, each with its source. "S0" is ARL's paper on OpenSHMEM for Epiphany,
// "S2" the measurements of the Parallella at 600 MHz, "GPL" Adapteva's functional simulator.
#pragma once
#include <cstdint>

namespace skerry::sim {

struct DmaTiming {
    // From the write to CONFIG to the first access. Fitted on S2: "slightly less than 500 cycles" to fill a descriptor,
    // start and see the channel idle, of which code like its takes 130 to 350, depending on how the library was built.
    std::uint64_t start = 200;
    // Behind the last double word of a descriptor (they are fetched one a cycle) to the first element. GPL: 1 + 24 / 8
    // cycles for a descriptor of 24 bytes.
    std::uint64_t descriptor = 1;
    // From the beginning of an element to that of the next, of either channel. S0: by an erratum less than half of 8
    // bytes a clock, and the second channel gains little. Fitted on S2: 1000 MB/s from core to core, for 2 KB with the
    // start in it.
    std::uint64_t element_interval = 3;
    // The same between two read requests. Fitted on S2: 300 MB/s from another core, for 2 KB with the start in it.
    std::uint64_t read_interval = 15;
    // Read requests without an answer yet, of both channels. Fitted on S2: one core's DMA reads 80 MB/s from external
    // memory, where a single read takes 540 cycles.
    std::uint32_t outstanding_reads = 9;
};

} // namespace skerry::sim
