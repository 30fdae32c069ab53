// SPDX-License-Identifier: BSD-3-Clause
// Decides whether a conditional branch or a conditional move is executed. The conditions depend on six flags, which are
// adjacent bits of STATUS. The flags have 64 combinations. A table has one row for each combination, with the result of
// every condition. Source of the conditions: binutils cpu/epiphany.cpu (br-insn, move-insns).
#pragma once
#include <array>
#include <cstdint>

#include "epiphany/isa/instruction.hpp"
#include "epiphany/isa/registers.hpp"

namespace skerry::sim {

constexpr bool evaluate(Condition condition, std::uint32_t status) {
    const bool z = status & status::zero;
    const bool n = status & status::negative;
    const bool c = status & status::carry;
    const bool v = status & status::overflow;
    const bool bz = status & status::float_zero;
    const bool bn = status & status::float_negative;
    switch (condition) {
    case Condition::equal: return z;
    case Condition::not_equal: return !z;
    case Condition::higher: return c && !z;
    case Condition::higher_or_same: return c;
    case Condition::lower_or_same: return !c || z;
    case Condition::lower: return !c;
    case Condition::greater: return !z && n == v;
    case Condition::greater_or_equal: return n == v;
    case Condition::less: return n != v;
    case Condition::less_or_equal: return z || n != v;
    case Condition::float_equal: return bz;
    case Condition::float_not_equal: return !bz;
    case Condition::float_less: return bn && !bz;
    case Condition::float_less_or_equal: return bn || bz;
    case Condition::always:
    case Condition::link: return true;
    }
    return true;
}

// Bit c of row f is set if condition c holds with flags f. The flags are the six bits of STATUS from zero (bit 4) to
// float_negative (bit 9).
constexpr unsigned first_flag = 4;
inline constexpr std::array<std::uint16_t, 64> truth_table = [] {
    std::array<std::uint16_t, 64> rows{};
    for (unsigned flags = 0; flags < 64; flags++) {
        unsigned row = 0;
        for (unsigned c = 0; c < 16; c++) {
            row |= static_cast<unsigned>(evaluate(static_cast<Condition>(c), flags << first_flag)) << c;
        }
        rows[flags] = static_cast<std::uint16_t>(row);
    }
    return rows;
}();

constexpr bool holds(Condition condition, std::uint32_t status) {
    return truth_table[status >> first_flag & 63] >> static_cast<unsigned>(condition) & 1;
}

} // namespace skerry::sim
