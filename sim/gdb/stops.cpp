// SPDX-License-Identifier: BSD-3-Clause
// Implements breakpoints, steps and watchpoints. A watchpoint stops the run at an access to its addresses. A watchpoint
// needs two functions:
// * foresee() computes the addresses that a core's next two instructions will access.
// * The next call of before() finds out which of these instructions were executed, and compares their accesses with the
//   watchpoints.
#include "gdb/stops.hpp"

#include <algorithm>
#include <utility>

namespace skerry::sim {
namespace {

bool in_core(const Chip &chip, std::uint32_t address) {
    const Machine &m = chip.machine();
    return (address >> 26) - m.first_row < m.rows && (address >> 20 & 63) - m.first_column < m.columns;
}

std::uint32_t without_core(const Core &core, std::uint32_t address) {
    return address >> 20 == core.id() ? address & (core_space - 1) : address;
}

} // namespace

Stops::Stops(Chip &chip, std::function<bool(const Hit &)> on_hit)
    : chip_(chip), on_hit_(std::move(on_hit)), cores_(chip.core_count()) {
}

void Stops::add_breakpoint(std::uint32_t address, std::uint32_t group) {
    breakpoints_[{address, group}]++;
}

void Stops::remove_breakpoint(std::uint32_t address, std::uint32_t group) {
    const auto found = breakpoints_.find({address, group});
    if (found != breakpoints_.end() && --found->second == 0) breakpoints_.erase(found);
}

// Returns true if core `index` stops before the instruction at an address.
bool Stops::has_breakpoint(std::uint32_t index, std::uint32_t address) const {
    if (breakpoints_.empty()) return false;
    return breakpoints_.contains({address, every_group}) ||
           (!groups_.empty() && breakpoints_.contains({address, groups_[index]}));
}

void Stops::add_watchpoint(StopReason kind, std::uint32_t address, std::uint32_t size, std::uint32_t group) {
    watchpoints_.push_back({kind, address, size, group});
}

void Stops::remove_watchpoint(StopReason kind, std::uint32_t address, std::uint32_t size, std::uint32_t group) {
    const auto found = std::ranges::find(watchpoints_, Watchpoint{kind, address, size, group});
    if (found != watchpoints_.end()) watchpoints_.erase(found);
}

void Stops::clear() {
    breakpoints_.clear();
    watchpoints_.clear();
    steps_.clear();
    for (std::uint32_t k = 0; k < cores_.size(); k++) chip_.core(k).alone = false;
}

void Stops::clear_group(std::uint32_t group) {
    std::erase_if(breakpoints_, [&](const auto &one) { return one.first.second == group; });
    std::erase_if(watchpoints_, [&](const Watchpoint &one) { return one.group == group; });
}

void Stops::resume() {
    stopping_ = false;
    for (std::uint32_t k = 0; k < cores_.size(); k++) {
        Core &core = chip_.core(k);
        if (core.active() && core.counters.instructions() == cores_[k].instructions) foresee(k, core);
    }
}

void Stops::step(const std::vector<std::uint32_t> &cores) {
    steps_.clear();
    for (const std::uint32_t k : cores) {
        steps_[k] = chip_.core(k).counters.instructions();
        chip_.core(k).alone = true;
    }
}

// Checks whether a core has reached a breakpoint, has finished a step, or has made an access that a watchpoint watches.
// While an instruction of the core waits, the chip calls this function repeatedly. Therefore the function first checks
// whether the core is at a new instruction. If so, the pc or the count of executed instructions has changed.
bool Stops::before(std::uint32_t index, Core &core, std::uint64_t) {
    if (stopping_) return true; // another core stops the run; when the run continues, the chip repeats this call
    Followed &f = cores_[index];
    const std::uint64_t instructions = core.counters.instructions();
    const std::uint32_t pc = without_core(core, core.pc());
    if (instructions == f.instructions && pc == f.pc) return true;
    std::optional<Hit> hit = watched(index, f, instructions - f.instructions);
    f.instructions = instructions;
    f.pc = pc;
    const auto stepped = steps_.find(index);
    const bool done = stepped != steps_.end() && instructions > stepped->second;
    if (!hit && has_breakpoint(index, pc)) hit = {index, StopReason::breakpoint, core.pc()};
    if (!hit && done) hit = {index, StopReason::step, core.pc()};
    if (done) steps_.erase(stepped);
    foresee(index, core);
    stopping_ = hit && !on_hit_(*hit);
    return !stopping_;
}

// Computes the accesses of the core's next one or two instructions. If the core must stop between the two instructions,
// turns dual issue off. With dual issue both could issue in one cycle. The end of a step, or a breakpoint at the second
// instruction, would then be missed.
void Stops::foresee(std::uint32_t index, Core &core) {
    Followed &f = cores_[index];
    f.touches.clear();
    core.alone = steps_.contains(index);
    if (breakpoints_.empty() && watchpoints_.empty()) return;
    const auto first = instruction_at(core, core.pc());
    if (!first) return;
    const std::uint32_t next = core.pc() + core.set().length(*first);
    core.alone = core.alone || has_breakpoint(index, without_core(core, next));
    if (watchpoints_.empty()) return;
    f.touches.push_back(touch_of(core, *first));
    const auto second = instruction_at(core, next);
    f.touches.push_back(second ? touch_of(core, *second) : Touch{});
}

// Returns the bits of the instruction at `pc`, or nothing if no memory has this address.
std::optional<std::uint32_t> Stops::instruction_at(const Core &core, std::uint32_t pc) {
    std::array<std::uint8_t, 4> bytes{};
    const auto size = [&](std::size_t n) { return chip_.read(core, pc, std::span(bytes).first(n)); };
    if (!size(4) && !size(2)) return std::nullopt;
    return bytes[0] | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 | std::uint32_t{bytes[3]} << 24;
}

// Returns the memory access that an instruction will make, with its global address. The size in the result is 0 if the
// instruction accesses no memory.
Touch Stops::touch_of(const Core &core, std::uint32_t bits) {
    Touch touch = core.touch_of(bits).value_or(Touch{});
    touch.address = global_address(core.id(), touch.address);
    return touch;
}

std::optional<Hit> Stops::watched(std::uint32_t index, const Followed &f, std::uint64_t executed) const {
    for (std::size_t k = 0; k < std::min<std::uint64_t>(executed, f.touches.size()); k++) {
        const Touch &t = f.touches[k];
        for (const Watchpoint &w : watchpoints_) {
            if (w.group != every_group && w.group != group_of(index)) continue;
            const bool every = w.address < core_space && in_core(chip_, t.address);
            const std::uint32_t at = every ? t.address & (core_space - 1) : t.address;
            const bool overlap = at < w.address ? w.address - at < t.size : at - w.address < w.size;
            const bool kind = w.kind == StopReason::write  ? t.writes
                              : w.kind == StopReason::read ? t.reads
                                                           : t.reads || t.writes;
            if (overlap && kind) return Hit{index, w.kind, w.address};
        }
    }
    return std::nullopt;
}

std::vector<std::uint32_t> groups_of_pes(const Chip &chip) {
    std::vector<std::uint32_t> groups(chip.core_count(), 1);
    for (std::size_t k = 0; k < chip.members().size(); k++) groups[chip.members()[k]] = chip.pe_of(k) + 1;
    return groups;
}

} // namespace skerry::sim
