// SPDX-License-Identifier: BSD-3-Clause
// Describes the job to its program, as a loader must. The description is ten words at the symbol `skerry_job` of each
// core, if the image has that symbol. The program's arguments and environment are in external memory. The words, in
// order: number of PEs, number of columns, number of the first core, address of a table of core numbers (half words) or
// 0, cycles a second, argc, argv, environ, start and end of the external memory that is free.
// src/machine/epiphany/layout.h defines the same words for the program.
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
    std::uint32_t external_begin = 0;     // start of the window of external memory that the image uses
    std::uint32_t external_end = 0;       // its end; equal to external_begin: no external memory, and so no arguments
};

// Writes bytes to an address of the job's core with index `core`. Returns false if no memory is there.
using JobWriter = std::function<bool(std::uint32_t core, std::uint32_t address, std::span<const std::uint8_t>)>;

// Writes the description to the memory of each core. Returns an empty string, or the error. Does nothing if the image
// has no symbol `skerry_job`.
std::string describe_job(const ElfImage &image, const Job &job, const JobWriter &write);

} // namespace skerry::sim
