// SPDX-License-Identifier: BSD-3-Clause
// Defines the effect of each instruction on a core's state, in one line or a few lines of code. Instructions access
// memory only through a Bus, and their effect does not depend on time. execute() executes one instruction and returns
// an outcome, which the core must handle. Sources:
// * binutils cpu/epiphany.cpu: the meaning of all instructions;
// * the later epiphany.cpu of Adapteva's functional simulator: software exceptions and pairs of registers.
#pragma once
#include <cstdint>

#include "epiphany/isa/arithmetic.hpp"
#include "epiphany/isa/bus.hpp"
#include "epiphany/isa/condition.hpp"
#include "epiphany/isa/float.hpp"
#include "epiphany/isa/instruction.hpp"
#include "epiphany/isa/state.hpp"

namespace skerry::sim {

// The outcome of an instruction. Only `done`, `jumped` and `again` are frequent. After `again`, `fault` and
// `breakpoint` the pc is unchanged. After all other outcomes the pc is the address of the next instruction.
enum class Outcome : std::uint8_t {
    done,
    jumped,     // a branch was taken
    again,      // the bus refused the access in this cycle: the instruction had no effect
    fault,      // the bus forbids the access: the instruction had no effect
    exception,  // raise() was called: the cause is in STATUS
    interrupts, // GIE, RTI or MOVTS was executed: the core must check if it can take an interrupt now
    idle,       // IDLE was executed: the core must wait for an interrupt
    wand,       // WAND was executed: it has set this core's WAND bit in STATUS
    sync,
    trap, // TRAP was executed: its number is the immediate operand; arguments and result are in r0 to r3
    breakpoint,
    multicore_breakpoint, // MBKPT was executed: a bit of CONFIG decides if it stops the cores
};

// -- instructions of the floating-point unit --------------------------------------------------------------------------

constexpr Outcome floating(State &s, std::uint32_t &rd, fpu::Result result, bool zero) {
    set_bits(s.status, float_flags,
             result.raised | (zero ? status::float_zero : 0) | (result.bits >> 31 ? status::float_negative : 0));
    rd = result.bits;
    if ((s.config & any_float_exception) != 0 && float_exception(s)) [[unlikely]] {
        raise(s, Cause::floating_point);
        return Outcome::exception;
    }
    return Outcome::done;
}

constexpr Outcome as_float(State &s, std::uint32_t &rd, fpu::Result result) {
    return floating(s, rd, result, (result.bits & ~fpu::sign_bit) == 0);
}

constexpr Outcome as_integer(State &s, std::uint32_t &rd, std::uint32_t result) {
    set_bits(s.status, float_flags,
             (result == 0 ? status::float_zero : 0) | (result >> 31 ? status::float_negative : 0));
    rd = result;
    return Outcome::done;
}

// -- loads, stores and atomic operations ------------------------------------------------------------------------------

constexpr Outcome exception(State &s, Cause cause) {
    raise(s, cause);
    return Outcome::exception;
}

constexpr Outcome not_done(Access access) {
    return access == Access::again ? Outcome::again : Outcome::fault;
}

template <unsigned size> constexpr bool misaligned(const Instruction &i, std::uint32_t address) {
    const std::uint32_t odd_pair = size == 8 ? i.rd & 1U : 0;
    return ((address & (size - 1)) | odd_pair) != 0;
}

template <unsigned size, Bus B>
[[gnu::always_inline]] constexpr Outcome load(State &s, const Instruction &i, B &bus, std::uint32_t address) {
    if (misaligned<size>(i, address)) [[unlikely]]
        return exception(s, Cause::unaligned);
    Word<size> value{};
    const Access access = bus.template load<size>(s, address, value);
    if (access != Access::done) [[unlikely]]
        return not_done(access);
    s.r[i.rd] = static_cast<std::uint32_t>(value);
    if constexpr (size == 8) s.r[i.rd + 1U] = static_cast<std::uint32_t>(value >> 32);
    return Outcome::done;
}

template <unsigned size, Bus B>
[[gnu::always_inline]] constexpr Outcome store(State &s, const Instruction &i, B &bus, std::uint32_t address) {
    if (misaligned<size>(i, address)) [[unlikely]]
        return exception(s, Cause::unaligned);
    Word<size> value = static_cast<Word<size>>(s.r[i.rd]);
    if constexpr (size == 8) value |= static_cast<Word<8>>(s.r[i.rd + 1U]) << 32;
    const Access access = bus.template store<size>(s, address, value);
    return access == Access::done ? Outcome::done : not_done(access);
}

// Writes rd to memory if memory holds zero. rd receives the old content of the memory.
template <unsigned size, Bus B>
[[gnu::always_inline]] constexpr Outcome testset(State &s, const Instruction &i, B &bus, std::uint32_t address) {
    if (misaligned<size>(i, address)) [[unlikely]]
        return exception(s, Cause::unaligned);
    Word<size> value = static_cast<Word<size>>(s.r[i.rd]);
    const Access access = bus.template testset<size>(s, address, value);
    if (access != Access::done) [[unlikely]]
        return not_done(access);
    s.r[i.rd] = value;
    return Outcome::done;
}

// Writes the post-modified base register (the base address plus the operand) after an access that was done or that
// raised an exception. After the outcomes `again` and `fault` the instruction has had no effect, so the register stays
// as it is. If the base register is also the destination of a load, the new base overwrites the loaded value.
constexpr Outcome postmodify(State &s, const Instruction &i, std::uint32_t base, Outcome outcome) {
    if (outcome != Outcome::again && outcome != Outcome::fault) s.r[i.rn] = base;
    return outcome;
}

// -- execution of one instruction -------------------------------------------------------------------------------------

// Handles the end of a hardware loop's body. Must be called only if the loop count is not zero. At the loop's last
// instruction, decrements the count. If the count is still not zero, jumps to the loop's start. (Source: dni_wrapper in
// epiphany.cpu. A later version of that file says that a count of zero means "no loop".)
constexpr void close_loop(State &s, std::uint32_t here) {
    if (global_address(s, here) != global_address(s, s.loop_end)) return;
    s.loop_count--;
    if (s.loop_count != 0) s.pc = s.loop_start;
}

// Executes one instruction. On entry `next` is the address after the instruction; on return it is the address of the
// next instruction to execute.
template <Bus B>
[[gnu::always_inline]] constexpr Outcome perform(State &s, const Instruction &i, B &bus, std::uint32_t &next) {
    std::uint32_t &rd = s.r[i.rd];
    const std::uint32_t rn = s.r[i.rn];
    const std::uint32_t rm = s.r[i.rm];
    const auto immediate = static_cast<std::uint32_t>(i.immediate);
    const std::uint32_t indexed = i.subtract ? rn - rm : rn + rm;
    const std::uint32_t displaced = rn + immediate;

    switch (i.operation) {
    case Operation::branch:
        if (!holds(i.condition, s.status)) return Outcome::done;
        next = s.pc + immediate;
        return Outcome::jumped;
    case Operation::branch_link:
        s.r[link_register] = next;
        next = s.pc + immediate;
        return Outcome::jumped;
    case Operation::jump: next = rn; return Outcome::jumped;
    case Operation::jump_link:
        s.r[link_register] = next;
        next = rn;
        return Outcome::jumped;

    case Operation::add: rd = add(s, rn, rm); return Outcome::done;
    case Operation::subtract: rd = subtract(s, rn, rm); return Outcome::done;
    case Operation::bit_and: rd = logical(s, rn & rm); return Outcome::done;
    case Operation::bit_or: rd = logical(s, rn | rm); return Outcome::done;
    case Operation::exclusive_or: rd = logical(s, rn ^ rm); return Outcome::done;
    case Operation::shift_left: rd = logical(s, rn << (rm & 31)); return Outcome::done;
    case Operation::shift_right: rd = logical(s, rn >> (rm & 31)); return Outcome::done;
    case Operation::shift_right_signed: rd = logical(s, shift_right_signed(rn, rm)); return Outcome::done;
    case Operation::add_immediate: rd = add(s, rn, immediate); return Outcome::done;
    case Operation::subtract_immediate: rd = subtract(s, rn, immediate); return Outcome::done;
    case Operation::shift_left_immediate: rd = logical(s, rn << (immediate & 31)); return Outcome::done;
    case Operation::shift_right_immediate: rd = logical(s, rn >> (immediate & 31)); return Outcome::done;
    case Operation::shift_right_signed_immediate:
        rd = logical(s, shift_right_signed(rn, immediate));
        return Outcome::done;
    case Operation::bit_reverse: rd = logical(s, reverse_bits(rn)); return Outcome::done;
    case Operation::move:
        if (holds(i.condition, s.status)) rd = rn;
        return Outcome::done;
    case Operation::move_immediate: rd = immediate; return Outcome::done;
    case Operation::move_high: rd = (rd & 0xffff) | immediate << 16; return Outcome::done;

    case Operation::float_add:
        return integer_mode(s) ? as_integer(s, rd, rn + rm) : as_float(s, rd, fpu::add(rn, rm, rounding(s)));
    case Operation::float_subtract:
        return integer_mode(s) ? as_integer(s, rd, rn - rm) : as_float(s, rd, fpu::subtract(rn, rm, rounding(s)));
    case Operation::float_multiply:
        return integer_mode(s) ? as_integer(s, rd, rn * rm) : as_float(s, rd, fpu::multiply(rn, rm, rounding(s)));
    case Operation::float_multiply_add:
        return integer_mode(s) ? as_integer(s, rd, rd + rn * rm)
                               : as_float(s, rd, fpu::multiply_add(rd, rn, rm, 0, rounding(s)));
    case Operation::float_multiply_subtract:
        return integer_mode(s) ? as_integer(s, rd, rd - rn * rm)
                               : as_float(s, rd, fpu::multiply_add(rd, rn, rm, fpu::sign_bit, rounding(s)));
    case Operation::float_from_integer: // this operation and the next two are the same in both modes
        return as_float(s, rd, fpu::from_integer(rn, rounding(s)));
    case Operation::float_to_integer: {
        const fpu::Result result = fpu::to_integer(rn, rounding(s));
        return floating(s, rd, result, result.bits == 0);
    }
    case Operation::float_absolute: return as_float(s, rd, fpu::absolute(rn));

#define SKERRY_ACCESS(name, access, size)                                                                              \
    case Operation::name##_displacement: return access<size>(s, i, bus, displaced);                                    \
    case Operation::name##_index: return access<size>(s, i, bus, indexed);                                             \
    case Operation::name##_postmodify_displacement: return postmodify(s, i, displaced, access<size>(s, i, bus, rn));   \
    case Operation::name##_postmodify_index: return postmodify(s, i, indexed, access<size>(s, i, bus, rn));
        SKERRY_ACCESS(load_byte, load, 1)
        SKERRY_ACCESS(load_half, load, 2)
        SKERRY_ACCESS(load_word, load, 4)
        SKERRY_ACCESS(load_double, load, 8)
        SKERRY_ACCESS(store_byte, store, 1)
        SKERRY_ACCESS(store_half, store, 2)
        SKERRY_ACCESS(store_word, store, 4)
        SKERRY_ACCESS(store_double, store, 8)
#undef SKERRY_ACCESS
    case Operation::testset_byte: return testset<1>(s, i, bus, indexed);
    case Operation::testset_half: return testset<2>(s, i, bus, indexed);
    case Operation::testset_word: return testset<4>(s, i, bus, indexed);

    case Operation::move_to_special: {
        const std::uint32_t here = s.pc;
        const Access access = bus.write_special(s, static_cast<SpecialRegister>(immediate), rd);
        if (access != Access::done) [[unlikely]]
            return not_done(access);
        if (s.pc != here) next = s.pc; // the instruction wrote PC
        return Outcome::interrupts;
    }
    case Operation::move_from_special: {
        std::uint32_t value = 0;
        const Access access = bus.read_special(s, static_cast<SpecialRegister>(immediate), value);
        if (access != Access::done) [[unlikely]]
            return not_done(access);
        rd = value;
        return Outcome::done;
    }

    case Operation::no_operation:
    case Operation::no_operation_single: return Outcome::done;
    case Operation::interrupts_enable: s.status &= ~status::interrupts_disabled; return Outcome::interrupts;
    case Operation::interrupts_disable: s.status |= status::interrupts_disabled; return Outcome::done;
    case Operation::return_from_interrupt:
        leave_interrupt(s);
        next = s.interrupt_return;
        return Outcome::interrupts;
    case Operation::idle: s.status &= ~status::active; return Outcome::idle;
    case Operation::wand: s.status |= status::wand; return Outcome::wand;
    case Operation::sync: return Outcome::sync;
    case Operation::trap: return Outcome::trap;
    case Operation::breakpoint: next = s.pc; return Outcome::breakpoint;
    case Operation::multicore_breakpoint: return Outcome::multicore_breakpoint;
    case Operation::software_interrupt: return exception(s, Cause::software_interrupt);
    case Operation::unimplemented:
    case Operation::field_extract:
    case Operation::field_deposit:
    case Operation::feedback_shift:
    case Operation::float_reciprocal:
    case Operation::float_square_root: return exception(s, Cause::unimplemented);
    case Operation::illegal: return exception(s, Cause::illegal);
    }
    return exception(s, Cause::illegal);
}

// Executes the instruction at address s.pc. The whole function is inlined. Therefore it should be called in only one
// place, the core's loop.
template <Bus B> [[gnu::always_inline]] constexpr Outcome execute(State &s, const Instruction &i, B &bus) {
    const std::uint32_t here = s.pc;
    std::uint32_t next = here + i.length;
    const Outcome outcome = perform(s, i, bus, next);
    if (outcome == Outcome::again || outcome == Outcome::fault) [[unlikely]]
        return outcome;
    s.pc = next;
    if (s.loop_count != 0) [[unlikely]]
        close_loop(s, here);
    return outcome;
}

} // namespace skerry::sim
