// SPDX-License-Identifier: BSD-3-Clause
// Lists the constants that determine the speed of a DMA engine, in cycles, each with its source. Two of the sources are
// in docs/bibliography.md: Ross and Richie 2016 is a paper on OpenSHMEM for Epiphany. Coduin 2016 is an article of
// measurements on the Parallella board at 600 MHz. "Fitted" means: chosen so that the simulation gives the source's
// figure.
#pragma once
#include <cstdint>

namespace skerry::sim {

struct DmaTiming {
    // Cycles from the write to CONFIG to the first access. Fitted to Coduin 2016: a program needs "slightly less than
    // 500 cycles" for three steps. The program fills in a descriptor, starts the channel and waits until the channel is
    // idle again. The program's own instructions take 130 to 350 of these cycles. The number depends on how the library
    // was built.
    std::uint64_t start = 200;
    // Cycles from the fetch of a descriptor's last double word to the first element. The engine fetches one double word
    // of the descriptor in each cycle. Source: Adapteva's functional simulator (1 + 24 / 8 cycles for a descriptor of
    // 24 bytes).
    std::uint64_t descriptor = 1;
    // Cycles from the start of an element to the start of the next element. Both channels count together. Ross and
    // Richie 2016: an erratum limits the DMA to less than half of 8 bytes a clock, and the second channel adds little.
    // Fitted to Coduin 2016: 1000 MB/s from core to core, for a transfer of 2 KB including its start.
    std::uint64_t element_interval = 3;
    // Cycles between two read requests. Fitted to Coduin 2016: 300 MB/s from another core, for a transfer of 2 KB
    // including its start.
    std::uint64_t read_interval = 15;
    // Largest number of read requests, of both channels together, whose replies have not arrived yet. Fitted to Coduin
    // 2016: one core's DMA reads 80 MB/s from external memory, although a single read takes 540 cycles.
    std::uint32_t outstanding_reads = 9;
};

} // namespace skerry::sim
