// SPDX-License-Identifier: BSD-3-Clause
// Defines an instruction that is decoded once, with the facts that the pipeline needs before each execution.
#pragma once
#include <cstdint>

#include "riscv/decode.hpp"
#include "riscv/state.hpp"

namespace skerry::sim::riscv {

struct Decoded {
    Instruction instruction; // with `discarded` in place of x0 as its destination
    Unit unit = Unit::system;
    bool ready = false;        // the instruction is decoded, and its bytes have not changed since
    bool floating = false;     // the instruction is one of the FPU
    std::uint8_t result = 0;   // number of the register that it writes, float registers from 32 on
    std::uint8_t latency = 1;  // cycles until its result is usable
    std::uint64_t touched = 0; // the registers that it reads and writes; with a bit for x0 never set
};

;

} // namespace skerry::sim::riscv
