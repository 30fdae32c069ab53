// SPDX-License-Identifier: BSD-3-Clause
// Handles the events of a core that are not instructions: start and stop, interrupts, timers. The core checks for
// interrupts and expired timers only from cycle `attention_at_` on. Code that changes anything that can cause an
// interrupt must set `attention_at_` to 0.
#include "core/core.hpp"

#include <algorithm>

namespace skerry::sim {

Core::Core(std::uint32_t core_id, std::uint32_t memory_bytes, RemotePort &network, CorePort &chip)
    : memory(memory_bytes), network_(network), port_(chip), own_base_(core_id << 20) {
    state.core_id = core_id;
}

void Core::start(std::uint32_t entry, std::uint64_t now) {
    state.pc = entry;
    state.status = status::active | status::interrupts_disabled | status::kernel_mode;
    state.interrupt_pending = bit_of(Interrupt::sync);
    state.interrupt_return = entry;
    stop.kind = StopKind::running;
    ready_at = now;
    attention_at_ = 0;
    redirect();
}

void Core::halt(Stop why) {
    stop = why;
    ready_at = never;
    port_.stopped(*this);
}

// Handles a change of the core's registers from outside. The change can wake the core from IDLE or from reset, or end
// the core's wait for a place in the network.
void Core::disturbed(std::uint64_t now) {
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

void Core::trap_served(std::uint64_t at) {
    if (waiting_ != Waiting::host) return;
    waiting_ = Waiting::no;
    if (!active()) return;
    if (at > waiting_since_) counters[Stall::system] += at - waiting_since_;
    ready_at = at;
}

void Core::latch_interrupt(Interrupt which, std::uint64_t now) {
    state.interrupt_latch |= bit_of(which);
    disturbed(now);
}

bool Core::vector_empty(unsigned interrupt) const {
    return memory.read<std::uint32_t>(4 * interrupt) == 0;
}

// Handles timers and interrupts that are due. Returns true if the core continues with the instruction at pc in this
// cycle.
bool Core::attend(std::uint64_t now) {
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
        if (waiting_ == Waiting::interrupt) waiting_ = Waiting::no; // STATUS or DEBUGCMD was written from outside
        return true;
    }
    if (waiting_ != Waiting::interrupt) idle_since_ = now; // a write to STATUS or DEBUGCMD stopped the core, not IDLE
    waiting_ = Waiting::interrupt;
    ready_at = attention_at_;
    return false;
}

void Core::settle(std::uint64_t now) {
    if (waiting_ != Waiting::interrupt || now <= idle_since_) return;
    counters.idle += now - idle_since_;
    idle_since_ = now;
}

// ---- timers ----

EventSource Core::source(unsigned timer) const {
    return static_cast<EventSource>(state.config >> (timer == 0 ? config::timer0_shift : config::timer1_shift) & 15);
}

std::uint64_t Core::events(EventSource source, std::uint64_t now) const {
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

void Core::expire_timers(std::uint64_t now) {
    for (unsigned k = 0; k < timers_.size(); k++) {
        if (!timers_[k].expired(events(source(k), now))) continue;
        state.interrupt_latch |= bit_of(k == 0 ? Interrupt::timer0 : Interrupt::timer1);
    }
}

bool Core::expects_timer() const {
    for (unsigned k = 0; k < timers_.size(); k++) {
        const std::uint32_t masked = state.interrupt_mask & bit_of(k == 0 ? Interrupt::timer0 : Interrupt::timer1);
        if (timers_[k].armed() && source(k) != EventSource::off && masked == 0) return true;
    }
    return false;
}

// Returns the earliest cycle in which a timer can reach zero. A timer that counts other events than cycles is checked
// in every cycle, because nobody knows in advance when these events happen.
std::uint64_t Core::timer_deadline(std::uint64_t now) const {
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
void Core::write_config(std::uint32_t value) {
    std::array<std::uint32_t, 2> values{};
    for (unsigned k = 0; k < timers_.size(); k++) values[k] = timers_[k].value(events(source(k), now_));
    const bool pauses = ((state.config ^ value) & config::dma_pause) != 0;
    state.config = value;
    if (pauses) port_.pause_dma(*this, (value & config::dma_pause) != 0);
    for (unsigned k = 0; k < timers_.size(); k++) {
        if (timers_[k].armed()) timers_[k].set(values[k], events(source(k), now_));
    }
}

} // namespace skerry::sim
