// SPDX-License-Identifier: BSD-3-Clause
// Detects that all cores poll words that nobody can change any more. From time to time the watch takes a snapshot, and
// compares the whole chip with the snapshot cycle by cycle.
//
// All cores repeat themselves for ever if these conditions hold:
// 1. The registers of every core that does not sleep have returned twice to exactly their values in the snapshot.
// 2. Since the snapshot no timer was read, no signal was sent, no unit on the networks between clusters acted, and no byte of
//    any memory has changed except *private words*.
// 3. A private word is one that only one core has accessed since the snapshot, and that it accesses without the network. Each
//    time that the registers of this core returned, its private words had returned to their content in the snapshot too.
//
// Because of 2 and 3 each core has read the same values in both of its repetitions, in whatever order the cores act. So it
// continues in the same way. Private words are for example variables on the stack, and counters of a search that begin again.
//
// Two accesses do not count as changes: a store of the value that the memory already has, and a read of another core's
// memory. A loop that counts its iterations without an end changes a register, so such a loop is never reported.
//
// A comparison begins about every million cycles and ends with the first change of a word that is not private. In a program
// that makes progress, such a change comes soon. A program that computes for a long time without one is compared less and
// less often.
#pragma once
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "chip/address_map.hpp"
#include "memory/change_log.hpp"

namespace skerry::sim {

class PollWatch {
  public:
    // `settled` must return true if no access that is under way can still change memory. Memory then changes only when
    // a core executes another instruction that writes. `steps` must return a number that changes whenever a unit on the
    // networks between clusters acts: cores read its registers (an arrived packet is counted there), and they are not memory.
    PollWatch(AddressMap &map, std::function<bool()> settled, std::function<std::uint64_t()> steps)
        : map_(map), settled_(std::move(settled)), steps_(std::move(steps)) {
    }
    bool on() const {
        return on_;
    }
    std::uint64_t next_at() const {
        return next_at_;
    }
    // Takes a snapshot of the cores' registers. Later cycles are compared with this snapshot. Must be called in cycle
    // next_at() or later.
    void begin(std::uint64_t now);
    // Compares the chip with the snapshot. Must be called after each cycle while on() is true. Returns true if the chip
    // will repeat itself for ever.
    bool look(std::uint64_t now);
    // Returns the addresses that a core loads from in its loop, except addresses relative to its stack.
    const std::vector<std::uint32_t> &polled(std::uint32_t core) const {
        return cores_[core].polled;
    }

  private:
    struct Watched {
        std::vector<std::uint8_t> state; // registers in the snapshot (Core::snapshot)
        std::uint64_t instructions = 0;
        unsigned repeats = 0;
        std::vector<std::uint32_t> polled;
    };
    std::uint64_t events_outside() const;
    bool has_changed() const;
    bool have_returned(std::uint32_t core) const;
    bool quiet() const;
    void look_at(std::uint32_t core);
    void note_access(std::uint32_t core);
    void note_touch(std::uint32_t core, const Touch &touch);
    void end(std::uint64_t next_at);

    AddressMap &map_;
    std::function<bool()> settled_;
    std::function<std::uint64_t()> steps_;
    bool on_ = false;
    std::vector<Watched> cores_;
    std::vector<std::uint32_t> spinners_;  // the cores that were neither stopped nor asleep in the snapshot
    std::vector<std::uint8_t> everywhere_; // argument of Memory::watch: no element is 0, so that all writes are noted
    ChangeLog log_;                        // the words that have changed since the snapshot
    // For each word that a core has accessed since the snapshot: the core's index, or not_private. The keys are places as in
    // ChangeLog.
    std::unordered_map<const std::uint8_t *, std::uint32_t> users_;
    bool misses_accesses_ = false; // true if users_ does not have all accesses
    std::size_t spinning_ = 0;     // number of cores whose registers have not returned twice to the snapshot
    std::uint64_t outside_ = 0;    // events_outside() at the snapshot
    std::uint64_t began_at_ = 0;
    std::uint64_t check_at_ = 0; // cycle of the next call of has_changed()
    std::uint64_t length_ = first_look;
    std::uint64_t next_at_ = first_interval;

    static constexpr std::uint32_t not_private = no_core;
    static constexpr std::size_t most_changed = 64; // words for each core; a core that changes more makes progress
    static constexpr std::size_t most_used = 1024;  // the same for accesses
    // Times in cycles. A "look" is one comparison of the chip with a snapshot. A look can end without a change in
    // memory and without the proof of a deadlock. Perhaps the look was too short for a long loop, so the next look is
    // longer. It also begins later, because a cycle of a look takes longer: with one core some 40 ns instead of 4.
    static constexpr std::uint64_t first_interval = 1 << 20;
    static constexpr std::uint64_t cycles_between = 256; // for each cycle of the look before
    static constexpr std::uint64_t first_look = 1 << 14;
    static constexpr std::uint64_t longest_look = 1 << 19;
    static constexpr std::uint64_t shortest_look = 1 << 11; // longer than the longest access
    static constexpr unsigned enough_repeats = 2;
};

} // namespace skerry::sim
