// SPDX-License-Identifier: BSD-3-Clause
// Writes the description of a job. A program gets the number of its PEs, its arguments and its environment from this
// description. The description has ten words. The description is in the memory of each core, at the symbol `skerry_job`
// if the image (the program file) has this symbol. The arguments and the environment are in external memory.
//
// The ten words are, in this order:
// * the number of PEs;
// * the number of columns;
// * the number of the first core;
// * the address of a table of core numbers (half words), or 0;
// * the cycles of the clock in a second;
// * argc, argv, environ;
// * the start and the end of the free external memory.
//
// src/machine/chip/layout.h defines the same ten words for the program.
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
    std::uint32_t external_begin = 0;     // begin of the range of external memory that the image uses
    // End of the range that begins at external_begin. If the machine has no external memory, external_end is equal to
    // external_begin, and the job has no arguments.
    std::uint32_t external_end = 0;
};

// Writes bytes at an address that the core of PE number `core` uses. Returns false if no memory has this address.
using JobWriter = std::function<bool(std::uint32_t core, std::uint32_t address, std::span<const std::uint8_t>)>;

// Writes the description to the memory of each core. Returns an empty string, or the text of the error. Does nothing if
// the image has no symbol `skerry_job`.
std::string describe_job(const ElfImage &image, const Job &job, const JobWriter &write);

} // namespace skerry::sim
