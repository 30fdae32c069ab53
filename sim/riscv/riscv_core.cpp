// SPDX-License-Identifier: BSD-3-Clause
// Simulates the pipeline of a RISC-V core: decides when the next instruction issues. When the operands of an
// instruction are ready, the simulator executes the instruction at once. The scoreboard (usable_at_) has the later
// cycle from which other instructions can use the result. Each cycle in which no instruction issues is counted for one
// cause (enum Stall).
#include "riscv/riscv_core.hpp"

#include <algorithm>
#include <bit>

namespace skerry::sim {

using riscv::Decoded;
using riscv::Operation;
using riscv::Outcome;

RiscvCore::RiscvCore(std::uint32_t core_id, std::uint32_t hart, std::uint32_t memory_bytes,
                     const RiscvConfiguration &kind, RemotePort &network, CorePort &chip)
    : DecodingCore(riscv_set, core_id, memory_bytes, network, chip), kind_(kind), hart_(hart) {
}

inline void RiscvCore::step(std::uint64_t now) {
    now_ = now;
    if (now >= attention_at_) [[unlikely]] {
        if (!attend(now)) return;
    }
    const std::uint32_t here = state.pc;
    const Decoded *d = find(here);
    if (d == nullptr) [[unlikely]]
        return halt({StopKind::no_code, here, 2, false});
    if ((d->touched & late_) != 0 || is_divider(d->unit)) {
        const std::uint64_t usable = operands_ready(*d, now);
        if (usable > now) {
            wait(Stall::registers, usable, now);
            if (usable >= limit_ || usable >= attention_at_) return;
            // The core continues in the cycle `usable` without a return to the chip's loop. No other part of the chip
            // acts before that cycle, so this is correct.
            now = now_ = usable;
        }
    }
    const std::uint32_t next = here + d->instruction.length;
    if (next > fetched_end_ && !fetch(next, now)) return;

    ready_at = now + 1;
    const Outcome outcome = execute(state, d->instruction, *this);
    if (outcome != Outcome::done) [[unlikely]] {
        if (outcome != Outcome::jumped) return slow_path(*d, here, outcome, now);
        issued(*d, now);
        return went_elsewhere(now);
    }
    issued(*d, now);
}

// -- scoreboard -------------------------------------------------------------------------------------------------------

// Returns the first cycle in which all operands are ready. A register that the instruction writes counts as an operand
// too. An earlier instruction's result for this register must be written before the result of this instruction.
std::uint64_t RiscvCore::operands_ready(const Decoded &d, std::uint64_t now) {
    std::uint64_t ready = is_divider(d.unit) ? std::max(now, divider_at_) : now;
    for (std::uint64_t left = d.touched & late_; left != 0; left &= left - 1) {
        const auto r = static_cast<unsigned>(std::countr_zero(left));
        if (usable_at_[r] <= now) late_ &= ~(std::uint64_t{1} << r);
        else ready = std::max(ready, usable_at_[r]);
    }
    return ready;
}

inline void RiscvCore::issued(const Decoded &d, std::uint64_t now) {
    counters.floating += d.floating ? 1 : 0;
    counters.integer_side += d.floating ? 0 : 1;
    if (d.latency == 1) return;
    late_ |= std::uint64_t{1} << d.result & ~std::uint64_t{1};
    usable_at_[d.result] = now + d.latency;
    if (is_divider(d.unit)) divider_at_ = now + d.latency;
}

// -- decoding ---------------------------------------------------------------------------------------------------------

bool RiscvCore::has(riscv::Extension extension) const {
    switch (extension) {
    case riscv::Extension::base:
    case riscv::Extension::csr: return true;
    case riscv::Extension::multiply: return kind_.extensions.multiply;
    case riscv::Extension::atomic: return kind_.extensions.atomic;
    case riscv::Extension::single_float: return kind_.extensions.single_float;
    case riscv::Extension::double_float: return kind_.extensions.double_float;
    }
    return false;
}

// Decodes the instruction at this offset of code_. An instruction is illegal if the core lacks its extension, or if it
// crosses the end of the memory.
void RiscvCore::decode_at(std::uint32_t offset, Decoded &d) {
    riscv::Instruction i = riscv::decode(code_->code_at(offset));
    const bool whole = code_->holds(offset, i.length);
    if (!whole) i.length = 2;
    if (!whole || !has(riscv::facts_of(i.operation).extension)) i = {.length = i.length};
    const riscv::Facts &facts = riscv::facts_of(i.operation);
    const riscv::Operands operands = riscv::operands_of(facts.format);
    d.unit = facts.unit;
    d.floating = facts.extension == riscv::Extension::single_float || facts.extension == riscv::Extension::double_float;
    d.result = static_cast<std::uint8_t>(operands.fd ? riscv::first_float + i.rd : operands.rd ? i.rd : 0);
    d.latency = static_cast<std::uint8_t>(latency_of(kind_.timing, facts.unit));
    d.touched = registers_read(i) | registers_written(i);
    if (operands.rd && i.rd == 0) i.rd = riscv::discarded;
    d.instruction = i;
    d.ready = true;
    code_->mark_code(offset, i.length);
}

// -- outcomes of an instruction that need more work -------------------------------------------------------------------

// Returns the stack pointer if it is too low, else 0. The stack pointer is too low if it is below the limit or if it is
// not an address of the core's own memory, which a large variable on the stack can cause. The limit is an offset in this
// memory, and so is the result, except for an address outside this memory. A program whose threads have stacks elsewhere sets
// a limit by a register, an address.
std::uint32_t RiscvCore::overflowed_stack() const {
    const std::uint32_t stack = state.x[riscv::stack_register];
    const std::uint32_t offset = stack >> 20 == id() ? stack & (core_space - 1) : stack;
    const bool overflowed = stack_bound_ != 0 && (offset <= stack_bound_ || offset >= core_space);
    return overflowed ? offset : stack < stack_limit_ ? stack : 0;
}

void RiscvCore::went_elsewhere(std::uint64_t now) {
    redirect();
    if (const std::uint32_t stack = overflowed_stack(); stack != 0) [[unlikely]]
        halt({StopKind::stack, stack, 0, false});
    if (active()) wait(Stall::branch, now + kind_.timing.taken_branch, now + 1);
}

void RiscvCore::slow_path(const Decoded &d, std::uint32_t here, Outcome outcome, std::uint64_t now) {
    if (outcome == Outcome::again) return; // the access has set ready_at and counted the wait
    if (outcome == Outcome::fault) {
        const std::uint32_t stack = overflowed_stack();
        if (stop.kind == StopKind::no_memory && stack != 0) stop = {StopKind::stack, stack, 0, false};
        return port_.stopped(*this);
    }
    issued(d, now);
    switch (outcome) {
    case Outcome::exception: return exception(now);
    case Outcome::interrupts: attention_at_ = 0; return;
    case Outcome::returned: attention_at_ = 0; return went_elsewhere(now);
    case Outcome::wait: return sleep_until_interrupt(now);
    case Outcome::fence: return fence(d, now);
    case Outcome::host: return ask_host(host_number(), now);
    case Outcome::breakpoint: return halt({StopKind::breakpoint, here, 2, false});
    default: return;
    }
}

// Enters the program's exception handler. If the program has none, stops the core at the instruction that failed.
void RiscvCore::exception(std::uint64_t now) {
    if (state.mtvec == 0) return halt({StopKind::exception, state.pc, 0, false});
    riscv::enter_handler(state, state.mcause);
    went_elsewhere(now);
}

// Executes FENCE. If the fence orders earlier writes, the core waits until its stores have arrived. It also waits for
// its messages, except if the fence orders nothing but writes before it (fence w,w): a message is output to a device.
// No wait is needed for earlier loads, because a load ends before the next instruction begins.
void RiscvCore::fence(const Decoded &d, std::uint64_t now) {
    constexpr std::uint32_t writes = 1;
    const std::uint32_t before = static_cast<std::uint32_t>(d.instruction.immediate) >> 4 & 0xf;
    if ((before & writes) != 0) await_stores(now + 1, before != writes);
}

// Makes the core wait until its stores have arrived, and its messages if `messages` is true. Returns false, without a
// wait, if they have arrived already.
bool RiscvCore::await_stores(std::uint64_t since, bool messages) {
    if (!port_.fence(*this, messages)) return false;
    waiting_ = Waiting::stores;
    waiting_since_ = since;
    ready_at = never;
    return true;
}

// An atomic operation with release order first waits until the core's stores have arrived, and is then executed again.
// Therefore no store is under way while the core waits for the answer to the atomic operation.
Access RiscvCore::atomically(AtomicOperation operation, std::uint32_t address, std::uint32_t &value, bool release) {
    if (release && waiting_ == Waiting::no && await_stores(now_, true)) return Access::again;
    return Core::atomically(operation, address, value);
}

// Called before a division of integers by zero. Returns true, and stops the core, if the program must not do this.
bool RiscvCore::refuses_division_by_zero() {
    if (state.pc >= divisions_end_) return false;
    stop = {StopKind::division, state.pc, 0, false};
    ready_at = never;
    return true;
}

template class DecodingCore<RiscvCore, riscv::Decoded>;

} // namespace skerry::sim
