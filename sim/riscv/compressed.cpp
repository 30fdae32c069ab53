// SPDX-License-Identifier: BSD-3-Clause
// Converts a compressed instruction of 16 bits into the instruction of 32 bits with the same effect. Source: The
// RISC-V Instruction Set Manual, volume I (20191213), chapter "C".
#include "riscv/decode.hpp"

namespace skerry::sim::riscv {
namespace {

constexpr std::uint32_t reserved = 0;
constexpr std::uint32_t funct3_double = 3; // value of the field funct3 in FLD and FSD; the value for words is 2

// Opcodes of the expanded instructions.
enum Opcode : std::uint32_t {
    load = 0x03,
    float_load = 0x07,
    immediate = 0x13,
    store = 0x23,
    float_store = 0x27,
    registers = 0x33,
    lui = 0x37,
    branch = 0x63,
    jalr = 0x67,
    jal = 0x6f,
    system = 0x73,
};

// Returns the `width` bits of `c` from bit `from`, moved to bit `to`.
constexpr std::uint32_t part(std::uint32_t c, unsigned from, unsigned width, unsigned to) {
    return (c >> from & ((1U << width) - 1)) << to;
}
constexpr std::uint32_t sign_extend(std::uint32_t value, unsigned bits) {
    const std::uint32_t sign = 1U << (bits - 1);
    return (value ^ sign) - sign;
}

// full() returns the register number that has five bits from bit `at` on: rd is at bit 7, and rs2 at bit 2. small()
// returns the register number that has three bits from bit `at` on, and can only mean x8 to x15.
constexpr std::uint32_t full(std::uint32_t c, unsigned at) {
    return c >> at & 31;
}
constexpr std::uint32_t small(std::uint32_t c, unsigned at) {
    return 8 + (c >> at & 7);
}

constexpr std::uint32_t i_type(Opcode opcode, std::uint32_t funct3, std::uint32_t rd, std::uint32_t rs1,
                               std::uint32_t value) {
    return opcode | rd << 7 | funct3 << 12 | rs1 << 15 | value << 20;
}
constexpr std::uint32_t s_type(Opcode opcode, std::uint32_t funct3, std::uint32_t rs1, std::uint32_t rs2,
                               std::uint32_t value) {
    return opcode | part(value, 0, 5, 7) | funct3 << 12 | rs1 << 15 | rs2 << 20 | part(value, 5, 7, 25);
}
constexpr std::uint32_t r_type(std::uint32_t funct3, std::uint32_t funct7, std::uint32_t rd, std::uint32_t rs1,
                               std::uint32_t rs2) {
    return registers | rd << 7 | funct3 << 12 | rs1 << 15 | rs2 << 20 | funct7 << 25;
}

// Each of these six functions returns the displacement, in bytes, of one kind of load or store. The kinds differ in two
// ways:
// * the size of the access: a word or a double word;
// * the base: any register, the stack pointer in a load (from_stack), or the stack pointer in a store (to_stack).
constexpr std::uint32_t word_displacement(std::uint32_t c) {
    return part(c, 10, 3, 3) | part(c, 6, 1, 2) | part(c, 5, 1, 6);
}
constexpr std::uint32_t double_displacement(std::uint32_t c) {
    return part(c, 10, 3, 3) | part(c, 5, 2, 6);
}
constexpr std::uint32_t word_from_stack(std::uint32_t c) {
    return part(c, 12, 1, 5) | part(c, 4, 3, 2) | part(c, 2, 2, 6);
}
constexpr std::uint32_t double_from_stack(std::uint32_t c) {
    return part(c, 12, 1, 5) | part(c, 5, 2, 3) | part(c, 2, 3, 6);
}
constexpr std::uint32_t word_to_stack(std::uint32_t c) {
    return part(c, 9, 4, 2) | part(c, 7, 2, 6);
}
constexpr std::uint32_t double_to_stack(std::uint32_t c) {
    return part(c, 10, 3, 3) | part(c, 7, 3, 6);
}

// Returns the immediate of six bits, whose sign is in bit 12 of the instruction.
constexpr std::uint32_t six_bits(std::uint32_t c) {
    return sign_extend(part(c, 12, 1, 5) | part(c, 2, 5, 0), 6);
}

std::uint32_t quadrant_0(std::uint32_t c) {
    const std::uint32_t rd = small(c, 2);
    const std::uint32_t rs1 = small(c, 7);
    switch (c >> 13) {
    case 0: { // c.addi4spn
        const std::uint32_t value = part(c, 11, 2, 4) | part(c, 7, 4, 6) | part(c, 6, 1, 2) | part(c, 5, 1, 3);
        return value == 0 ? reserved : i_type(immediate, 0, rd, stack_register, value);
    }
    case 1: return i_type(float_load, funct3_double, rd, rs1, double_displacement(c));
    case 2: return i_type(load, 2, rd, rs1, word_displacement(c));
    case 3: return i_type(float_load, 2, rd, rs1, word_displacement(c));
    case 5: return s_type(float_store, funct3_double, rs1, rd, double_displacement(c));
    case 6: return s_type(store, 2, rs1, rd, word_displacement(c));
    case 7: return s_type(float_store, 2, rs1, rd, word_displacement(c));
    default: return reserved;
    }
}

std::uint32_t jump(std::uint32_t c, std::uint32_t rd) { // c.j and c.jal
    const std::uint32_t to = sign_extend(part(c, 12, 1, 11) | part(c, 11, 1, 4) | part(c, 9, 2, 8) | part(c, 8, 1, 10) |
                                             part(c, 7, 1, 6) | part(c, 6, 1, 7) | part(c, 3, 3, 1) | part(c, 2, 1, 5),
                                         12);
    return jal | rd << 7 | part(to, 12, 8, 12) | part(to, 11, 1, 20) | part(to, 1, 10, 21) | part(to, 20, 1, 31);
}

std::uint32_t branch_to_zero(std::uint32_t c, std::uint32_t funct3) { // c.beqz and c.bnez
    const std::uint32_t to =
        sign_extend(part(c, 12, 1, 8) | part(c, 10, 2, 3) | part(c, 5, 2, 6) | part(c, 3, 2, 1) | part(c, 2, 1, 5), 9);
    return branch | part(to, 11, 1, 7) | part(to, 1, 4, 8) | funct3 << 12 | small(c, 7) << 15 | part(to, 5, 6, 25) |
           part(to, 12, 1, 31);
}

std::uint32_t upper_immediate(std::uint32_t c) { // c.lui and c.addi16sp
    if (full(c, 7) == stack_register) {
        const std::uint32_t value = sign_extend(
            part(c, 12, 1, 9) | part(c, 6, 1, 4) | part(c, 5, 1, 6) | part(c, 3, 2, 7) | part(c, 2, 1, 5), 10);
        return value == 0 ? reserved : i_type(immediate, 0, stack_register, stack_register, value);
    }
    return six_bits(c) == 0 ? reserved : lui | full(c, 7) << 7 | six_bits(c) << 12;
}

std::uint32_t arithmetic(std::uint32_t c) {
    const std::uint32_t rd = small(c, 7);
    const bool wide = (c >> 12 & 1) != 0; // a shift by more than 31, or an operation of RV64
    switch (c >> 10 & 3) {
    case 0: return wide ? reserved : i_type(immediate, 5, rd, rd, full(c, 2));
    case 1: return wide ? reserved : i_type(immediate, 5, rd, rd, full(c, 2) | 0x400);
    case 2: return i_type(immediate, 7, rd, rd, six_bits(c));
    default: break;
    }
    if (wide) return reserved;
    switch (c >> 5 & 3) {
    case 0: return r_type(0, 0x20, rd, rd, small(c, 2)); // c.sub
    case 1: return r_type(4, 0, rd, rd, small(c, 2));    // c.xor
    case 2: return r_type(6, 0, rd, rd, small(c, 2));    // c.or
    default: return r_type(7, 0, rd, rd, small(c, 2));   // c.and
    }
}

std::uint32_t quadrant_1(std::uint32_t c) {
    const std::uint32_t rd = full(c, 7);
    switch (c >> 13) {
    case 0: return i_type(immediate, 0, rd, rd, six_bits(c)); // c.addi
    case 1: return jump(c, return_register);
    case 2: return i_type(immediate, 0, rd, 0, six_bits(c)); // c.li
    case 3: return upper_immediate(c);
    case 4: return arithmetic(c);
    case 5: return jump(c, 0);
    case 6: return branch_to_zero(c, 0);
    default: return branch_to_zero(c, 1);
    }
}

std::uint32_t jump_or_move(std::uint32_t c) {
    const std::uint32_t rd = full(c, 7);
    const std::uint32_t rs2 = full(c, 2);
    if ((c >> 12 & 1) == 0) {
        if (rs2 != 0) return r_type(0, 0, rd, 0, rs2);         // c.mv
        return rd == 0 ? reserved : i_type(jalr, 0, 0, rd, 0); // c.jr
    }
    if (rs2 != 0) return r_type(0, 0, rd, rd, rs2); // c.add
    if (rd == 0) return i_type(system, 0, 0, 0, 1); // c.ebreak
    return i_type(jalr, 0, return_register, rd, 0); // c.jalr
}

std::uint32_t quadrant_2(std::uint32_t c) {
    const std::uint32_t rd = full(c, 7);
    switch (c >> 13) {
    case 0: return (c >> 12 & 1) != 0 ? reserved : i_type(immediate, 1, rd, rd, full(c, 2)); // c.slli
    case 1: return i_type(float_load, funct3_double, rd, stack_register, double_from_stack(c));
    case 2: return rd == 0 ? reserved : i_type(load, 2, rd, stack_register, word_from_stack(c));
    case 3: return i_type(float_load, 2, rd, stack_register, word_from_stack(c));
    case 4: return jump_or_move(c);
    case 5: return s_type(float_store, funct3_double, stack_register, full(c, 2), double_to_stack(c));
    case 6: return s_type(store, 2, stack_register, full(c, 2), word_to_stack(c));
    default: return s_type(float_store, 2, stack_register, full(c, 2), word_to_stack(c));
    }
}

} // namespace

std::uint32_t expand(std::uint16_t bits) {
    switch (bits & 3) {
    case 0: return quadrant_0(bits);
    case 1: return quadrant_1(bits);
    case 2: return quadrant_2(bits);
    default: return reserved;
    }
}

} // namespace skerry::sim::riscv
