// SPDX-License-Identifier: BSD-3-Clause
// Formats an instruction as objdump does, but without the symbol that objdump adds to the target of a branch.
#pragma once
#include <cstdint>
#include <string>

#include "epiphany/isa/instruction.hpp"

namespace skerry::sim {

std::string disassemble(const Instruction &instruction, std::uint32_t pc);

} // namespace skerry::sim
