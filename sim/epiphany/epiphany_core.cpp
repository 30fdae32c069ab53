// SPDX-License-Identifier: BSD-3-Clause
// Simulates the pipeline of an Epiphany core: decides which instructions issue in a cycle, and when the next
// instruction can issue. When the operands of an instruction are ready, the simulator executes the instruction at once.
// The scoreboard (usable_at_) has the later cycle from which other instructions can use the result. Each cycle in which
// no instruction issues is counted for one cause (enum Stall).
#include "epiphany/epiphany_core.hpp"

#include <bit>

namespace skerry::sim {

void EpiphanyCore::step(std::uint64_t now) {
    now_ = now;
    if (now >= attention_at_) [[unlikely]] {
        if (!attend(now)) return;
    }
    const std::uint32_t here = state.pc;
    const Decoded *d = find(here);
    if (d == nullptr) [[unlikely]]
        return halt({StopKind::no_code, here, 2, false});
    if (operands_wait(*d, now)) {
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
    // At the last instruction of a hardware loop's body, execute() sets the pc to the loop's start. The pc then differs
    // from `next`.
    if (state.pc != next) return redirect();
    if (d->unit != Unit::single) issue_beside(*d, now);
}

// Issues a second instruction in the same cycle (dual issue) if all of these conditions hold:
// * Exactly one of the two instructions is for the floating-point unit.
// * The second instruction does not depend on the first.
// * The second instruction's operands, its bytes in the fetch buffer and its memory bank are available.
//
// If not, does nothing and counts no wait: the second instruction becomes the first instruction of a later cycle.
inline void EpiphanyCore::issue_beside(const Decoded &first, std::uint64_t now) {
    const std::uint32_t here = state.pc;
    Decoded *d = find(here);
    if (d == nullptr || d->unit == Unit::single) return;
    if ((d->unit == Unit::floating) == (first.unit == Unit::floating) || alone) return;
    if ((first.early | first.late) & d->touched) return;
    if (first.unit == Unit::floating && d->flags_read == Flags::floating) return;
    if (operands_wait(*d, now) && operands_ready(*d, now) > now) return;
    const std::uint32_t next = here + d->instruction.length;
    if (next > fetched_end_) { // the claim of the bank also fails if the first instruction's fetch has claimed it
        if (!code_local_ || next > fetched_end_ + fetch_bytes) return;
        if (!memory.claim(fetched_end_ & (core_space - 1), now)) return;
        fetched_end_ += fetch_bytes;
    }
    second_ = true;
    const Outcome outcome = execute(state, d->instruction, *this);
    second_ = false;
    if (outcome != Outcome::done) [[unlikely]] {
        if (outcome == Outcome::exception) {
            counters.dual++;
            issued(*d, now);
            exception(here);
        } else if (outcome == Outcome::fault) {
            port_.stopped(*this);
        }
        return;
    }
    counters.dual++;
    issued(*d, now);
    if (state.pc != next) redirect();
}

// -- scoreboard -------------------------------------------------------------------------------------------------------

// Returns false if all operands are certainly ready. If it returns true, operands_ready() must find out when they are.
// This fast test saves most calls of operands_ready().
inline bool EpiphanyCore::operands_wait(const Decoded &d, std::uint64_t now) {
    if ((d.touched & late_) != 0 || d.flags_read == Flags::floating) return true;
    return d.unit == Unit::floating && (d.reads & early_) != 0 && early_at_ + timing::integer_result >= now;
}

// Returns the first cycle in which all operands are ready. A register that the instruction writes counts as an operand
// too. An earlier instruction's result for this register must be written before the result of this instruction.
std::uint64_t EpiphanyCore::operands_ready(const Decoded &d, std::uint64_t now) {
    std::uint64_t ready = now;
    const bool floating = d.unit == Unit::floating;
    for (std::uint64_t left = d.touched & late_; left != 0; left &= left - 1) {
        const auto r = static_cast<unsigned>(std::countr_zero(left));
        const std::uint64_t bit = std::uint64_t{1} << r;
        std::uint64_t usable = usable_at_[r];
        if (usable + timing::float_reads_earlier <= now) {
            late_ &= ~bit;
            continue;
        }
        const bool by_float = (late_floating_ & bit) != 0;
        if (floating && !by_float) usable += timing::float_reads_earlier;
        if ((d.stored & bit) != 0 && by_float) usable -= timing::store_data_reads_later;
        ready = std::max(ready, usable);
    }
    if (floating && (d.reads & early_) != 0) {
        ready = std::max(ready, early_at_ + timing::integer_result + timing::float_reads_earlier);
    }
    if (d.flags_read == Flags::floating) ready = std::max(ready, float_flags_at_);
    return ready;
}

inline void EpiphanyCore::issued(const Decoded &d, std::uint64_t now) {
    if (d.unit == Unit::floating) {
        counters.floating++;
        late_ |= d.late;
        late_floating_ |= d.late;
        usable_at_[d.instruction.rd] = now + timing::float_result;
        float_flags_at_ = now + timing::float_result;
        return;
    }
    counters.integer_side++;
    if (d.early != 0) {
        early_ = d.early;
        early_at_ = now;
    }
    if (d.late != 0) {
        late_ |= d.late;
        late_floating_ &= ~d.late;
        usable_at_[d.instruction.rd] = now + timing::load_result;
        usable_at_[(d.instruction.rd + 1U) & 63] = now + timing::load_result; // for a load that writes two registers
    }
}

// -- decoding ---------------------------------------------------------------------------------------------------------

// Decodes the instruction at this offset of code_. An instruction that crosses the end of the memory is illegal.
void EpiphanyCore::decode_at(std::uint32_t offset, Decoded &d) {
    d = decode_for_issue(code_->code_at(offset));
    if (!code_->holds(offset, d.instruction.length)) d.instruction = Instruction{};
    code_->mark_code(offset, d.instruction.length);
}

// -- outcomes of an instruction that need more work -------------------------------------------------------------------

void EpiphanyCore::went_elsewhere(std::uint64_t now) {
    redirect();
    check_stack(state.r[stack_register]);
    if (active()) wait(Stall::branch, now + timing::taken_branch, now + 1);
}

void EpiphanyCore::slow_path(const Decoded &d, std::uint32_t here, Outcome outcome, std::uint64_t now) {
    if (outcome == Outcome::again) return; // the access (core_bus.cpp) has set ready_at and counted the wait
    if (outcome == Outcome::fault) {
        const std::uint32_t stack = overflowed(state.r[stack_register]);
        if (stop.kind == StopKind::no_memory && stack != 0) stop = {StopKind::stack, stack, 0, false};
        return port_.stopped(*this);
    }
    issued(d, now);
    const bool sequential = state.pc == here + d.instruction.length;
    switch (outcome) {
    case Outcome::exception: return exception(here);
    case Outcome::interrupts:
        attention_at_ = 0;
        if (d.instruction.operation == Operation::interrupts_enable && here % 8 == 0 && sequential) {
            const Decoded *next = find(state.pc);
            hold_interrupts_ = next != nullptr && next->instruction.operation == Operation::idle;
        }
        break;
    case Outcome::idle:
        hold_interrupts_ = false;
        sleep_until_interrupt(now);
        break;
    case Outcome::wand:
        events_outside++;
        devices_.wand(*this);
        break;
    case Outcome::sync:
        events_outside++;
        devices_.sync(*this);
        break;
    case Outcome::trap: ask_host(static_cast<unsigned>(d.instruction.immediate), now); break;
    case Outcome::breakpoint: return halt({StopKind::breakpoint, here, 2, false});
    case Outcome::multicore_breakpoint:
        if ((state.config & config::multicore_breakpoint) != 0) devices_.multicore_breakpoint(*this);
        break;
    default: break;
    }
    if (sequential || !active()) return;
    if (d.instruction.operation == Operation::return_from_interrupt ||
        d.instruction.operation == Operation::move_to_special) {
        return went_elsewhere(now);
    }
    redirect();
}

// Enters the program's exception handler. If the program has none, stops the core with the program counter at the
// instruction that failed. This address tells the user more than the address of the missing handler.
void EpiphanyCore::exception(std::uint32_t here) {
    const bool taken = next_interrupt(state) == static_cast<unsigned>(Interrupt::exception);
    const bool software =
        (state.status & status::cause) >> status::cause_shift == static_cast<std::uint32_t>(Cause::software_interrupt);
    attention_at_ = 0;
    if (taken ? !vector_empty(static_cast<unsigned>(Interrupt::exception)) : software) return redirect();
    state.pc = here;
    halt({StopKind::exception, here, 0, false});
}

template class DecodingCore<EpiphanyCore, Decoded>;

} // namespace skerry::sim
