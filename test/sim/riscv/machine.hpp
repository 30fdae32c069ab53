// SPDX-License-Identifier: BSD-3-Clause
// A chip with RISC-V cores, and code for its first cores as words.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "chip/chip.hpp"
#include "chip/machine_file.hpp"
#include "riscv/riscv_core.hpp"

namespace skerry::sim {

constexpr std::uint32_t code_base = 0x1000; // bank 0
constexpr std::uint32_t data_base = 0x8000; // bank 2 of four
constexpr std::uint32_t ebreak = 0x00100073;
constexpr std::uint32_t nop = 0x13;
constexpr std::uint32_t shared_base = 0x40000000;      // of machines with shared memory
constexpr std::uint32_t words = shared_base + 0x10000; // data in it

inline Machine riscv_machine() {
    return find_machine("riscv-16").value();
}

struct Bench {
    Chip chip;
    RiscvCore &core = at(0);

    explicit Bench(const Machine &machine = riscv_machine()) : chip(machine) {
    }
    RiscvCore &at(std::uint32_t k) {
        return dynamic_cast<RiscvCore &>(chip.core(k));
    }
    // Writes instructions, each of 4 bytes, and an EBREAK behind them.
    void put(std::initializer_list<std::uint32_t> code, std::uint32_t to = code_base, std::uint32_t which = 0) {
        for (const std::uint32_t bits : code) {
            at(which).memory.write(to, bits);
            to += 4;
        }
        at(which).memory.write(to, ebreak);
    }
    // Runs the first `cores` cores until each has stopped. Returns the cycles of the first before its EBREAK.
    std::uint64_t run(std::uint32_t cores = 1) {
        chip.start(cores, code_base);
        for (std::uint32_t k = 0; k < cores; k++) {
            while (at(k).active()) {
                ending = chip.run(1'000'000);
                if (ending.kind != EndKind::stopped) return 0;
            }
        }
        core.settle(chip.now());
        return core.counters.cycles() - 1;
    }
    std::uint32_t word(std::uint32_t offset, std::uint32_t which = 0) {
        return at(which).memory.read<std::uint32_t>(offset);
    }
    Ending ending;
};

// Encoders for the tests.
constexpr std::uint32_t addi(std::uint32_t rd, std::uint32_t rs1, std::int32_t value) {
    return 0x13 | rd << 7 | rs1 << 15 | static_cast<std::uint32_t>(value) << 20;
}
constexpr std::uint32_t lui(std::uint32_t rd, std::uint32_t value) {
    return 0x37 | rd << 7 | (value & ~0xfffU);
}
constexpr std::uint32_t register_operation(std::uint32_t value, std::uint32_t rd, std::uint32_t rs1,
                                           std::uint32_t rs2) {
    return value | rd << 7 | rs1 << 15 | rs2 << 20;
}
constexpr std::uint32_t mul(std::uint32_t rd, std::uint32_t rs1, std::uint32_t rs2) {
    return register_operation(0x02000033, rd, rs1, rs2);
}
constexpr std::uint32_t div(std::uint32_t rd, std::uint32_t rs1, std::uint32_t rs2) {
    return register_operation(0x02004033, rd, rs1, rs2);
}
constexpr std::uint32_t add(std::uint32_t rd, std::uint32_t rs1, std::uint32_t rs2) {
    return register_operation(0x33, rd, rs1, rs2);
}
constexpr std::uint32_t lw(std::uint32_t rd, std::uint32_t rs1, std::int32_t displacement = 0) {
    return 0x2003 | rd << 7 | rs1 << 15 | static_cast<std::uint32_t>(displacement) << 20;
}
constexpr std::uint32_t sw(std::uint32_t rs2, std::uint32_t rs1) {
    return 0x2023 | rs1 << 15 | rs2 << 20;
}
constexpr std::uint32_t amoadd(std::uint32_t rd, std::uint32_t rs2, std::uint32_t rs1) {
    return register_operation(0x0000202f, rd, rs1, rs2);
}
constexpr std::uint32_t lr(std::uint32_t rd, std::uint32_t rs1) {
    return register_operation(0x1000202f, rd, rs1, 0);
}
constexpr std::uint32_t sc(std::uint32_t rd, std::uint32_t rs2, std::uint32_t rs1) {
    return register_operation(0x1800202f, rd, rs1, rs2);
}
constexpr std::uint32_t csrrw(std::uint32_t rd, std::uint32_t csr, std::uint32_t rs1) {
    return 0x1073 | rd << 7 | rs1 << 15 | csr << 20;
}
constexpr std::uint32_t csrrs(std::uint32_t rd, std::uint32_t csr, std::uint32_t rs1) {
    return 0x2073 | rd << 7 | rs1 << 15 | csr << 20;
}
// A branch if rs1 is not equal to rs2, to `distance` bytes from it.
constexpr std::uint32_t bne(std::uint32_t rs1, std::uint32_t rs2, std::int32_t distance) {
    const auto d = static_cast<std::uint32_t>(distance);
    return 0x1063 | rs1 << 15 | rs2 << 20 | (d >> 11 & 1) << 7 | (d >> 1 & 15) << 8 | (d >> 5 & 63) << 25 |
           (d >> 12 & 1) << 31;
}
constexpr std::uint32_t fence = 0x0ff0000f;
constexpr std::uint32_t mret = 0x30200073;
constexpr std::uint32_t wfi = 0x10500073;

} // namespace skerry::sim
