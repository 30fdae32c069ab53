// SPDX-License-Identifier: BSD-3-Clause
// Decodes the bits of an instruction. A compressed instruction is first expanded to the 32 bits of the instruction that
// has the same effect.
#pragma once
#include <cstdint>

#include "riscv/instruction.hpp"

namespace skerry::sim::riscv {

// Returns the length in bytes, 2 or 4, of the instruction with these bits. The simulated cores have no instructions of
// more than 4 bytes. The bits of a longer encoding count as an illegal instruction of 4 bytes.
constexpr unsigned length_of(std::uint32_t bits) {
    return (bits & 3) == 3 ? 4 : 2;
}

// Decodes an instruction. The upper half of `bits` is ignored if the instruction has 2 bytes. All extensions are
// decoded. The core must refuse instructions of the extensions that it lacks.
Instruction decode(std::uint32_t bits);

// Returns the instruction of 32 bits with the same effect as a compressed instruction of RV32C (with F and D). Returns
// 0 if the bits are reserved.
std::uint32_t expand(std::uint16_t bits);

} // namespace skerry::sim::riscv
