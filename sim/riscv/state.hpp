// SPDX-License-Identifier: BSD-3-Clause
// Defines the state on which instructions work: the registers of one core. The counters are not part of the state: the
// core computes their values when a program reads them. The core runs in machine mode only. Sources: The RISC-V
// Instruction Set Manual, volume I (20191213) and volume II (20211203).
#pragma once
#include <array>
#include <cstdint>

namespace skerry::sim::riscv {

struct State {
    std::array<std::uint64_t, 32> f{}; // a single-precision number has ones in its upper half
    std::array<std::uint32_t, 33> x{}; // x[32] receives the results of instructions that write x0, and is never read
    std::uint32_t pc = 0;              // address of the instruction being executed; execute() changes it
    std::uint32_t fcsr = 0;            // flags in bits 0 to 4, rounding mode in bits 5 to 7
    std::uint32_t mstatus = 0;
    std::uint32_t mie = 0;
    std::uint32_t mip = 0;
    std::uint32_t mtvec = 0;
    std::uint32_t mscratch = 0;
    std::uint32_t mepc = 0;
    std::uint32_t mcause = 0;
    std::uint32_t mtval = 0;
    std::uint32_t reserved_at = 0;     // address of the last LR
    std::uint32_t has_reservation = 0; // 1 from LR to the next SC
    std::uint32_t unused = 0;          // keeps State free of padding, so that equal states are equal bytes

    bool operator==(const State &) const = default;
};

constexpr unsigned discarded = 32; // number that replaces x0 as the destination of an instruction

namespace mstatus {
constexpr std::uint32_t interrupts = 1U << 3;          // MIE
constexpr std::uint32_t previous_interrupts = 1U << 7; // MPIE
constexpr std::uint32_t previous_mode = 3U << 11;      // MPP: always machine mode
constexpr std::uint32_t float_dirty = 3U << 13;        // FS: always dirty if the core has float registers
constexpr std::uint32_t state_dirty = 1U << 31;        // SD
} // namespace mstatus

// The interrupts, which are bits of MIP and MIE. The specification leaves the numbers from 16 on to the platform.
// Here they are the events of the chip.
enum class Interrupt : std::uint8_t { software = 3, timer = 7, message = 16, dma0 = 17, dma1 = 18, barrier = 19 };
constexpr std::uint32_t bit_of(Interrupt which) {
    return 1U << static_cast<unsigned>(which);
}
constexpr std::uint32_t all_interrupts = bit_of(Interrupt::software) | bit_of(Interrupt::timer) |
                                         bit_of(Interrupt::message) | bit_of(Interrupt::dma0) |
                                         bit_of(Interrupt::dma1) | bit_of(Interrupt::barrier);

// The causes of exceptions, with their numbers in the register MCAUSE.
enum class Cause : std::uint32_t {
    fetch_misaligned = 0,
    illegal = 2,
    breakpoint = 3,
    load_misaligned = 4,
    store_misaligned = 6, // also of atomic operations
};

// Records an exception at pc. The caller must then enter the program's handler. If the program has none, the caller
// must stop the core.
constexpr void raise(State &s, Cause cause, std::uint32_t value) {
    s.mcause = static_cast<std::uint32_t>(cause);
    s.mtval = value;
    s.mepc = s.pc;
}

// Enters the handler at the address in MTVEC. For an interrupt, bit 31 of `cause` is set. In vectored mode (bit 0 of
// MTVEC), each interrupt has its own entry address.
constexpr void enter_handler(State &s, std::uint32_t cause) {
    const bool was_on = (s.mstatus & mstatus::interrupts) != 0;
    s.mstatus &= ~(mstatus::interrupts | mstatus::previous_interrupts);
    s.mstatus |= was_on ? mstatus::previous_interrupts : 0;
    s.mcause = cause;
    s.mepc = s.pc;
    const bool vectored = (s.mtvec & 1) != 0 && (cause >> 31) != 0;
    s.pc = (s.mtvec & ~3U) + (vectored ? 4 * (cause & 0x7fffffff) : 0);
}

// Executes MRET (return from a handler), except for the jump to MEPC.
constexpr void leave_handler(State &s) {
    const bool on = (s.mstatus & mstatus::previous_interrupts) != 0;
    s.mstatus |= mstatus::previous_interrupts;
    s.mstatus = on ? s.mstatus | mstatus::interrupts : s.mstatus & ~mstatus::interrupts;
}

} // namespace skerry::sim::riscv
