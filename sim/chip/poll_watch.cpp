// SPDX-License-Identifier: BSD-3-Clause
// Finds cores that poll for ever. Takes a snapshot of the registers of all cores, and compares the registers of later
// cycles with the snapshot. poll_watch.hpp explains the method.
#include "chip/poll_watch.hpp"

#include <algorithm>
#include <array>

namespace skerry::sim {
namespace {

// Number of cycles between two calls of has_changed(). It is also called when a core has returned to its snapshot (earlier
// values of its registers) for the second time.
constexpr std::uint64_t check_every = 64;
constexpr std::size_t most_polled = 4; // number of polled addresses that a report shows for a core

} // namespace

void PollWatch::begin(std::uint64_t now) {
    std::size_t marks = 0;
    map_.for_each_memory([&](Memory &m) { marks = std::max(marks, m.marks()); });
    if (everywhere_.size() < marks) everywhere_.assign(marks, 1);
    log_.begin(most_changed * map_.present().size());
    users_.clear();
    misses_accesses_ = false;
    map_.for_each_memory([&](Memory &m) { m.watch(everywhere_.data(), log_); });
    cores_.resize(map_.core_count());
    spinners_.clear();
    for (std::uint32_t k = 0; k < cores_.size(); k++) {
        const Core &core = map_.core(k);
        cores_[k].polled.clear();
        if (!core.active() || core.waiting() == Waiting::interrupt) continue;
        const auto bytes = core.snapshot();
        cores_[k] = {{bytes.begin(), bytes.end()}, core.counters.instructions(), 0, {}};
        spinners_.push_back(k);
        note_access(k);
    }
    spinning_ = spinners_.size();
    outside_ = events_outside();
    began_at_ = now;
    check_at_ = now + check_every;
    on_ = true;
}

bool PollWatch::look(std::uint64_t now) {
    const std::size_t before = spinning_;
    for (const std::uint32_t k : spinners_) look_at(k);
    const bool all = spinning_ == 0 && now - began_at_ >= shortest_look;
    if (!all && spinning_ == before && now < check_at_) return false;
    check_at_ = now + check_every;
    const bool changed = has_changed();
    if (all && !changed && quiet()) {
        end(now + first_interval);
        return true;
    }
    if (!changed && now - began_at_ < length_) return false;
    const std::uint64_t interval =
        changed ? first_interval : std::max(first_interval, cycles_between * (now - began_at_));
    length_ = changed ? first_look : std::min(4 * length_, longest_look);
    end(now + interval);
    return false;
}

// Compares a core with its snapshot, if the core has issued an instruction since the last call. An instruction that
// must wait for an access has not been issued yet. The registers still have the values from before that instruction.
void PollWatch::look_at(std::uint32_t k) {
    Watched &watched = cores_[k];
    const Core &core = map_.core(k);
    const std::uint64_t issued = core.counters.instructions();
    if (issued == watched.instructions) return;
    if (issued != watched.instructions + 1) misses_accesses_ = true; // of the second instruction
    if (watched.repeats < enough_repeats && std::ranges::equal(core.snapshot(), watched.state) && have_returned(k)) {
        watched.repeats++;
        if (watched.repeats == enough_repeats) spinning_--;
    }
    watched.instructions = issued;
    note_access(k);
}

// Returns true if all words that only this core has accessed have their content in the snapshot.
bool PollWatch::have_returned(std::uint32_t k) const {
    return std::ranges::all_of(log_.words(), [&](const ChangeLog::Word &word) {
        const auto user = users_.find(word.at);
        return user == users_.end() || user->second != k || word.has_returned();
    });
}

// Notes the access of the instruction that a core executes next.
void PollWatch::note_access(std::uint32_t k) {
    Watched &watched = cores_[k];
    const Core &core = map_.core(k);
    std::array<std::uint8_t, 4> bytes{};
    if (!map_.read(core, core.pc(), bytes)) {
        misses_accesses_ = true;
        return;
    }
    const auto touch = core.touch_of(bytes[0] | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 |
                                     std::uint32_t{bytes[3]} << 24);
    if (!touch) return;
    note_touch(k, *touch);
    if (watched.repeats == 0 || watched.polled.size() == most_polled || !touch->reads || touch->on_stack) return;
    if (std::ranges::find(watched.polled, touch->address) == watched.polled.end()) {
        watched.polled.push_back(touch->address);
    }
}

// Notes which core uses the words of an access. A word is not private if the access goes over the network: a store would
// arrive later.
void PollWatch::note_touch(std::uint32_t k, const Touch &touch) {
    const Core &core = map_.core(k);
    const Place place = map_.place_of(core, touch.address, touch.size);
    if (place.memory == nullptr || misses_accesses_) return;
    const bool is_near = place.memory == &core.memory || core.shared_place(touch.address).memory == place.memory;
    const std::uint32_t user = is_near ? k : not_private;
    for (std::uint32_t offset = place.offset & ~3U; offset < place.offset + touch.size; offset += 4) {
        const auto [found, is_new] = users_.try_emplace(place.memory->host_place(offset), user);
        if (found->second != user) found->second = not_private;
        if (is_new && users_.size() > most_used * cores_.size()) misses_accesses_ = true;
    }
}

void PollWatch::end(std::uint64_t next_at) {
    map_.for_each_memory([](Memory &m) { m.end_watch(); });
    on_ = false;
    next_at_ = next_at;
}

// Returns true if something has changed since the snapshot, other than private words.
bool PollWatch::has_changed() const {
    if (events_outside() != outside_ || log_.is_full()) return true;
    if (log_.words().empty()) return false;
    return misses_accesses_ || std::ranges::any_of(log_.words(), [&](const ChangeLog::Word &word) {
               const auto user = users_.find(word.at);
               return user == users_.end() || user->second == not_private;
           });
}

std::uint64_t PollWatch::events_outside() const {
    std::uint64_t sum = steps_();
    for (std::uint32_t k = 0; k < map_.core_count(); k++) {
        const Core &core = map_.core(k);
        sum += core.events_outside + (core.active() ? 0 : 1);
    }
    return sum;
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
