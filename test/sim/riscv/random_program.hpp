// SPDX-License-Identifier: BSD-3-Clause
// Makes random RISC-V programs that end, and that run on Linux as well as on a simulated core. A program writes its
// registers to a log from time to time, then requests write(1, log) and exit(0).
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "riscv/instruction.hpp"

namespace skerry::sim {

// The instructions that a program is made of: those of one extension, and some of RV32I.
enum class Mix : std::uint8_t { base, multiply, atomic, compressed, single_float, double_float };

struct RandomProgram {
    std::vector<std::uint8_t> elf; // the file
    std::uint32_t log = 0;         // address of the log, and its length in bytes
    std::uint32_t log_bytes = 0;
    std::array<std::uint32_t, riscv::all_facts.size()> used{}; // by operation: how often the program has it
};

// The same arguments give the same program.
RandomProgram make_random_program(Mix mix, std::uint32_t seed, std::uint32_t instructions);

} // namespace skerry::sim
