// SPDX-License-Identifier: BSD-3-Clause
// Handles the events of an Epiphany core that are not instructions: start and stop, interrupts, timers. To save time,
// the core checks for interrupts and expired timers only from cycle `attention_at_` on. Code that changes a value
// which can cause an interrupt must set `attention_at_` to 0.
#include "epiphany/epiphany_core.hpp"

#include <algorithm>

namespace skerry::sim {

EpiphanyCore::EpiphanyCore(std::uint32_t core_id, std::uint32_t memory_bytes, RemotePort &network, EpiphanyPort &chip)
    : DecodingCore(epiphany_set, core_id, memory_bytes, network, chip), devices_(chip) {
    state.core_id = core_id;
}

void EpiphanyCore::start(std::uint32_t entry, std::uint64_t now) {
    state.pc = entry;
    state.status = status::active | status::interrupts_disabled | status::kernel_mode;
    state.interrupt_pending = bit_of(Interrupt::sync);
    state.interrupt_return = entry;
    stop.kind = StopKind::running;
    ready_at = now;
    attention_at_ = 0;
    redirect();
}

// Handles a change of the core's registers from outside. The change can wake the core from the instruction IDLE or from
// reset. The change can also end a wait for a place in the network.
void EpiphanyCore::disturbed(std::uint64_t now) {
    attention_at_ = 0;
    events_outside++;
    if (stop.kind == StopKind::held && next_interrupt(state) < interrupt_count) {
        stop.kind = StopKind::running; // after reset a core sleeps, and any interrupt wakes it
        waiting_ = Waiting::interrupt;
        idle_since_ = now;
    }
    const bool wakes = waiting_ == Waiting::interrupt || waiting_ == Waiting::room;
    if (wakes && active()) ready_at = std::min(ready_at, now + 1);
}

void EpiphanyCore::latch_interrupt(Interrupt which, std::uint64_t now) {
    state.interrupt_latch |= bit_of(which);
    disturbed(now);
}

// Delivers an event of the chip as an interrupt. At the end of the chip's barrier (WAND), also clears the core's WAND
// bit.
void EpiphanyCore::signal(CoreEvent which, std::uint64_t now) {
    switch (which) {
    case CoreEvent::sync: return latch_interrupt(Interrupt::sync, now);
    case CoreEvent::barrier: state.status &= ~status::wand; return latch_interrupt(Interrupt::wand, now);
    case CoreEvent::message: return latch_interrupt(Interrupt::message, now);
    case CoreEvent::dma0: return latch_interrupt(Interrupt::dma0, now);
    case CoreEvent::dma1: return latch_interrupt(Interrupt::dma1, now);
    }
}

bool EpiphanyCore::vector_empty(unsigned interrupt) const {
    return memory.read<std::uint32_t>(4 * interrupt) == 0;
}

// Handles timers and interrupts that are due. Returns true if the core executes the instruction at pc in this cycle.
bool EpiphanyCore::attend(std::uint64_t now) {
    expire_timers(now);
    if (waiting_ == Waiting::room) {
        if (now > waiting_since_) counters[Stall::network] += now - waiting_since_;
        waiting_ = Waiting::no;
    }
    if (waiting_ == Waiting::answer || waiting_ == Waiting::fetch) return true; // a remote read or fetch has begun
    const bool halted = (state.debug_status & debug_status::halted) != 0;       // only DEBUGCMD begins or ends a halt
    const unsigned interrupt = hold_interrupts_ || halted ? interrupt_count : next_interrupt(state);
    if (interrupt < interrupt_count) {
        settle(now);
        waiting_ = Waiting::no;
        if (vector_empty(interrupt)) {
            halt({StopKind::no_handler, interrupt, 0, false});
            return false;
        }
        enter_interrupt(state, interrupt);
        redirect();
        attention_at_ = timer_deadline(now);
        wait(Stall::interrupt, now + timing::interrupt_entry, now);
        return false;
    }
    attention_at_ = hold_interrupts_ ? 0 : timer_deadline(now);
    if (flag(state, status::active) && !halted) {
        settle(now);
        // If `waiting_` is still Waiting::interrupt, the core wakes without an interrupt. Another core or a debugger
        // has written STATUS or DEBUGCMD (the register that stops and continues a core).
        if (waiting_ == Waiting::interrupt) waiting_ = Waiting::no;
        return true;
    }
    // If the core did not sleep before, a write to STATUS or DEBUGCMD has stopped the core in this cycle. The core's
    // idle time begins now.
    if (waiting_ != Waiting::interrupt) idle_since_ = now;
    waiting_ = Waiting::interrupt;
    ready_at = attention_at_;
    return false;
}

// -- timers -----------------------------------------------------------------------------------------------------------

EventSource EpiphanyCore::source(unsigned timer) const {
    return static_cast<EventSource>(state.config >> (timer == 0 ? config::timer0_shift : config::timer1_shift) & 15);
}

std::uint64_t EpiphanyCore::events(EventSource source, std::uint64_t now) const {
    const bool idle = waiting_ == Waiting::interrupt && now > idle_since_;
    switch (source) {
    case EventSource::clock: return now;
    case EventSource::idle: return counters.idle + (idle ? now - idle_since_ : 0);
    case EventSource::integer_instruction: return counters.integer_side;
    case EventSource::float_instruction: return counters.floating;
    case EventSource::dual_issue: return counters.dual;
    case EventSource::e1_stall: return counters[Stall::local_data] + counters[Stall::network];
    case EventSource::register_stall: return counters[Stall::registers];
    case EventSource::local_fetch_stall: return counters[Stall::local_fetch];
    case EventSource::local_load_stall: return counters[Stall::local_data];
    case EventSource::remote_fetch_stall: return counters[Stall::remote_fetch];
    case EventSource::remote_load_stall: return counters[Stall::remote_load];
    case EventSource::off:
    case EventSource::mesh_traffic0: // not simulated: these timers never count
    case EventSource::mesh_traffic1: return 0;
    }
    return 0;
}

void EpiphanyCore::expire_timers(std::uint64_t now) {
    for (unsigned k = 0; k < timers_.size(); k++) {
        if (!timers_[k].expired(events(source(k), now))) continue;
        state.interrupt_latch |= bit_of(k == 0 ? Interrupt::timer0 : Interrupt::timer1);
    }
}

bool EpiphanyCore::expects_timer() const {
    for (unsigned k = 0; k < timers_.size(); k++) {
        const std::uint32_t masked = state.interrupt_mask & bit_of(k == 0 ? Interrupt::timer0 : Interrupt::timer1);
        if (timers_[k].armed() && source(k) != EventSource::off && masked == 0) return true;
    }
    return false;
}

// Returns the earliest cycle in which a timer can reach zero. A timer can count other events than cycles. The cycles of
// these events are not known in advance, so such a timer is checked in every cycle.
std::uint64_t EpiphanyCore::timer_deadline(std::uint64_t now) const {
    std::uint64_t deadline = never;
    for (unsigned k = 0; k < timers_.size(); k++) {
        const EventSource from = source(k);
        if (!timers_[k].armed() || from == EventSource::off) continue;
        const bool asleep = !flag(state, status::active);
        if (from == EventSource::clock || (from == EventSource::idle && asleep)) {
            deadline = std::min(deadline, now + std::max(timers_[k].value(events(from, now)), 1U));
        } else if (!asleep) {
            deadline = std::min(deadline, now + 1);
        }
    }
    return deadline;
}

// Writes CONFIG, the core's configuration register. If the write changes the event source of a timer, the timer keeps
// its value.
void EpiphanyCore::write_config(std::uint32_t value) {
    std::array<std::uint32_t, 2> values{};
    for (unsigned k = 0; k < timers_.size(); k++) values[k] = timers_[k].value(events(source(k), now_));
    const bool pauses = ((state.config ^ value) & config::dma_pause) != 0;
    state.config = value;
    if (pauses) devices_.pause_dma(*this, (value & config::dma_pause) != 0);
    for (unsigned k = 0; k < timers_.size(); k++) {
        if (timers_[k].armed()) timers_[k].set(values[k], events(source(k), now_));
    }
}

} // namespace skerry::sim
