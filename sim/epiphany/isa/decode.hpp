// SPDX-License-Identifier: BSD-3-Clause
// Decodes the bits of an instruction. The lowest four bits are the instruction's family, which also gives its length.
// An instruction is illegal if a bit that the assembler always sets to zero is one (as in binutils).
#pragma once
#include <cstdint>
#include <span>

#include "epiphany/isa/instruction.hpp"

namespace skerry::sim {

// Returns the length in bytes of the instruction with the first half word `first`. The length is 4 if the lowest 4 bits
// are 8, 9, b, c, d or f, and 2 if not (binutils cpu/epiphany.cpu, insn-opc).
constexpr unsigned length_of(std::uint16_t first) {
    return 0xbb00U >> (first & 15) & 1 ? 4 : 2;
}

// Decodes an instruction. The lower half of `bits` is its first half word. The upper half is ignored if the instruction
// has 2 bytes.
Instruction decode(std::uint32_t bits);

// The encoding of one operation. `mask` selects bits of an instruction. The instruction is of this operation if the
// selected bits are equal to the same bits of `value`. The bits outside `mask` contain the operands. For a short
// instruction only the lower halves of the two words are used.
struct Encoding {
    std::uint32_t value;
    std::uint32_t mask;
    Operation operation;
};

// Returns the table of encodings. If several encodings match an instruction, the first one is used.
std::span<const Encoding> encodings();

} // namespace skerry::sim
