// SPDX-License-Identifier: BSD-3-Clause
// Performs accesses outside a core's own memory: to the core's registers, to other cores and to external memory. A
// program accesses registers by the instructions MOVTS and MOVFS, or at their addresses in the memory map. The core
// offers a remote read until the network accepts it, and then waits. When the answer has arrived, the core executes the
// instruction again, and the instruction then finds the answer.
#include "core/core.hpp"

#include <algorithm>

namespace skerry::sim {

// ---- refusals ----

// Makes the core try the instruction again in cycle `until` and counts the lost cycles for `cause`. If the refused
// instruction is the second of the current cycle, this cycle is not lost, because the first instruction has issued.
Access Core::refuse(Stall cause, std::uint64_t until) {
    const std::uint64_t from = now_ + (second_ ? 1 : 0);
    counters[cause] += until - from;
    ready_at = until;
    return Access::again;
}

// Makes the core wait until the network can accept its access. Interrupts and timers stay active during the wait: the
// instruction has had no effect yet, so the core can take an interrupt before this instruction.
void Core::wait_for_room() {
    waiting_ = Waiting::room;
    waiting_since_ = now_ + (second_ ? 1 : 0);
    ready_at = std::max(timer_deadline(now_), now_ + 1);
    attention_at_ = 0;
}

Access Core::bank_taken() {
    return refuse(Stall::local_data, now_ + 1);
}

Access Core::no_access(StopKind kind, std::uint32_t address, unsigned size, bool write) {
    stop = {kind, address, static_cast<std::uint8_t>(size), write};
    ready_at = never;
    return Access::fault;
}

// ---- other places of the chip ----

Access Core::ask(RemoteKind kind, std::uint32_t address, unsigned size, std::uint64_t &value) {
    if (waiting_ == Waiting::answer && answered_) {
        waiting_ = Waiting::no;
        answered_ = false;
        value = answer_;
        return Access::done;
    }
    const bool posted = kind == RemoteKind::store;
    if (!posted) { // these members are set before the offer, because the chip can call complete() during the offer
        waiting_ = Waiting::answer;
        waiting_cause_ = Stall::remote_load;
        waiting_address_ = address;
        waiting_since_ = now_ + (second_ ? 1 : 0);
        ready_at = never;
    }
    switch (network_.offer(*this, {kind, static_cast<std::uint8_t>(size), address, value}, now_)) {
    case Acceptance::taken: return posted ? Access::done : Access::again;
    case Acceptance::refused: wait_for_room(); return Access::again;
    case Acceptance::fault: break;
    }
    waiting_ = Waiting::no;
    return no_access(StopKind::no_memory, address, size, kind != RemoteKind::load);
}

void Core::complete(std::uint64_t value, std::uint64_t at) {
    answer_ = value;
    answered_ = true;
    if (at > waiting_since_) counters[waiting_cause_] += at - waiting_since_;
    if (active()) ready_at = at; // a core that has stopped meanwhile does not run on
}

void Core::room(std::uint64_t at) {
    if (waiting_ == Waiting::room) ready_at = std::min(ready_at, at);
}

template <class Value> Access Core::load_elsewhere(std::uint32_t address, unsigned size, Value &value) {
    std::uint64_t wide = 0;
    if (local_offset(address) < core_space) {
        if (local_offset(address) < general_registers_base) {
            return no_access(StopKind::no_memory, address, size, false);
        }
        if (!read_register(local_offset(address), size, wide, now_)) {
            return no_access(StopKind::bad_register, address, size, false);
        }
        value = static_cast<Value>(wide);
        return Access::done;
    }
    const Access access = ask(RemoteKind::load, address, size, wide);
    if (access == Access::done) value = static_cast<Value>(wide);
    return access;
}
template Access Core::load_elsewhere(std::uint32_t, unsigned, std::uint8_t &);
template Access Core::load_elsewhere(std::uint32_t, unsigned, std::uint16_t &);
template Access Core::load_elsewhere(std::uint32_t, unsigned, std::uint32_t &);
template Access Core::load_elsewhere(std::uint32_t, unsigned, std::uint64_t &);

Access Core::store_elsewhere(std::uint32_t address, unsigned size, std::uint64_t value) {
    if (local_offset(address) < core_space) {
        if (local_offset(address) < general_registers_base) {
            return no_access(StopKind::no_memory, address, size, true);
        }
        const Access access = write_register(local_offset(address), size, value, now_);
        return access == Access::fault ? no_access(StopKind::bad_register, address, size, true) : access;
    }
    return ask(RemoteKind::store, address, size, value);
}

template <class Value> Access Core::testset_elsewhere(std::uint32_t address, unsigned size, Value &value) {
    if (local_offset(address) < core_space) return no_access(StopKind::no_memory, address, size, true);
    std::uint64_t wide = value;
    const Access access = ask(RemoteKind::testset, address, size, wide);
    if (access == Access::done) value = static_cast<Value>(wide);
    return access;
}
template Access Core::testset_elsewhere(std::uint32_t, unsigned, std::uint8_t &);
template Access Core::testset_elsewhere(std::uint32_t, unsigned, std::uint16_t &);
template Access Core::testset_elsewhere(std::uint32_t, unsigned, std::uint32_t &);

// ---- registers ----

static constexpr bool is_timer(SpecialRegister which) {
    return which == SpecialRegister::timer0 || which == SpecialRegister::timer1;
}

// Returns true if the program possibly polls ILAT (the latch of interrupts) to wait for the end of this timer. A timer
// with 2^31 or more events left is assumed to be a program's clock, not an alarm.
bool Core::is_alarm(unsigned timer) const {
    constexpr std::uint32_t latest = std::uint32_t{1} << 31;
    return timers_[timer].armed() && timers_[timer].value(events(source(timer), now_)) < latest;
}

Access Core::read_special(State &s, SpecialRegister which, std::uint32_t &value) {
    if (group_of(which) == SpecialGroup::core || which == SpecialRegister::core_id) {
        const bool by_timer = which == SpecialRegister::interrupt_latch && (is_alarm(0) || is_alarm(1));
        events_outside += is_timer(which) || by_timer ? 1 : 0;
        if (which == SpecialRegister::timer0) value = timers_[0].value(events(source(0), now_));
        else if (which == SpecialRegister::timer1) value = timers_[1].value(events(source(1), now_));
        else value = sim::read_special(s, which);
        return Access::done;
    }
    return port_.read_device(*this, which, value);
}

Access Core::write_special(State &s, SpecialRegister which, std::uint32_t value) {
    if (group_of(which) != SpecialGroup::core) {
        if (which == SpecialRegister::core_id) return Access::done;
        events_outside++;
        const Access access = port_.write_device(*this, which, value);
        return access == Access::again ? refuse(Stall::network, now_ + 1) : access;
    }
    events_outside += is_timer(which) ? 1 : 0;
    switch (which) {
    case SpecialRegister::config: write_config(value); break;
    case SpecialRegister::timer0: timers_[0].set(value, events(source(0), now_)); break;
    case SpecialRegister::timer1: timers_[1].set(value, events(source(1), now_)); break;
    default: sim::write_special(s, which, value); break;
    }
    attention_at_ = 0;
    return Access::done;
}

// Reads one mapped register, or two adjacent registers if the access has 8 bytes.
bool Core::read_register(std::uint32_t offset, unsigned size, std::uint64_t &value, std::uint64_t now) {
    if (size < 4 || offset % size != 0) return false;
    now_ = now;
    value = 0;
    for (unsigned k = 0; k < size; k += 4) {
        const std::uint32_t at = offset + k;
        std::uint32_t word = 0;
        if (at - general_registers_base < general_registers_size) {
            word = state.r[(at - general_registers_base) / 4];
        } else if (at - special_registers_base < special_registers_size) {
            if (read_special(state, special_register_at(at), word) != Access::done) return false;
        } else {
            return false;
        }
        value |= std::uint64_t{word} << (8 * k);
    }
    return true;
}

Access Core::write_register(std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now) {
    if (size < 4 || offset % size != 0) return Access::fault;
    now_ = now;
    const std::uint32_t pc = state.pc;
    for (unsigned k = 0; k < size; k += 4) {
        const std::uint32_t at = offset + k;
        const auto word = static_cast<std::uint32_t>(value >> (8 * k));
        if (at - general_registers_base < general_registers_size) {
            state.r[(at - general_registers_base) / 4] = word;
        } else if (at - special_registers_base < special_registers_size) {
            const Access access = write_special(state, special_register_at(at), word);
            if (access != Access::done) return access;
        } else {
            return Access::fault;
        }
    }
    if (state.pc != pc) redirect();
    disturbed(now);
    return Access::done;
}

} // namespace skerry::sim
