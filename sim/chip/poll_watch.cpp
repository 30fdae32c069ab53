// SPDX-License-Identifier: BSD-3-Clause
// Finds cores that poll for ever. Takes a snapshot of the registers of all cores, and compares the registers of later
// cycles with the snapshot. poll_watch.hpp explains the method.
#include "chip/poll_watch.hpp"

#include <algorithm>
#include <array>

namespace skerry::sim {
namespace {

// Number of cycles between two calls of changes(), which counts all changes of memory. changes() is also called when a
// core has returned to its snapshot (earlier values of its registers) for the second time.
constexpr std::uint64_t count_every = 64;
constexpr std::size_t most_polled = 4; // number of polled addresses that a report shows for a core

} // namespace

void PollWatch::begin(std::uint64_t now) {
    std::size_t marks = 0;
    map_.for_each_memory([&](Memory &m) { marks = std::max(marks, m.marks()); });
    if (everywhere_.size() < marks) everywhere_.assign(marks, 1);
    map_.for_each_memory([&](Memory &m) { m.watch(everywhere_.data()); });
    cores_.resize(map_.core_count());
    spinning_ = 0;
    for (std::uint32_t k = 0; k < cores_.size(); k++) {
        const Core &core = map_.core(k);
        const bool spins = core.active() && core.waiting() != Waiting::interrupt;
        const auto bytes = core.snapshot();
        cores_[k] = {{bytes.begin(), bytes.end()}, core.counters.instructions(), 0, spins, {}, {}, {}};
        if (spins) cores_[k].stack = map_.place_of(core, core.stack_pointer(), 1);
        spinning_ += spins ? 1 : 0;
    }
    changes_ = changes();
    events_ = events();
    again_ = false;
    began_at_ = now;
    on_ = true;
}

bool PollWatch::look(std::uint64_t now) {
    const std::uint32_t before = spinning_;
    for (std::uint32_t k = 0; k < cores_.size(); k++) {
        if (cores_[k].spins) look_at(cores_[k], map_.core(k));
    }
    const bool all = spinning_ == 0 && now - began_at_ >= shortest_look;
    if (!all && spinning_ == before && now % count_every != 0) return false;
    const bool any = changes() != changes_, changed = any && changed_but_stacks();
    if (all && !changed && quiet()) {
        if (!any || again_) {
            end(now);
            return true;
        }
        again_ = true;
        expect_returns();
    }
    if (!changed && now - began_at_ < length_) return false;
    interval_ = changed ? first_interval : std::min(4 * interval_, longest_interval);
    length_ = changed ? first_look : std::min(2 * length_, longest_look);
    end(now);
    return false;
}

// Compares a core with its snapshot, if the core has issued an instruction since the last call. An instruction that
// must wait for an access has not been issued yet. The registers still have the values from before that instruction.
void PollWatch::look_at(Watched &watched, const Core &core) {
    const std::uint64_t issued = core.counters.instructions();
    if (issued == watched.instructions) return;
    if (watched.repeats < enough_repeats && std::ranges::equal(core.snapshot(), watched.state)) {
        std::vector<std::uint8_t> frames = frames_of(watched);
        watched.repeats = frames == watched.frames ? watched.repeats + 1 : 1;
        watched.frames = std::move(frames);
        if (watched.repeats == enough_repeats) spinning_--;
    }
    watched.instructions = issued;
    note_load(watched, core);
}

// Returns the bytes of the stack above the stack pointer in the snapshot.
std::vector<std::uint8_t> PollWatch::frames_of(const Watched &watched) const {
    const Place &stack = watched.stack;
    if (stack.memory == nullptr) return {};
    std::vector<std::uint8_t> bytes(std::min(stack_above, stack.memory->size() - stack.offset));
    stack.memory->read_bytes(stack.offset, bytes);
    return bytes;
}

void PollWatch::expect_returns() {
    for (Watched &watched : cores_) {
        watched.repeats = 0;
        spinning_ += watched.spins ? 1 : 0;
    }
}

void PollWatch::note_load(Watched &watched, const Core &core) const {
    if (watched.repeats == 0 || watched.polled.size() == most_polled) return;
    std::array<std::uint8_t, 4> bytes{};
    if (!map_.read(core, core.pc(), bytes)) return;
    const auto touch = core.touch_of(bytes[0] | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 |
                                     std::uint32_t{bytes[3]} << 24);
    if (!touch || !touch->reads || touch->on_stack) return;
    if (std::ranges::find(watched.polled, touch->address) == watched.polled.end()) {
        watched.polled.push_back(touch->address);
    }
}

void PollWatch::end(std::uint64_t now) {
    map_.for_each_memory([](Memory &m) { m.watch(nullptr); });
    on_ = false;
    next_at_ = now + interval_;
}

std::uint64_t PollWatch::changes() const {
    std::uint64_t sum = events();
    map_.for_each_memory([&](Memory &m) { sum += m.changes(); });
    return sum;
}

// Returns the number of changes of something else than memory.
std::uint64_t PollWatch::events() const {
    std::uint64_t sum = 0;
    for (std::uint32_t k = 0; k < map_.core_count(); k++) {
        const Core &core = map_.core(k);
        sum += core.events_outside + (core.active() ? 0 : 1);
    }
    return sum;
}

// Returns true if something has changed that is not of the stack of a core that repeats itself.
bool PollWatch::changed_but_stacks() const {
    bool changed = events() != events_;
    map_.for_each_memory([&](Memory &m) {
        changed = changed || m.changed().size() > Memory::most_changed ||
                  std::ranges::any_of(m.changed(), [&](const auto &range) { return !is_of_stack(m, range); });
    });
    return changed;
}

bool PollWatch::is_of_stack(const Memory &memory, const Memory::Changed &range) const {
    return std::ranges::any_of(cores_, [&](const Watched &w) {
        if (w.stack.memory != &memory) return false;
        const std::uint32_t begin = w.stack.offset - std::min(w.stack.offset, stack_below);
        return range.offset >= begin && range.offset + range.bytes <= w.stack.offset + stack_above;
    });
}

// Returns true if nothing is pending that could change memory later: no store, no DMA, no signal and no timer.
bool PollWatch::quiet() const {
    if (!settled_()) return false;
    for (std::uint32_t k = 0; k < map_.core_count(); k++) {
        if (map_.core(k).active() && map_.core(k).expects_timer()) return false;
    }
    return true;
}

} // namespace skerry::sim
