// SPDX-License-Identifier: BSD-3-Clause
// Defines the effect of each instruction on a core's state, in one line or a few lines of code. Instructions access
// memory and control registers (CSR) only through a Bus. The Bus can refuse an access. The instruction then has no
// effect and is executed again in a later cycle. Source: The RISC-V Instruction Set Manual, volume I (20191213).
#pragma once
#include <concepts>
#include <cstdint>

#include "memory/access.hpp"
#include "memory/atomic.hpp"
#include "riscv/float.hpp"
#include "riscv/instruction.hpp"
#include "riscv/state.hpp"

namespace skerry::sim::riscv {

// The outcome of an instruction. After `again`, `fault`, `exception` and `breakpoint` the pc is unchanged. After all
// other outcomes the pc is the address of the next instruction.
enum class Outcome : std::uint8_t {
    done,
    jumped,     // a branch was taken
    again,      // the bus refused the access in this cycle: the instruction had no effect
    fault,      // the bus forbids the access: the instruction had no effect
    exception,  // raise() was called
    interrupts, // MRET or a write to a CSR: the core must check if it can take an interrupt now
    returned,   // MRET: as `interrupts`, and pc has changed as after a jump
    wait,       // WFI: the core must wait for an interrupt
    fence,      // FENCE: the core must wait until its stores have arrived, if these are among those that it orders
    host,       // ECALL: the program requests a service of the host
    breakpoint,
};

// The operations of a bus. Addresses are multiples of the size of the access.
//   load<size>(address, value), store<size>(address, value)
//   atomically(operation, address, value, release)  `value` is the operand. It receives the old content, or the result of SC.
//                                                   If `release`, all earlier stores of the core must have arrived.
//   read_csr(number, value), write_csr(number, value)  The result is Access::fault if the register does not exist, or if
//                                                      it is read-only and would be written.
template <class B>
concept Bus = requires(B bus, std::uint32_t address, AtomicOperation operation, Word<1> &byte, Word<2> &half,
                       Word<4> &word, Word<8> &pair) {
    { bus.template load<1>(address, byte) } -> std::same_as<Access>;
    { bus.template load<2>(address, half) } -> std::same_as<Access>;
    { bus.template load<4>(address, word) } -> std::same_as<Access>;
    { bus.template load<8>(address, pair) } -> std::same_as<Access>;
    { bus.template store<1>(address, byte) } -> std::same_as<Access>;
    { bus.template store<2>(address, half) } -> std::same_as<Access>;
    { bus.template store<4>(address, word) } -> std::same_as<Access>;
    { bus.template store<8>(address, pair) } -> std::same_as<Access>;
    { bus.atomically(operation, address, word, true) } -> std::same_as<Access>;
    { bus.read_csr(address, word) } -> std::same_as<Access>;
    { bus.write_csr(address, word) } -> std::same_as<Access>;
    { bus.refuses_division_by_zero() } -> std::same_as<bool>;
};

constexpr std::int32_t as_signed(std::uint32_t v) {
    return static_cast<std::int32_t>(v);
}

constexpr Outcome exception(State &s, Cause cause, std::uint32_t value) {
    raise(s, cause, value);
    return Outcome::exception;
}

constexpr Outcome unfinished(Access access) {
    return access == Access::again ? Outcome::again : Outcome::fault;
}

// -- integers ---------------------------------------------------------------------------------------------------------

constexpr std::uint32_t high_product(std::int64_t a, std::int64_t b) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(a * b) >> 32);
}
constexpr std::uint32_t high_product_unsigned(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32);
}
// Two divisions have no normal result: a division by zero, and the division of the smallest number by -1, whose result
// does not fit. Both give a result that the specification defines, and raise no exception.
constexpr bool overflows(std::uint32_t a, std::uint32_t b) {
    return a == 0x80000000 && b == 0xffffffff;
}
constexpr std::uint32_t quotient(std::uint32_t a, std::uint32_t b) {
    if (b == 0) return 0xffffffff;
    return overflows(a, b) ? a : static_cast<std::uint32_t>(as_signed(a) / as_signed(b));
}
constexpr std::uint32_t remainder(std::uint32_t a, std::uint32_t b) {
    if (b == 0) return a;
    return overflows(a, b) ? 0 : static_cast<std::uint32_t>(as_signed(a) % as_signed(b));
}

// -- floating point ---------------------------------------------------------------------------------------------------

