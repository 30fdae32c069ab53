// SPDX-License-Identifier: BSD-3-Clause
#include "trace/profile.hpp"

#include <algorithm>
#include <utility>

namespace skerry::sim {
namespace {

constexpr std::uint64_t first_interval = 64; // cycles
constexpr std::uint32_t most_intervals = 256;
constexpr std::uint64_t long_wait = 16; // cycles; from this length on a wait is divided among its intervals

// Returns the number of intervals of the timeline. With many cores the number is smaller, because each core has less
// space in the picture of the report.
std::uint32_t intervals(std::uint32_t cores) {
    return cores <= 64 ? most_intervals : most_intervals / 4;
}

// Returns the category of cycles to which a core's wait belongs. The event for which the core waits determines the
// category. If this event is not known, returns the category whose counter has grown most.
unsigned cause_of(const Core &core, const Categories &grown) {
    switch (core.waiting()) {
    case Waiting::answer: return category_of(Stall::remote_load);
    case Waiting::fetch: return category_of(Stall::remote_fetch);
    case Waiting::interrupt: return category_idle;
    case Waiting::room:
    case Waiting::stores: return category_of(Stall::network);
    case Waiting::host: return category_of(Stall::system);
    case Waiting::no: break;
    }
    return static_cast<unsigned>(std::ranges::max_element(grown) - grown.begin());
}

Categories difference(const Categories &a, const Categories &b) {
    Categories d{};
    for (unsigned k = 0; k < category_count; k++) d[k] = a[k] - b[k];
    return d;
}

} // namespace

// Decides whether a core has come to function `to` by a call, a return or a jump:
// * call: pc is the beginning of the function, and the link register has an address of the caller.
// * return: the function is already on the stack.
// * jump: any other case. The new function replaces the function on top of the stack.
CallStack::Change CallStack::change(const Functions &functions, std::uint32_t to, std::uint32_t pc,
                                    std::uint32_t link) {
    const bool at_begin = to != 0 && functions[to].begin == pc;
    const auto called_by_top = [&] {
        if (frames.empty()) return true;
        const Function &top = functions[frames.back().function];
        return frames.back().function != 0 && link > top.begin && link <= top.end;
    };
    if (at_begin && frames.size() < deepest && called_by_top()) return {true, 0};
    for (std::size_t k = frames.size(); k > 0; k--) {
        if (frames[k - 1].function == to) return {false, frames.size() - k};
    }
    return {true, frames.empty() ? 0U : 1U};
}

Profile::Profile(Chip &chip, const ElfImage &image)
    : chip_(chip), functions_(image), timeline_(chip.core_count(), first_interval, intervals(chip.core_count())),
      functions_over_time_(chip.machine().clusters() * functions_.size(), first_interval, most_intervals),
      cores_(chip.core_count()) {
}

bool Profile::before(std::uint32_t index, Core &core, std::uint64_t cycle) {
    Watched &w = cores_[index];
    const std::uint32_t pc = without_core(core, core.pc());
    if (cycle >= w.draw_at || cycle - w.since >= long_wait) [[unlikely]]
        draw(index, core, cycle);
    charge(w, cycle);
    if (!w.range.holds(pc)) [[unlikely]]
        enter(index, core, pc, cycle);
    w.pc = pc;
    return true;
}

void Profile::charge(Watched &w, std::uint64_t cycle) {
    const std::uint32_t base = w.pc & ~(page_size - 1);
    if (base != w.page_base) [[unlikely]] {
        std::unique_ptr<Page> &page = pages_[std::uint64_t{w.program} << 32 | base];
        if (page == nullptr) page = std::make_unique<Page>();
        w.page = page.get();
        w.page_base = base;
    }
    (*w.page)[w.pc % page_size / 2] += cycle - w.since;
    w.since = cycle;
}

// Adds the core's cycles and instructions since the last flush to the counts of one function. The core has executed
// only this function since the last flush.
void Profile::flush(Watched &w, Core &core, std::uint64_t cycle) {
    core.settle(cycle);
    const Categories now = categories_of(core.counters);
    FunctionCycles &f = w.functions[w.range.function];
    for (unsigned k = 0; k < category_count; k++) f.own[k] += now[k] - w.flushed[k];
    f.instructions += core.counters.instructions() - w.flushed_instructions;
    w.flushed = now;
    w.flushed_instructions = core.counters.instructions();
}

// Adds to the timeline the cycles by which the core's counters have grown since the last call. A long wait is divided
// among the intervals of time in which it happened. All other cycles are recent, and belong to one interval.
void Profile::draw(std::uint32_t index, Core &core, std::uint64_t cycle) {
    Watched &w = cores_[index];
    core.settle(cycle);
    const Categories now = categories_of(core.counters);
    Categories grown = difference(now, w.drawn);
    w.drawn = now;
    if (w.seen && cycle - w.since >= long_wait) {
        const unsigned cause = cause_of(core, grown);
        const std::uint64_t wait = cycle - w.since;
        if (core.waiting() == Waiting::room && grown[cause] < wait) { // the core counts this wait later in this cycle
            w.drawn[cause] += wait - grown[cause];
            grown[cause] = wait;
        }
        const std::uint64_t cycles = std::min(grown[cause], wait);
        timeline_.spread(index, cycle - cycles, cause, cycles);
        grown[cause] -= cycles;
    }
    const std::uint64_t at = w.seen ? w.since : cycle;
    for (unsigned k = 0; k < category_count; k++) timeline_.add(index, at, k, grown[k]);
    if (w.seen) note(index, core, cycle);
    else w.since = w.noted_at = cycle;
    const auto end_of = [&](std::uint64_t interval) { return (cycle / interval + 1) * interval; };
    w.draw_at = std::min(end_of(timeline_.interval()), end_of(functions_over_time_.interval()));
}

// Adds to functions_over_time_ the cycles since the last call in which the core was not idle. It executed only its present
// function. It was idle, if at all, at the end: a wait ends with a call.
void Profile::note(std::uint32_t index, Core &core, std::uint64_t cycle) {
    Watched &w = cores_[index];
    core.settle(cycle);
    const Categories now = categories_of(core.counters), grown = difference(now, w.noted);
    w.noted = now;
    const std::uint64_t begin = std::exchange(w.noted_at, cycle), idle = std::min(grown[category_idle], cycle - begin);
    std::uint64_t busy = 0;
    for (unsigned k = 0; k < category_count; k++) busy += k == category_idle ? 0 : grown[k];
    if (busy == 0) return;
    const std::uint32_t thing = function_of_cluster(chip_.machine().cluster_of(index), w.range.function);
    functions_over_time_.spread(thing, begin, 0, std::max<std::uint64_t>(cycle - begin - idle, 1), busy);
}

void Profile::enter(std::uint32_t index, Core &core, std::uint32_t pc, std::uint64_t cycle) {
    Watched &w = cores_[index];
    if (w.functions.size() < functions_.size()) w.functions.resize(functions_.size());
    if (w.seen) {
        flush(w, core, cycle);
        note(index, core, cycle);
    }
    w.seen = true;
    w.range = functions_.find(pc, w.program);
    const CallStack::Change change =
        w.stack.change(functions_, w.range.function, pc, without_core(core, core.return_address()));
    end_frames(index, change.ended, cycle);
    if (change.entered) {
        w.stack.frames.push_back({w.range.function, cycle});
        w.functions[w.range.function].calls++;
    }
}

// Ends the innermost `count` frames (calls) of a core's stack. If a function is recursive, only its outermost call adds
// to with_callees, the cycles of the function with the functions that it calls.
void Profile::end_frames(std::uint32_t index, std::size_t count, std::uint64_t cycle) {
    Watched &w = cores_[index];
    auto &frames = w.stack.frames;
    for (; count > 0; count--) {
        const CallStack::Frame ended = frames.back();
        frames.pop_back();
        const bool recursive = std::ranges::find(frames, ended.function, &CallStack::Frame::function) != frames.end();
        if (!recursive) w.functions[ended.function].with_callees += cycle - ended.since;
        if (returned_) returned_(index, ended, cycle);
    }
}

void Profile::sent(std::uint64_t, std::uint32_t to, const Transaction &transaction) {
    Accesses &t = cores_[transaction.source].traffic[transaction.group != 0 ? everyone : to];
    switch (transaction.kind) {
    case Transaction::Kind::write:
    case Transaction::Kind::message:
        t.writes++;
        t.write_bytes += transaction.size;
        break;
    case Transaction::Kind::atomic_request: t.testsets++; break;
    case Transaction::Kind::read_request:
        t.reads++;
        t.read_bytes += transaction.size;
        break;
    case Transaction::Kind::read_reply: break;
    }
}

void Profile::dma(std::uint64_t cycle, std::uint32_t index) {
    for (unsigned channel = 0; channel < dma_channels; channel++) {
        const DmaCounters now = chip_.dma(index).counters(channel, cycle);
        DmaCounters &drawn = cores_[index].dma[channel];
        const std::uint64_t active = now.active - drawn.active;
        if (active != 0) timeline_.spread(index, cycle - std::min(active, cycle), track_active(channel), active);
        timeline_.add(index, cycle, track_bytes(channel), now.bytes - drawn.bytes);
        drawn = now;
    }
}

// Ends what the core has executed so far. Its counts go on.
void Profile::program_starts(std::uint32_t index, Core &core, std::uint64_t cycle, const StartedProgram &program) {
    if (program.number == functions_.programs()) {
        functions_.add(*program.image, program.name);
        functions_over_time_.extend(chip_.machine().clusters() * functions_.size());
    }
    Watched &w = cores_[index];
    if (w.seen) {
        draw(index, core, cycle);
        charge(w, cycle);
        flush(w, core, cycle);
        end_frames(index, w.stack.frames.size(), cycle);
    }
    w.program = program.number;
    w.pc = program.image->entry;
    w.page_base = 1;
    w.range = {1, 1, 0};
}

// Draws the packets that a node sends and receives as the two channels of the core that stands for the node.
void Profile::packet(std::uint64_t cycle, const PacketEvent &event) {
    if (event.network != NodeNetwork::data) return;
    const auto channel = static_cast<unsigned>(event.way);
    const std::uint64_t begin =
        event.way == PacketWay::sent ? cycle : cycle - std::min<std::uint64_t>(event.flits, cycle);
    timeline_.spread(event.core, begin, track_active(channel), event.flits);
    timeline_.add(event.core, cycle, track_bytes(channel), event.bytes);
}

void Profile::finish() {
    for (std::uint32_t k = 0; k < cores_.size(); k++) {
        Watched &w = cores_[k];
        dma(chip_.now(), k);
        if (!w.seen) continue;
        Core &core = chip_.core(k);
        const std::uint64_t end = core.active() ? chip_.now() : std::max(core.now() + 1, w.since);
        draw(k, core, end);
        charge(w, end);
        flush(w, core, end);
        end_frames(k, w.stack.frames.size(), end);
    }
}

Profile::Matrix Profile::traffic() const {
    Matrix all;
    for (std::uint32_t k = 0; k < cores_.size(); k++) {
        for (const auto &[to, traffic] : cores_[k].traffic) all[{k, to}] = traffic;
    }
    return all;
}

std::map<std::uint32_t, std::uint64_t> Profile::addresses(std::uint32_t program) const {
    std::map<std::uint32_t, std::uint64_t> all;
    for (const auto &[key, page] : pages_) {
        if (key >> 32 != program) continue;
        const auto base = static_cast<std::uint32_t>(key);
        for (std::uint32_t k = 0; k < page->size(); k++) {
            if ((*page)[k] != 0) all[base + 2 * k] += (*page)[k];
        }
    }
    return all;
}

} // namespace skerry::sim
