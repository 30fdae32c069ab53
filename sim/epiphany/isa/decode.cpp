// SPDX-License-Identifier: BSD-3-Clause
// Decodes instructions of Epiphany. A table gives the operation: the decoder uses the first row that matches the bits
// of the instruction. The operation's format and the instruction's length determine the positions of the operands.
// Source of all encodings: binutils cpu/epiphany.cpu.
#include "epiphany/isa/decode.hpp"

#include <array>
#include <cstddef>
#include <iterator>

namespace skerry::sim {
namespace {

// The rows of the table for one load or store instruction, one for each addressing mode and length. Bits 6 and 5 of
// the instruction are the size of the access. Bit 4 is 0 in a load and 1 in a store. The lowest four bits (the
// family) select the addressing mode. In family 0xc, bit 25 also belongs to the addressing mode.
#define SKERRY_ACCESS_ROWS(name, code)                                                                                 \
    {0x00000001 | (code), 0x0000007f, Operation::name##_index},                                                        \
        {0x00000005 | (code), 0x0000007f, Operation::name##_postmodify_index},                                         \
        {0x00000004 | (code), 0x0000007f, Operation::name##_displacement},                                             \
        {0x00000009 | (code), 0x006f007f, Operation::name##_index},                                                    \
        {0x0000000d | (code), 0x006f007f, Operation::name##_postmodify_index},                                         \
        {0x0000000c | (code), 0x0200007f, Operation::name##_displacement}, {                                           \
        0x0200000c | (code), 0x0200007f, Operation::name##_postmodify_displacement                                     \
    }

// The two rows of the table for an operation with two encodings: a short one (one half word) and a long one (two half
// words).
#define SKERRY_ROWS(name, short_value, short_mask, long_value, long_mask)                                              \
    {short_value, short_mask, Operation::name}, {                                                                      \
        long_value, long_mask, Operation::name                                                                         \
    }

constexpr Encoding rows[] = {
    SKERRY_ROWS(branch_link, 0x00f0, 0x00ff, 0x000000f8, 0x000000ff),
    SKERRY_ROWS(branch, 0x0000, 0x000f, 0x00000008, 0x0000000f),
    SKERRY_ROWS(jump, 0x0142, 0xe3ff, 0x0002014f, 0xe3ffe3ff),
    SKERRY_ROWS(jump_link, 0x0152, 0xe3ff, 0x0002015f, 0xe3ffe3ff),

    SKERRY_ACCESS_ROWS(load_byte, 0x00),
    SKERRY_ACCESS_ROWS(load_half, 0x20),
    SKERRY_ACCESS_ROWS(load_word, 0x40),
    SKERRY_ACCESS_ROWS(load_double, 0x60),
    SKERRY_ACCESS_ROWS(store_byte, 0x10),
    SKERRY_ACCESS_ROWS(store_half, 0x30),
    SKERRY_ACCESS_ROWS(store_word, 0x50),
    SKERRY_ACCESS_ROWS(store_double, 0x70),
    {0x00200009, 0x006f007f, Operation::testset_byte},
    {0x00200029, 0x006f007f, Operation::testset_half},
    {0x00200049, 0x006f007f, Operation::testset_word},

    SKERRY_ROWS(illegal, 0x00f2, 0x03ff, 0x000200ff, 0x03ff03ff), // a move with condition 15 is illegal
    SKERRY_ROWS(move, 0x0002, 0x030f, 0x0002000f, 0x03ff030f),
    SKERRY_ROWS(move_to_special, 0x0102, 0x03ff, 0x0002010f, 0x03cf03ff),
    SKERRY_ROWS(move_from_special, 0x0112, 0x03ff, 0x0002011f, 0x03cf03ff),
    SKERRY_ROWS(move_immediate, 0x0003, 0x001f, 0x0002000b, 0x100f001f),
    {0x1002000b, 0x100f001f, Operation::move_high},

    SKERRY_ROWS(exclusive_or, 0x000a, 0x007f, 0x000a000f, 0x007f007f),
    SKERRY_ROWS(add, 0x001a, 0x007f, 0x000a001f, 0x007f007f),
    SKERRY_ROWS(shift_left, 0x002a, 0x007f, 0x000a002f, 0x007f007f),
    SKERRY_ROWS(subtract, 0x003a, 0x007f, 0x000a003f, 0x007f007f),
    SKERRY_ROWS(shift_right, 0x004a, 0x007f, 0x000a004f, 0x007f007f),
    SKERRY_ROWS(bit_and, 0x005a, 0x007f, 0x000a005f, 0x007f007f),
    SKERRY_ROWS(shift_right_signed, 0x006a, 0x007f, 0x000a006f, 0x007f007f),
    SKERRY_ROWS(bit_or, 0x007a, 0x007f, 0x000a007f, 0x007f007f),
    SKERRY_ROWS(add_immediate, 0x0013, 0x007f, 0x0000001b, 0x0300007f),
    SKERRY_ROWS(subtract_immediate, 0x0033, 0x007f, 0x0000003b, 0x0300007f),
    SKERRY_ROWS(shift_right_immediate, 0x0006, 0x001f, 0x0006000f, 0x03ff001f),
    SKERRY_ROWS(shift_left_immediate, 0x0016, 0x001f, 0x0006001f, 0x03ff001f),
    SKERRY_ROWS(shift_right_signed_immediate, 0x000e, 0x001f, 0x000e000f, 0x03ff001f),
    SKERRY_ROWS(bit_reverse, 0x001e, 0x03ff, 0x000e001f, 0x03ff03ff),

    SKERRY_ROWS(float_add, 0x0007, 0x007f, 0x0007000f, 0x007f007f),
    SKERRY_ROWS(float_subtract, 0x0017, 0x007f, 0x0007001f, 0x007f007f),
    SKERRY_ROWS(float_multiply, 0x0027, 0x007f, 0x0007002f, 0x007f007f),
    SKERRY_ROWS(float_multiply_add, 0x0037, 0x007f, 0x0007003f, 0x007f007f),
    SKERRY_ROWS(float_multiply_subtract, 0x0047, 0x007f, 0x0007004f, 0x007f007f),
    SKERRY_ROWS(float_from_integer, 0x0057, 0x007f, 0x0007005f, 0x007f007f),
    SKERRY_ROWS(float_to_integer, 0x0067, 0x007f, 0x0007006f, 0x007f007f),
    SKERRY_ROWS(float_absolute, 0x0077, 0x007f, 0x0007007f, 0x007f007f),

    {0x0182, 0xffff, Operation::wand},
    {0x0192, 0xffff, Operation::interrupts_enable},
    {0x0392, 0xffff, Operation::interrupts_disable},
    {0x01a2, 0xffff, Operation::no_operation},
    {0x03a2, 0xffff, Operation::no_operation_single},
    {0x01b2, 0xffff, Operation::idle},
    {0x01c2, 0xffff, Operation::breakpoint},
    {0x03c2, 0xffff, Operation::multicore_breakpoint},
    {0x01d2, 0xffff, Operation::return_from_interrupt},
    {0x01e2, 0x03ff, Operation::software_interrupt},
    {0x03e2, 0x03ff, Operation::trap},
    {0x01f2, 0xffff, Operation::sync},
    {0x000f000f, 0xffffffff, Operation::unimplemented},

    {0x001a000f, 0x007f007f, Operation::field_extract},
    {0x001a001f, 0x007f007f, Operation::field_deposit},
    {0x001a002f, 0x007f007f, Operation::feedback_shift},
    {0x0017000f, 0x007f007f, Operation::float_reciprocal},
    {0x0017001f, 0x007f007f, Operation::float_square_root},
};

// The indices of `rows`, sorted by family (the lowest four bits of an instruction). Within a family they have the order
// of the table. `begin` has the start of each family in `order`. Therefore the decoder compares an instruction only
// with the few rows of its family.
struct Families {
    std::array<std::uint8_t, std::size(rows)> order{};
    std::array<std::uint8_t, 17> begin{};
};
constexpr Families families = [] {
    static_assert(std::size(rows) < 256);
    Families result;
    std::size_t filled = 0;
    for (std::size_t family = 0; family < 16; family++) {
        result.begin[family] = static_cast<std::uint8_t>(filled);
        for (std::size_t row = 0; row < std::size(rows); row++) {
            if ((rows[row].value & 15) == family) result.order[filled++] = static_cast<std::uint8_t>(row);
        }
    }
    result.begin[16] = static_cast<std::uint8_t>(filled);
    return result;
}();

Operation operation_of(std::uint32_t bits) {
    const std::size_t family = bits & 15;
    for (std::size_t k = families.begin[family]; k < families.begin[family + 1]; k++) {
        const Encoding &row = rows[families.order[k]];
        if ((bits & row.mask) == row.value) return row.operation;
    }
    return Operation::illegal;
}

constexpr std::uint32_t field(std::uint32_t bits, unsigned lowest, unsigned width) {
    return bits >> lowest & ((1U << width) - 1);
}

constexpr std::int32_t signed_field(std::uint32_t bits, unsigned lowest, unsigned width) {
    return static_cast<std::int32_t>(bits << (32 - lowest - width)) >> (32 - width);
}

// Returns a register number. A short instruction has three bits for the number (r0 to r7). A long instruction has three
// more bits of the number at `upper`.
constexpr std::uint8_t register_field(std::uint32_t bits, unsigned lowest, unsigned upper, bool is_long) {
    return static_cast<std::uint8_t>(field(bits, lowest, 3) | (is_long ? field(bits, upper, 3) << 3 : 0));
}

// Returns the 11 bits that long displacements and long immediate additions have at the same positions.
constexpr std::uint32_t eleven_bits(std::uint32_t bits) {
    return field(bits, 16, 8) << 3 | field(bits, 7, 3);
}

std::int32_t displacement(std::uint32_t bits, bool is_long, bool subtract, unsigned size) {
    const auto bytes = static_cast<std::int32_t>((is_long ? eleven_bits(bits) : field(bits, 7, 3)) * size);
    return subtract ? -bytes : bytes;
}

void take_operands(Instruction &i, std::uint32_t bits) {
    const Facts &facts = facts_of(i.operation);
    const bool is_long = i.length == 4;
    const std::uint8_t rd = register_field(bits, 13, 29, is_long);
    const std::uint8_t rn = register_field(bits, 10, 26, is_long);
    const std::uint8_t rm = register_field(bits, 7, 23, is_long);
    if (facts.reads_rd || facts.writes_rd) i.rd = rd;
    if (facts.reads_rn || facts.writes_rn) i.rn = rn;
    if (facts.reads_rm) i.rm = rm;

    switch (facts.format) {
    case Format::target:
        i.condition = static_cast<Condition>(field(bits, 4, 4));
        i.immediate = 2 * (is_long ? signed_field(bits, 8, 24) : signed_field(bits, 8, 8));
        break;
    case Format::conditional_move: i.condition = static_cast<Condition>(field(bits, 4, 4)); break;
    case Format::add_immediate:
        i.immediate = is_long ? signed_field(eleven_bits(bits), 0, 11) : signed_field(bits, 7, 3);
        break;
    case Format::shift_immediate: i.immediate = static_cast<std::int32_t>(field(bits, 5, 5)); break;
    case Format::move_immediate:
    case Format::move_high:
        i.immediate = static_cast<std::int32_t>(field(bits, 5, 8) | (is_long ? field(bits, 20, 8) << 8 : 0));
        break;
    case Format::displacement:
    case Format::postmodify_displacement:
        i.subtract = is_long && field(bits, 24, 1) != 0;
        i.immediate = displacement(bits, is_long, i.subtract, facts.size);
        break;
    case Format::index:
    case Format::postmodify_index: i.subtract = is_long && field(bits, 20, 1) != 0; break;
    case Format::to_special:
    case Format::from_special: // the special register's index is in the bits of rn, its group in bits 20 and 21
        i.immediate = static_cast<std::int32_t>(rn | (is_long ? field(bits, 20, 2) << 6 : 0));
        break;
    case Format::number: i.immediate = static_cast<std::int32_t>(field(bits, 10, 6)); break;
    case Format::none:
    case Format::register_target:
    case Format::three_registers:
    case Format::accumulate:
    case Format::two_registers: break;
    }
}

} // namespace

Instruction decode(std::uint32_t bits) {
    Instruction result;
    result.length = static_cast<std::uint8_t>(length_of(static_cast<std::uint16_t>(bits)));
    if (result.length == 2) bits &= 0xffff;
    result.operation = operation_of(bits);
    take_operands(result, bits);
    return result;
}

std::span<const Encoding> encodings() {
    return rows;
}

} // namespace skerry::sim
