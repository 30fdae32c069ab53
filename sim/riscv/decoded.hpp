// SPDX-License-Identifier: BSD-3-Clause
// Defines an instruction that is decoded once, with the facts that the pipeline needs before each execution, and a page
// of such instructions.
#pragma once
#include <array>
#include <cstdint>

#include "memory/code_page.hpp"
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

class Page final : public CodePage {
  public:
    // Returns the first of the page's slots, one for each half word.
    Decoded *slots() {
        return slots_.data();
    }
    void forget(std::uint32_t slot) override {
        slots_[slot].ready = false;
    }

  private:
    std::array<Decoded, code_page_size / 2> slots_{};
};

} // namespace skerry::sim::riscv