constexpr std::uint64_t box(std::uint32_t single) {
    return std::uint64_t{0xffffffff} << 32 | single;
}
// Returns a single-precision operand. A valid operand has only ones in the register's upper half. Any other operand
// counts as a NaN.
constexpr std::uint32_t single(const State &s, unsigned r) {
    return s.f[r] >> 32 == 0xffffffff ? static_cast<std::uint32_t>(s.f[r]) : fp::Limits<fp::Single>::nan;
}

template <class F> constexpr typename F::Bits read_float(const State &s, unsigned r) {
    if constexpr (sizeof(typename F::Bits) == 4) return single(s, r);
    else return s.f[r];
}
template <class F> constexpr void write_float(State &s, unsigned r, typename F::Bits value) {
    if constexpr (sizeof(typename F::Bits) == 4) s.f[r] = box(value);
    else s.f[r] = value;
}

// -- loads, stores and atomic operations ------------------------------------------------------------------------------

template <unsigned size, class Value, Bus B>
[[gnu::always_inline]] constexpr Outcome load(State &s, B &bus, std::uint32_t address, Value &&write) {
    if ((address & (size - 1)) != 0) [[unlikely]]
        return exception(s, Cause::load_misaligned, address);
    Word<size> value{};
    const Access access = bus.template load<size>(address, value);
    if (access != Access::done) [[unlikely]]
        return unfinished(access);
    write(value);
    return Outcome::done;
}

template <unsigned size, Bus B>
[[gnu::always_inline]] constexpr Outcome store(State &s, B &bus, std::uint32_t address, Word<size> value) {
    if ((address & (size - 1)) != 0) [[unlikely]]
        return exception(s, Cause::store_misaligned, address);
    const Access access = bus.template store<size>(address, value);
    return access == Access::done ? Outcome::done : unfinished(access);
}

template <Bus B> constexpr Outcome atomic(State &s, const Instruction &i, B &bus, AtomicOperation operation) {
    const std::uint32_t address = s.x[i.rs1];
    if ((address & 3) != 0) [[unlikely]]
        return exception(s, operation == AtomicOperation::reserve ? Cause::load_misaligned : Cause::store_misaligned,
                         address);
    std::uint32_t value = s.x[i.rs2];
    if (operation == AtomicOperation::conditional && (s.has_reservation == 0 || s.reserved_at != address)) {
        value = 1; // SC fails without an access
    } else {
        const Access access = bus.atomically(operation, address, value, (i.rounding & 1) != 0);
        if (access != Access::done) return unfinished(access);
    }
    if (operation == AtomicOperation::reserve) s.reserved_at = address;
    if (operation == AtomicOperation::reserve) s.has_reservation = 1;
    if (operation == AtomicOperation::conditional) s.has_reservation = 0;
    s.x[i.rd] = value;
    return Outcome::done;
}

// Executes a CSR instruction. `change` computes the new value from the old value. Two exceptions:
// * CSRRW does not read the register if rd is x0.
// * CSRRS and CSRRC do not write the register if rs1 is x0 or the immediate is 0.
template <Bus B, class Change>
constexpr Outcome csr(State &s, const Instruction &i, B &bus, bool reads, bool writes, Change &&change) {
    const auto number = static_cast<std::uint32_t>(i.immediate);
    std::uint32_t old = 0;
    if (reads && bus.read_csr(number, old) != Access::done) return exception(s, Cause::illegal, 0);
    if (writes && bus.write_csr(number, change(old)) != Access::done) return exception(s, Cause::illegal, 0);
    s.x[i.rd] = old;
    return writes ? Outcome::interrupts : Outcome::done;
}

template <Bus B> constexpr Outcome csr(State &s, const Instruction &i, B &bus) {
    const bool by_register = facts_of(i.operation).format == Format::csr;
    const std::uint32_t operand = by_register ? s.x[i.rs1] : i.rs1;
    switch (i.operation) {
    case Operation::csrrw:
    case Operation::csrrwi: return csr(s, i, bus, i.rd != discarded, true, [&](std::uint32_t) { return operand; });
    case Operation::csrrs:
    case Operation::csrrsi: return csr(s, i, bus, true, i.rs1 != 0, [&](std::uint32_t old) { return old | operand; });
    default: return csr(s, i, bus, true, i.rs1 != 0, [&](std::uint32_t old) { return old & ~operand; });
    }
}

