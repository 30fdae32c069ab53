// SPDX-License-Identifier: BSD-3-Clause
// Formats an instruction as text, as objdump does with the option -M no-aliases. Leaves out the symbol that objdump
// adds to an address. A compressed instruction is shown as the instruction of 32 bits with the same effect.
#pragma once
#include <cstdint>
#include <string>

#include "riscv/instruction.hpp"

namespace skerry::sim::riscv {

std::string disassemble(const Instruction &instruction, std::uint32_t pc);

// These functions return the names that registers have in the calling convention, such as a0.
std::string_view integer_name(unsigned number);
std::string_view float_name(unsigned number);

} // namespace skerry::sim::riscv
