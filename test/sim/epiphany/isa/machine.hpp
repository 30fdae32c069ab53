// SPDX-License-Identifier: BSD-3-Clause
// One core's state on a plain bus, at address 0x100, to execute single instructions on.
#pragma once
#include <cstdint>

#include "epiphany/isa/semantics.hpp"
#include "plain_bus.hpp"

namespace skerry::sim {

using Op = Operation;

struct Machine {
    State s;
    PlainBus bus;
    Machine() {
        s.pc = 0x100;
    }
    Outcome run(Instruction i) {
        return execute(s, i, bus);
    }
    Outcome run(Op op, unsigned rd = 0, unsigned rn = 0, unsigned rm = 0, std::int32_t immediate = 0) {
        Instruction i;
        i.operation = op;
        i.length = 4;
        i.rd = static_cast<std::uint8_t>(rd);
        i.rn = static_cast<std::uint8_t>(rn);
        i.rm = static_cast<std::uint8_t>(rm);
        i.immediate = immediate;
        return run(i);
    }
    std::uint32_t word(std::uint32_t address) {
        State none;
        std::uint32_t value = 0;
        bus.load<4>(none, address, value);
        return value;
    }
    void put(std::uint32_t address, std::uint32_t value) {
        State none;
        bus.store<4>(none, address, value);
    }
};

} // namespace skerry::sim
