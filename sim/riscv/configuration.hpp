// SPDX-License-Identifier: BSD-3-Clause
// Defines the properties of RISC-V cores that the description of a machine can set: the extensions, and the timing of
// an in-order pipeline that issues one instruction a cycle. The timing is not that of a particular chip. We have chosen
// every value (docs/design/riscv.md gives the reasons). The section [core] of a machine's description can change these
// values.
//
// A latency counts cycles from the issue of an instruction. The latency ends at the first cycle in which an instruction
// that uses the result can issue.
#pragma once
#include <cstdint>

#include "riscv/instruction.hpp"

namespace skerry::sim {

// The extensions that a core has in addition to RV32I, compressed instructions and Zicsr.
struct RiscvExtensions {
    bool multiply = true;
    bool atomic = true;
    bool single_float = false;
    bool double_float = false;
    bool operator==(const RiscvExtensions &) const = default;
};

struct RiscvTiming {
    std::uint32_t load_result = 2;     // a load from the core's own memory
    std::uint32_t atomic_result = 3;   // LR, SC and AMO on the core's own memory
    std::uint32_t taken_branch = 3;    // from a taken branch or jump to the next instruction
    std::uint32_t multiply_result = 3; // the unit accepts a new instruction in each cycle
    // The latencies of the units that divide (divide, float_divide, float_divide_long). During this time the unit
    // accepts no other instruction.
    std::uint32_t divide = 32;
    std::uint32_t float_result = 4; // the unit accepts a new instruction in each cycle
    std::uint32_t float_divide = 16;
    std::uint32_t float_divide_long = 30;
    std::uint32_t interrupt_entry = 3;
};

struct RiscvConfiguration {
    RiscvExtensions extensions;
    RiscvTiming timing;
};

// Returns the latency of a unit's result.
constexpr std::uint32_t latency_of(const RiscvTiming &t, riscv::Unit unit) {
    switch (unit) {
    case riscv::Unit::load: return t.load_result;
    case riscv::Unit::atomic: return t.atomic_result;
    case riscv::Unit::multiply: return t.multiply_result;
    case riscv::Unit::divide: return t.divide;
    case riscv::Unit::floating: return t.float_result;
    case riscv::Unit::float_divide: return t.float_divide;
    case riscv::Unit::float_divide_long: return t.float_divide_long;
    default: return 1;
    }
}

// Returns true if the unit accepts no other instruction until its result is ready.
constexpr bool is_divider(riscv::Unit unit) {
    return unit == riscv::Unit::divide || unit == riscv::Unit::float_divide || unit == riscv::Unit::float_divide_long;
}

} // namespace skerry::sim
