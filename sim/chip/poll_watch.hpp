// SPDX-License-Identifier: BSD-3-Clause
// Detects that all cores poll words that nobody can change any more. From time to time the watch takes a snapshot, and
// compares the whole chip with the snapshot cycle by cycle.
//
// All cores repeat themselves for ever if two conditions hold:
// 1. The registers of every core that does not sleep have returned twice to exactly their values in the snapshot.
// 2. Since the snapshot no byte of any memory has changed, no timer was read and no signal was sent.
//
// Two accesses do not count as changes: a store of the value that the memory already has, and a read of another core's
// memory. A loop that counts its iterations changes a register, so such a loop is never reported.
//
// A loop that calls several functions stores different values to the same bytes of its stack. So changes of a core's stack
// near its stack pointer do not count either, if at two returns to the snapshot the bytes above the stack pointer are
// equal. (The bytes below it are of functions that have ended.) A loop that counts in a variable on its stack has other
// bytes at each return. A write by something else than the core can change these bytes when it has already returned twice. So
// after all cores have, and nothing is under way that could still write, all of them must do so a second time.
//
// A comparison begins about every million cycles and ends with the first change. In a program that makes progress, the
// first change comes soon. A program that computes for a long time without any store is compared less and less often.
#pragma once
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "chip/address_map.hpp"

namespace skerry::sim {

class PollWatch {
  public:
    // `settled` must return true if no access that is under way can still change memory. Memory then changes only when
    // a core executes another instruction that writes.
    PollWatch(AddressMap &map, std::function<bool()> settled) : map_(map), settled_(std::move(settled)) {
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
        bool spins = false;               // true if the core is neither stopped nor asleep
        Place stack;                      // of the stack pointer in the snapshot; null if it is in no memory
        std::vector<std::uint8_t> frames; // the bytes above the stack pointer at the last return to the snapshot
        std::vector<std::uint32_t> polled;
    };
    std::uint64_t changes() const;
    std::uint64_t events() const;
    bool changed_but_stacks() const;
    bool is_of_stack(const Memory &memory, const Memory::Changed &range) const;
    std::vector<std::uint8_t> frames_of(const Watched &watched) const;
    void expect_returns();
    bool quiet() const;
    void look_at(Watched &watched, const Core &core);
    void note_load(Watched &watched, const Core &core) const;
    void end(std::uint64_t now);

    AddressMap &map_;
    std::function<bool()> settled_;
    bool on_ = false;
    std::vector<Watched> cores_;
    std::vector<std::uint8_t> everywhere_; // argument of Memory::watch: no element is 0, so that all writes are counted
    std::uint32_t spinning_ = 0;           // number of cores whose registers have not returned twice to the snapshot
    std::uint64_t changes_ = 0;            // changes() at the snapshot
    std::uint64_t events_ = 0;             // events() at the snapshot
    bool again_ = false;                   // all cores have returned twice, and must do so a second time
    std::uint64_t began_at_ = 0;
    std::uint64_t interval_ = first_interval;
    std::uint64_t length_ = first_look;
    std::uint64_t next_at_ = first_interval;

    // Times in cycles. A "look" is one comparison of the chip with a snapshot. A look can end without a change in
    // memory and without the proof of a deadlock. Perhaps the look was too short for a long loop, so the next look is
    // longer. The next look also begins later: a program that stores nothing is then simulated with fewer looks.
    static constexpr std::uint64_t first_interval = 1 << 20;
    static constexpr std::uint64_t longest_interval = 1 << 24;
    static constexpr std::uint64_t first_look = 1 << 12;
    static constexpr std::uint64_t longest_look = 1 << 16;
    static constexpr std::uint64_t shortest_look = 1 << 11; // longer than the longest access
    static constexpr unsigned enough_repeats = 2;
    // Bytes of a core's stack below and above the stack pointer in the snapshot.
    static constexpr std::uint32_t stack_below = 2048;
    static constexpr std::uint32_t stack_above = 512;
};

} // namespace skerry::sim
