// SPDX-License-Identifier: BSD-3-Clause
// An instruction as objdump prints it, without the symbol that objdump adds to a branch's target.
#pragma once
#include <cstdint>
#include <string>

#include "isa/instruction.hpp"

namespace skerry::sim {

std::string disassemble(const Instruction &instruction, std::uint32_t pc);

} // namespace skerry::sim