// -- floating-point instructions --------------------------------------------------------------------------------------

// Executes a floating-point instruction. Returns Outcome::exception if the instruction has a rounding mode that does
// not exist.
template <class F> constexpr Outcome perform_float(State &s, const Instruction &i, Operation single_operation) {
    using Bits = typename F::Bits;
    constexpr Bits sign = fp::Limits<F>::sign;
    fp::Context c;
    if (operands_of(facts_of(i.operation).format).rounds) {
        c.rounding = static_cast<std::uint8_t>(i.rounding == 7 ? s.fcsr >> 5 & 7 : i.rounding);
        if (c.rounding > fp::nearest_away) return exception(s, Cause::illegal, 0);
    }
    const Bits a = read_float<F>(s, i.rs1);
    const Bits b = read_float<F>(s, i.rs2);
    const Bits d = read_float<F>(s, i.rs3);
    const std::uint32_t integer = s.x[i.rs1];
    const auto to_float = [&](Bits value) { write_float<F>(s, i.rd, value); };
    const auto to_integer = [&](std::uint32_t value) { s.x[i.rd] = value; };
    switch (single_operation) {
    case Operation::fmadd_s: to_float(fp::multiply_add<F>(c, a, b, d)); break;
    case Operation::fmsub_s: to_float(fp::multiply_add<F>(c, a, b, d ^ sign)); break;
    case Operation::fnmsub_s: to_float(fp::multiply_add<F>(c, a ^ sign, b, d)); break;
    case Operation::fnmadd_s: to_float(fp::multiply_add<F>(c, a ^ sign, b, d ^ sign)); break;
    case Operation::fadd_s: to_float(fp::add<F>(c, a, b)); break;
    case Operation::fsub_s: to_float(fp::subtract<F>(c, a, b)); break;
    case Operation::fmul_s: to_float(fp::multiply<F>(c, a, b)); break;
    case Operation::fdiv_s: to_float(fp::divide<F>(c, a, b)); break;
    case Operation::fsqrt_s: to_float(fp::square_root<F>(c, a)); break;
    case Operation::fsgnj_s: to_float((a & ~sign) | (b & sign)); break;
    case Operation::fsgnjn_s: to_float((a & ~sign) | (~b & sign)); break;
    case Operation::fsgnjx_s: to_float(a ^ (b & sign)); break;
    case Operation::fmin_s: to_float(fp::extreme<F>(c, a, b, true)); break;
    case Operation::fmax_s: to_float(fp::extreme<F>(c, a, b, false)); break;
    case Operation::fcvt_w_s: to_integer(fp::to_integer<F>(c, a, true)); break;
    case Operation::fcvt_wu_s: to_integer(fp::to_integer<F>(c, a, false)); break;
    case Operation::feq_s: to_integer(fp::equal<F>(c, a, b)); break;
    case Operation::flt_s: to_integer(fp::compare<F>(c, a, b, false)); break;
    case Operation::fle_s: to_integer(fp::compare<F>(c, a, b, true)); break;
    case Operation::fclass_s: to_integer(fp::classify<F>(a)); break;
    case Operation::fcvt_s_w: to_float(fp::from_signed<F>(c, integer)); break;
    case Operation::fcvt_s_wu: to_float(fp::from_integer<F>(c, false, integer)); break;
    case Operation::fmv_x_w: to_integer(static_cast<std::uint32_t>(s.f[i.rs1])); break;
    case Operation::fmv_w_x: s.f[i.rd] = box(integer); break;
    case Operation::fcvt_s_d: s.f[i.rd] = box(fp::convert<fp::Single, fp::Double>(c, s.f[i.rs1])); break;
    case Operation::fcvt_d_s: s.f[i.rd] = fp::convert<fp::Double, fp::Single>(c, single(s, i.rs1)); break;
    default: return exception(s, Cause::illegal, 0);
    }
    s.fcsr |= c.raised;
    return Outcome::done;
}

