// SPDX-License-Identifier: BSD-3-Clause
// From the bits of an instruction to what it is. The lowest four bits tell the family and with it the length; every
// other bit that the assembler always sets to zero must be zero, as in binutils, or the instruction is illegal.
#pragma once
#include <cstdint>

#include "isa/instruction.hpp"

namespace skerry::sim {

// 2 or 4 bytes: families 8, 9, b, c, d and f are the long ones (binutils cpu/epiphany.cpu, insn-opc).
constexpr unsigned length_of(std::uint16_t first) {
    return 0xbb00U >> (first & 15) & 1 ? 4 : 2;
}

// `bits` has the first half word below; the upper half is ignored where the instruction is short.
Instruction decode(std::uint32_t bits);

} // namespace skerry::sim
