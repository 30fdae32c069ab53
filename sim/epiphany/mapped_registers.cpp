// SPDX-License-Identifier: BSD-3-Clause
// Handles accesses to the registers of an Epiphany core: by the instructions MOVTS and MOVFS, or by loads and stores
// to the registers' addresses in the memory map.
#include "epiphany/epiphany_core.hpp"

namespace skerry::sim {

static constexpr bool is_timer(SpecialRegister which) {
    return which == SpecialRegister::timer0 || which == SpecialRegister::timer1;
}

// Returns true if the program possibly polls ILAT (the register of latched interrupts) until this timer reaches zero. A
// timer that still has to count 2^31 or more events is assumed to be a clock. A program does not wait for a clock.
bool EpiphanyCore::is_alarm(unsigned timer) const {
    constexpr std::uint32_t latest = std::uint32_t{1} << 31;
    return timers_[timer].armed() && timers_[timer].value(events(source(timer), now_)) < latest;
}

Access EpiphanyCore::read_special(State &s, SpecialRegister which, std::uint32_t &value) {
    if (group_of(which) == SpecialGroup::core || which == SpecialRegister::core_id) {
        const bool by_timer = which == SpecialRegister::interrupt_latch && (is_alarm(0) || is_alarm(1));
        events_outside += is_timer(which) || by_timer ? 1 : 0;
        if (which == SpecialRegister::timer0) value = timers_[0].value(events(source(0), now_));
        else if (which == SpecialRegister::timer1) value = timers_[1].value(events(source(1), now_));
        else value = sim::read_special(s, which);
        return Access::done;
    }
    return devices_.read_device(*this, which, value);
}

Access EpiphanyCore::write_special(State &s, SpecialRegister which, std::uint32_t value) {
    if (group_of(which) != SpecialGroup::core) {
        if (which == SpecialRegister::core_id) return Access::done;
        events_outside++;
        const Access access = devices_.write_device(*this, which, value);
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

bool EpiphanyCore::has_register(std::uint32_t offset, unsigned size) const {
    const bool general = offset - general_registers_base <= general_registers_size - size;
    const bool special = offset - special_registers_base <= special_registers_size - size;
    return size >= 4 && (general || special);
}

// Reads one register of the memory map, or two adjacent registers if the access has 8 bytes.
bool EpiphanyCore::read_register(std::uint32_t offset, unsigned size, std::uint64_t &value, std::uint64_t now) {
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

Access EpiphanyCore::write_register(std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now) {
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