// Executes a floating-point instruction that does not access memory. An operation in double precision is first
// converted to the corresponding operation in single precision. perform_float<F> then needs only one case for both. The
// conversion is possible because the enum Operation lists the operations of both precisions in the same order.
inline Outcome perform_float(State &s, const Instruction &i) {
    const auto number = static_cast<unsigned>(i.operation);
    constexpr auto first_single = static_cast<unsigned>(Operation::fmadd_s);
    constexpr auto first_double = static_cast<unsigned>(Operation::fmadd_d);
    constexpr auto end_double = static_cast<unsigned>(Operation::fcvt_d_wu);
    static_assert(end_double - first_double + 1 == first_double - first_single);
    if (number < first_double || number > end_double) return perform_float<fp::Single>(s, i, i.operation);
    return perform_float<fp::Double>(s, i, static_cast<Operation>(number - first_double + first_single));
}

// -- execution of one instruction -------------------------------------------------------------------------------------

// Executes one instruction. On entry `next` is the address after the instruction. On return `next` is the address of
// the next instruction to execute. If the instruction writes x0, `i.rd` must be `discarded`.
template <Bus B>
[[gnu::always_inline]] constexpr Outcome perform(State &s, const Instruction &i, B &bus, std::uint32_t &next) {
    std::uint32_t &rd = s.x[i.rd];
    const std::uint32_t rs1 = s.x[i.rs1];
    const std::uint32_t rs2 = s.x[i.rs2];
    const auto immediate = static_cast<std::uint32_t>(i.immediate);
    const std::uint32_t displaced = rs1 + immediate;
    const auto branch = [&](bool taken) {
        if (!taken) return Outcome::done;
        next = s.pc + immediate;
        return Outcome::jumped;
    };
    const auto divide = [&](auto result) {
        if (rs2 == 0 && bus.refuses_division_by_zero()) [[unlikely]]
            return Outcome::fault;
        rd = result();
        return Outcome::done;
    };
    const auto to_rd = [&](auto value) { rd = static_cast<std::uint32_t>(static_cast<std::int32_t>(value)); };

    switch (i.operation) {
    case Operation::lui: rd = immediate; return Outcome::done;
    case Operation::auipc: rd = s.pc + immediate; return Outcome::done;
    case Operation::jal:
        rd = next;
        next = s.pc + immediate;
        return Outcome::jumped;
    case Operation::jalr:
        rd = next;
        next = displaced & ~1U;
        return Outcome::jumped;
    case Operation::beq: return branch(rs1 == rs2);
    case Operation::bne: return branch(rs1 != rs2);
    case Operation::blt: return branch(as_signed(rs1) < as_signed(rs2));
    case Operation::bge: return branch(as_signed(rs1) >= as_signed(rs2));
    case Operation::bltu: return branch(rs1 < rs2);
    case Operation::bgeu: return branch(rs1 >= rs2);

    case Operation::lb: return load<1>(s, bus, displaced, [&](Word<1> v) { to_rd(static_cast<std::int8_t>(v)); });
    case Operation::lh: return load<2>(s, bus, displaced, [&](Word<2> v) { to_rd(static_cast<std::int16_t>(v)); });
    case Operation::lw: return load<4>(s, bus, displaced, [&](Word<4> v) { rd = v; });
    case Operation::lbu: return load<1>(s, bus, displaced, [&](Word<1> v) { rd = v; });
    case Operation::lhu: return load<2>(s, bus, displaced, [&](Word<2> v) { rd = v; });
    case Operation::sb: return store<1>(s, bus, displaced, static_cast<Word<1>>(rs2));
    case Operation::sh: return store<2>(s, bus, displaced, static_cast<Word<2>>(rs2));
    case Operation::sw: return store<4>(s, bus, displaced, rs2);
    case Operation::flw: return load<4>(s, bus, displaced, [&](Word<4> v) { s.f[i.rd] = box(v); });
    case Operation::fld: return load<8>(s, bus, displaced, [&](Word<8> v) { s.f[i.rd] = v; });
    case Operation::fsw: return store<4>(s, bus, displaced, static_cast<Word<4>>(s.f[i.rs2]));
    case Operation::fsd: return store<8>(s, bus, displaced, s.f[i.rs2]);

    case Operation::addi: rd = displaced; return Outcome::done;
    case Operation::slti: rd = as_signed(rs1) < i.immediate ? 1 : 0; return Outcome::done;
    case Operation::sltiu: rd = rs1 < immediate ? 1 : 0; return Outcome::done;
    case Operation::xori: rd = rs1 ^ immediate; return Outcome::done;
    case Operation::ori: rd = rs1 | immediate; return Outcome::done;
    case Operation::andi: rd = rs1 & immediate; return Outcome::done;
    case Operation::slli: rd = rs1 << immediate; return Outcome::done;
    case Operation::srli: rd = rs1 >> immediate; return Outcome::done;
    case Operation::srai: to_rd(as_signed(rs1) >> immediate); return Outcome::done;
    case Operation::add: rd = rs1 + rs2; return Outcome::done;
    case Operation::sub: rd = rs1 - rs2; return Outcome::done;
    case Operation::sll: rd = rs1 << (rs2 & 31); return Outcome::done;
    case Operation::slt: rd = as_signed(rs1) < as_signed(rs2) ? 1 : 0; return Outcome::done;
    case Operation::sltu: rd = rs1 < rs2 ? 1 : 0; return Outcome::done;
    case Operation::bit_xor: rd = rs1 ^ rs2; return Outcome::done;
    case Operation::srl: rd = rs1 >> (rs2 & 31); return Outcome::done;
    case Operation::sra: to_rd(as_signed(rs1) >> (rs2 & 31)); return Outcome::done;
    case Operation::bit_or: rd = rs1 | rs2; return Outcome::done;
    case Operation::bit_and: rd = rs1 & rs2; return Outcome::done;

    case Operation::mul: rd = rs1 * rs2; return Outcome::done;
    case Operation::mulh: rd = high_product(as_signed(rs1), as_signed(rs2)); return Outcome::done;
    case Operation::mulhsu: rd = high_product(as_signed(rs1), std::int64_t{rs2}); return Outcome::done;
    case Operation::mulhu: rd = high_product_unsigned(rs1, rs2); return Outcome::done;
    case Operation::div: return divide([&] { return quotient(rs1, rs2); });
    case Operation::divu: return divide([&] { return rs2 == 0 ? 0xffffffff : rs1 / rs2; });
    case Operation::rem: return divide([&] { return remainder(rs1, rs2); });
    case Operation::remu: return divide([&] { return rs2 == 0 ? rs1 : rs1 % rs2; });

    case Operation::lr_w: return atomic(s, i, bus, AtomicOperation::reserve);
    case Operation::sc_w: return atomic(s, i, bus, AtomicOperation::conditional);
    case Operation::amoswap_w: return atomic(s, i, bus, AtomicOperation::swap);
    case Operation::amoadd_w: return atomic(s, i, bus, AtomicOperation::add);
    case Operation::amoxor_w: return atomic(s, i, bus, AtomicOperation::bit_xor);
    case Operation::amoand_w: return atomic(s, i, bus, AtomicOperation::bit_and);
    case Operation::amoor_w: return atomic(s, i, bus, AtomicOperation::bit_or);
    case Operation::amomin_w: return atomic(s, i, bus, AtomicOperation::minimum);
    case Operation::amomax_w: return atomic(s, i, bus, AtomicOperation::maximum);
    case Operation::amominu_w: return atomic(s, i, bus, AtomicOperation::minimum_unsigned);
    case Operation::amomaxu_w: return atomic(s, i, bus, AtomicOperation::maximum_unsigned);

    case Operation::csrrw:
    case Operation::csrrs:
    case Operation::csrrc:
    case Operation::csrrwi:
    case Operation::csrrsi:
    case Operation::csrrci: return csr(s, i, bus);

    case Operation::fence: return Outcome::fence;
    // FENCE.I (makes new code visible) has nothing to do: each store already invalidates the decoded instructions that
    // it overwrites.
    case Operation::fence_i: return Outcome::done;
    case Operation::ecall: return Outcome::host;
    case Operation::ebreak: next = s.pc; return Outcome::breakpoint;
    case Operation::mret:
        leave_handler(s);
        next = s.mepc;
        return Outcome::returned;
    case Operation::wfi: return Outcome::wait;
    case Operation::illegal: return exception(s, Cause::illegal, 0);
    default: return perform_float(s, i);
    }
}

// Executes the instruction at address s.pc. The whole function is inlined. Therefore it should be called in only one
// place, the core's loop.
template <Bus B> [[gnu::always_inline]] constexpr Outcome execute(State &s, const Instruction &i, B &bus) {
    std::uint32_t next = s.pc + i.length;
    const Outcome outcome = perform(s, i, bus, next);
    if (outcome == Outcome::again || outcome == Outcome::fault || outcome == Outcome::exception) [[unlikely]]
        return outcome;
    s.pc = next;
    return outcome;
}

} // namespace skerry::sim::riscv
