// SPDX-License-Identifier: BSD-3-Clause
// Defines Decoded: an instruction that is decoded once, with the properties that the simulated pipeline needs before
// each execution. The properties are masks of the registers that the instruction reads and writes, and the unit that it
// occupies. A Memory keeps pages of such decoded instructions beside its bytes.
#pragma once
#include <cstdint>

#include "epiphany/isa/decode.hpp"
#include "epiphany/isa/instruction.hpp"

namespace skerry::sim {

// The unit that an instruction occupies. An integer, load or store instruction can issue in the same cycle as an
// instruction of the floating-point unit (`floating`). An instruction of kind `single` issues alone (GCC
// config/epiphany/epiphany-sched.md: branches reserve both issue slots).
enum class Unit : std::uint8_t { integer, load, store, floating, single };

struct Decoded {
    Instruction instruction;
    Unit unit = Unit::single;
    Flags flags_read = Flags::none;
    bool ready = false; // the instruction is decoded, and its bytes have not changed since
    std::uint64_t reads = 0;
    std::uint64_t stored = 0;  // registers of `reads` that are only the data of a store
    std::uint64_t early = 0;   // registers that the integer unit writes: results, and post-modified bases
    std::uint64_t late = 0;    // registers that the FPU or a load writes
    std::uint64_t touched = 0; // all registers of reads, early and late
};

constexpr Unit unit_of(Operation operation) {
    switch (facts_of(operation).kind) {
    case Kind::integer: return Unit::integer;
    case Kind::floating:
    case Kind::integer_on_float: return Unit::floating;
    case Kind::load: return Unit::load;
    case Kind::store: return Unit::store;
    case Kind::branch:
    case Kind::jump:
    case Kind::system: return Unit::single;
    }
    return Unit::single;
}

inline Decoded decode_for_issue(std::uint32_t bits) {
    Decoded d;
    d.instruction = decode(bits);
    const Facts &facts = facts_of(d.instruction.operation);
    d.unit = unit_of(d.instruction.operation);
    d.flags_read = sim::flags_read(d.instruction);
    d.reads = registers_read(d.instruction);
    const std::uint64_t written = registers_written(d.instruction);
    const std::uint64_t base = facts.writes_rn ? std::uint64_t{1} << d.instruction.rn : 0;
    d.late = d.unit == Unit::load ? written & ~base : d.unit == Unit::floating ? written : 0;
    d.early = written & ~d.late;
    if (d.unit == Unit::store) {
        const std::uint64_t data = std::uint64_t{facts.pair ? 3U : 1U} << d.instruction.rd;
        const std::uint64_t address =
            std::uint64_t{1} << d.instruction.rn | (facts.reads_rm ? std::uint64_t{1} << d.instruction.rm : 0);
        d.stored = data & ~address;
    }
    d.touched = d.reads | written;
    d.ready = true;
    return d;
}

;

} // namespace skerry::sim
