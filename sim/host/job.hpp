// SPDX-License-Identifier: BSD-3-Clause
// What a loader tells a program of the job it is part of: a description of ten words at the symbol `skerry_job` of each core, if
// the image has it, with the program's arguments and environment beside it in external memory. The words, in order: PEs,
// columns, the first core's number, address of a table of core numbers (half words) or 0, cycles a second, argc, argv,
// environ, begin and end of the external memory that is left. src/machine/epiphany/layout.h is the other side.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "host/elf_image.hpp"

namespace skerry::sim {

struct Job {
    std::vector<std::uint32_t> cores; // the number of each PE's core, row << 6 | column
    std::uint32_t cycles_per_second = 0;
    std::vector<std::string> arguments;
    std::vector<std::string> environment; // NAME=VALUE
    std::uint32_t external_begin = 0;     // of the window that holds the image's external part
    std::uint32_t external_end = 0;       // equal: there is none, and the program gets no arguments
};

// Writes bytes to an address as core number `core` sees it; false: nothing is there.
using JobWriter = std::function<bool(std::uint32_t core, std::uint32_t address, std::span<const std::uint8_t>)>;

// Empty, or why it cannot be told. An image without the symbol is told nothing.
std::string describe_job(const ElfImage &image, const Job &job, const JobWriter &write);

} // namespace skerry::sim
