// SPDX-License-Identifier: BSD-3-Clause
// Decodes instructions of 32 bits by the table in instruction.hpp. The instruction's format determines the positions
// of the operands.
#include "riscv/decode.hpp"

#include <array>
#include <cstddef>

namespace skerry::sim::riscv {
namespace {

// The indices of the operations, sorted by opcode (bits 2 to 6 of the instruction). Within an opcode they have the
// order of the table. `begin` has the start of each opcode in `order`. Therefore the decoder compares an instruction
// only with the few rows of its opcode.
struct Opcodes {
    std::array<std::uint8_t, all_facts.size()> order{};
    std::array<std::uint8_t, 33> begin{};
};
constexpr Opcodes opcodes = [] {
    static_assert(all_facts.size() < 256);
    Opcodes result;
    std::size_t filled = 0;
    for (std::size_t opcode = 0; opcode < 32; opcode++) {
        result.begin[opcode] = static_cast<std::uint8_t>(filled);
        for (std::size_t row = 1; row < all_facts.size(); row++) { // row 0 is the illegal instruction
            if ((all_facts[row].value >> 2 & 31) == opcode) result.order[filled++] = static_cast<std::uint8_t>(row);
        }
    }
    result.begin[32] = static_cast<std::uint8_t>(filled);
    return result;
}();

Operation operation_of(std::uint32_t bits) {
    const std::size_t opcode = bits >> 2 & 31;
    for (std::size_t k = opcodes.begin[opcode]; k < opcodes.begin[opcode + 1]; k++) {
        const Facts &row = all_facts[opcodes.order[k]];
        if ((bits & row.mask) == row.value) return static_cast<Operation>(opcodes.order[k]);
    }
    return Operation::illegal;
}

constexpr std::uint32_t field(std::uint32_t bits, unsigned lowest, unsigned width) {
    return bits >> lowest & ((1U << width) - 1);
}
// Returns bits `lowest` to 31 of `bits`, sign-extended.
constexpr std::int32_t upper_field(std::uint32_t bits, unsigned lowest) {
    return static_cast<std::int32_t>(bits) >> lowest;
}

constexpr std::int32_t branch_distance(std::uint32_t bits) {
    return static_cast<std::int32_t>((static_cast<std::uint32_t>(upper_field(bits, 31)) & ~0xfffU) |
                                     field(bits, 7, 1) << 11 | field(bits, 25, 6) << 5 | field(bits, 8, 4) << 1);
}
constexpr std::int32_t jump_distance(std::uint32_t bits) {
    return static_cast<std::int32_t>((static_cast<std::uint32_t>(upper_field(bits, 31)) & ~0xfffffU) |
                                     field(bits, 12, 8) << 12 | field(bits, 20, 1) << 11 | field(bits, 21, 10) << 1);
}
constexpr std::int32_t store_displacement(std::uint32_t bits) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(upper_field(bits, 25)) << 5 | field(bits, 7, 5));
}

std::int32_t immediate_of(Format format, std::uint32_t bits) {
    switch (format) {
    case Format::upper: return static_cast<std::int32_t>(bits & ~0xfffU);
    case Format::jump: return jump_distance(bits);
    case Format::branch: return branch_distance(bits);
    case Format::store:
    case Format::float_store: return store_displacement(bits);
    case Format::jump_register:
    case Format::load:
    case Format::float_load:
    case Format::immediate: return upper_field(bits, 20);
    case Format::shift: return static_cast<std::int32_t>(field(bits, 20, 5));
    // The immediate of a fence consists of two sets of accesses: those that must come before the fence, and those that
    // must come after it.
    case Format::fence: return static_cast<std::int32_t>(field(bits, 20, 8));
    case Format::csr:
    case Format::csr_immediate: return static_cast<std::int32_t>(field(bits, 20, 12));
    default: return 0;
    }
}

} // namespace

Instruction decode(std::uint32_t bits) {
    Instruction i;
    i.length = static_cast<std::uint8_t>(length_of(bits));
    if (i.length == 2) bits = expand(static_cast<std::uint16_t>(bits));
    if ((bits & 3) == 3) i.operation = operation_of(bits);
    const Format format = facts_of(i.operation).format;
    const Operands o = operands_of(format);
    if (o.rd || o.fd) i.rd = static_cast<std::uint8_t>(field(bits, 7, 5));
    if (o.rs1 || o.fs1 || format == Format::csr_immediate) i.rs1 = static_cast<std::uint8_t>(field(bits, 15, 5));
    if (o.rs2 || o.fs2) i.rs2 = static_cast<std::uint8_t>(field(bits, 20, 5));
    if (o.fs3) i.rs3 = static_cast<std::uint8_t>(field(bits, 27, 5));
    if (o.rounds) i.rounding = static_cast<std::uint8_t>(field(bits, 12, 3));
    if (format == Format::atomic || format == Format::load_reserved) {
        i.rounding = static_cast<std::uint8_t>(field(bits, 25, 2));
    }
    i.immediate = immediate_of(format, bits);
    return i;
}

} // namespace skerry::sim::riscv
