// SPDX-License-Identifier: BSD-3-Clause
// Defines an instruction that is decoded once, with the properties that the simulated pipeline needs before each
// execution.
#pragma once
#include <cstdint>

#include "riscv/decode.hpp"
#include "riscv/state.hpp"

namespace skerry::sim::riscv {

struct Decoded {
    Instruction instruction; // if the destination is x0, the number of the destination is `discarded`
    Unit unit = Unit::system;
    bool ready = false;    // the instruction is decoded, and its bytes have not changed since
    bool floating = false; // the instruction is executed by the floating-point unit
    // Number of the register that the instruction writes. Floating-point registers have the numbers from 32 on.
    std::uint8_t result = 0;
    std::uint8_t latency = 1;  // cycles until its result is usable
    std::uint64_t touched = 0; // mask of the registers that it reads or writes, without x0
};

} // namespace skerry::sim::riscv
