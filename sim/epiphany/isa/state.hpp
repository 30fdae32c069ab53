// SPDX-License-Identifier: BSD-3-Clause
// Defines the state on which instructions work: the registers of one core. The registers of timers, DMA and mesh are
// not here, because they belong to devices on the core's bus. The register STATUS is one word, as programs see it, so
// that a condition is evaluated by one table look-up. The rules for special registers, exceptions and interrupts are
// here too, because other parts of the simulator use them.
#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "epiphany/isa/registers.hpp"

namespace skerry::sim {

// Numbers of general registers that have a special use in GCC's calling convention.
inline constexpr unsigned frame_register = 11; // fp
inline constexpr unsigned stack_register = 13; // sp

struct State {
    std::array<std::uint32_t, 64> r{};
    std::uint32_t pc = 0; // address of the instruction being executed; execute() changes it
    std::uint32_t status = 0;
    std::uint32_t config = 0;
    std::uint32_t loop_count = 0;
    std::uint32_t loop_start = 0;
    std::uint32_t loop_end = 0; // address of the loop's last instruction
    std::uint32_t interrupt_return = 0;
    std::uint32_t interrupt_mask = 0;
    std::uint32_t interrupt_latch = 0;
    std::uint32_t interrupt_pending = 0; // interrupts whose handlers run; several bits if they are nested
    std::uint32_t debug_status = 0;
    std::uint32_t core_id = 0; // row << 6 | column

    bool operator==(const State &) const = default;
};

constexpr bool flag(const State &s, std::uint32_t bits) {
    return (s.status & bits) != 0;
}

constexpr void set_bits(std::uint32_t &word, std::uint32_t mask, std::uint32_t bits) {
    word = (word & ~mask) | bits;
}

// Returns the global address of a byte, which is valid in every core. An address below 1 MB means the core's own
// memory.
constexpr std::uint32_t global_address(const State &s, std::uint32_t address) {
    return global_address(s.core_id, address);
}

// Raises a software exception: writes its cause to STATUS and latches the exception's interrupt. After the instruction,
// the core enters the handler of this interrupt if the interrupt is neither masked nor disabled (source: Adapteva's
// functional simulator).
constexpr void raise(State &s, Cause cause) {
    set_bits(s.status, status::cause, static_cast<std::uint32_t>(cause) << status::cause_shift);
    s.interrupt_latch |= bit_of(Interrupt::exception);
}

// Returns the number of the interrupt that the core must take now, or interrupt_count if there is none. Lower numbers
// have higher priority. Therefore this is the lowest latched interrupt that is not masked. The core takes no interrupt
// while interrupts are disabled. The core takes no interrupt either while the handler of an interrupt with the same or
// a higher priority runs.
constexpr unsigned next_interrupt(const State &s) {
    const auto next = static_cast<unsigned>(std::countr_zero(s.interrupt_latch & ~s.interrupt_mask));
    const auto served = static_cast<unsigned>(std::countr_zero(s.interrupt_pending));
    const bool taken = next < interrupt_count && next < served && !flag(s, status::interrupts_disabled);
    return taken ? next : interrupt_count;
}

// Enters the handler of an interrupt. pc must be the address of the next instruction to execute. A core that waits in
// IDLE becomes active. There is one case in which this function must not be called: between GIE (enables interrupts)
// and IDLE, if IDLE directly follows GIE and the address of GIE is divisible by 8 (source: Adapteva's functional
// simulator).
constexpr void enter_interrupt(State &s, unsigned number) {
    s.status |= status::active | status::interrupts_disabled | status::kernel_mode;
    s.interrupt_pending |= 1U << number;
    s.interrupt_latch &= ~(1U << number);
    s.interrupt_return = s.pc;
    s.pc = 4 * number;
}

// Executes RTI (return from an interrupt), except for the jump to interrupt_return. Of the interrupts whose handlers
// run, ends the one with the highest priority (the lowest bit).
constexpr void leave_interrupt(State &s) {
    s.interrupt_pending &= s.interrupt_pending - 1;
    s.status &= ~(status::interrupts_disabled | status::kernel_mode);
}

// Returns the value of a core register or of COREID, for MOVFS and for remote loads. A register that is not in State
// reads as zero. Therefore a core with timers, DMA and mesh must handle their registers before it calls this function.
constexpr std::uint32_t read_special(const State &s, SpecialRegister which) {
    switch (which) {
    case SpecialRegister::config: return s.config;
    case SpecialRegister::status:
    case SpecialRegister::full_status: return s.status;
    case SpecialRegister::pc: return s.pc;
    case SpecialRegister::debug_status: return s.debug_status;
    case SpecialRegister::loop_count: return s.loop_count;
    case SpecialRegister::loop_start: return s.loop_start;
    case SpecialRegister::loop_end: return s.loop_end;
    case SpecialRegister::interrupt_return: return s.interrupt_return;
    case SpecialRegister::interrupt_mask: return s.interrupt_mask;
    case SpecialRegister::interrupt_latch: return s.interrupt_latch;
    case SpecialRegister::interrupt_pending: return s.interrupt_pending;
    case SpecialRegister::core_id: return s.core_id;
    default: return 0;
    }
}

// Writes a core register for MOVTS and for remote stores. COREID cannot be written. Sources: epiphany.cpu, Adapteva's
// functional simulator.
// * The lowest three bits of STATUS change only if the program writes full_status instead of status.
// * interrupt_latch_set and interrupt_latch_clear change single bits of the interrupt latch without a read.
constexpr void write_special(State &s, SpecialRegister which, std::uint32_t value) {
    switch (which) {
    case SpecialRegister::config: s.config = value; break;
    case SpecialRegister::status:
        s.status = (s.status & status::kept_by_movts) | (value & status::implemented & ~status::kept_by_movts);
        break;
    case SpecialRegister::full_status: s.status = value & status::implemented; break;
    case SpecialRegister::pc: s.pc = value; break;
    case SpecialRegister::debug_status: s.debug_status = value; break;
    case SpecialRegister::debug_command:
        set_bits(s.debug_status, debug_status::halted, value & debug_command::halt ? debug_status::halted : 0);
        break;
    case SpecialRegister::loop_count: s.loop_count = value; break;
    case SpecialRegister::loop_start: s.loop_start = value; break;
    case SpecialRegister::loop_end: s.loop_end = value; break;
    case SpecialRegister::interrupt_return: s.interrupt_return = value; break;
    case SpecialRegister::interrupt_mask: s.interrupt_mask = value; break;
    case SpecialRegister::interrupt_latch: s.interrupt_latch = value; break;
    case SpecialRegister::interrupt_latch_set: s.interrupt_latch |= value; break;
    case SpecialRegister::interrupt_latch_clear: s.interrupt_latch &= ~value; break;
    case SpecialRegister::interrupt_pending: s.interrupt_pending = value; break;
    default: break;
    }
}

} // namespace skerry::sim
