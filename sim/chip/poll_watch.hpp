// SPDX-License-Identifier: BSD-3-Clause
// Finds cores that poll what nobody can change any more. From time to time the whole chip is looked at cycle by cycle:
// when every core that does not sleep has come back twice to exactly the same registers, and meanwhile no byte of any
// memory has changed, no timer was read and no signal given, then each will do the same again, for ever. A store that
// changes nothing does not count, nor do reads of other cores' memory; a loop that counts is never taken for one.
//
// The look begins every million cycles and ends with the first change, which in a program that works is soon; a program
// that computes for long without any store is looked at less and less often.
#pragma once
#include <cstdint>
#include <vector>

#include "core/core.hpp"

namespace skerry::sim {

class Chip;

class PollWatch {
  public:
    explicit PollWatch(Chip &chip) : chip_(chip) {
    }
    bool on() const {
        return on_;
    }
    std::uint64_t next_at() const {
        return next_at_;
    }
    // Begins in the cycle next_at() or later. Nothing else may be under way than what the chip shows.
    void begin(std::uint64_t now);
    // After each cycle while it is on. True: nothing will ever change.
    bool look(std::uint64_t now);
    // Where a core was seen to load from in its loop, without its stack.
    const std::vector<std::uint32_t> &polled(std::uint32_t core) const {
        return cores_[core].polled;
    }

  private:
    struct Watched {
        State state; // at the beginning
        std::uint64_t instructions = 0;
        unsigned repeats = 0;
        bool spins = false; // it is neither stopped nor asleep
        std::vector<std::uint32_t> polled;
    };
    std::uint64_t changes() const;
    bool quiet() const;
    void look_at(Watched &watched, const Core &core);
    void note_load(Watched &watched, const Core &core) const;
    void end(std::uint64_t now);

    Chip &chip_;
    bool on_ = false;
    std::vector<Watched> cores_;
    std::vector<std::uint8_t> everywhere_; // for Memory::watch
    std::uint32_t spinning_ = 0;           // cores that have not come back twice
    std::uint64_t changes_ = 0;            // at the beginning
    std::uint64_t began_at_ = 0;
    std::uint64_t interval_ = first_interval;
    std::uint64_t length_ = first_look;
    std::uint64_t next_at_ = first_interval;

    // In cycles. A look that found no change was perhaps too short for a loop over much: the next one is longer. But it
    // also comes later, so that a program without stores is not slowed down.
    static constexpr std::uint64_t first_interval = 1 << 20;
    static constexpr std::uint64_t longest_interval = 1 << 24;
    static constexpr std::uint64_t first_look = 1 << 12;
    static constexpr std::uint64_t longest_look = 1 << 16;
    static constexpr std::uint64_t shortest_look = 1 << 11; // more than an access takes
    static constexpr unsigned enough_repeats = 2;
};

} // namespace skerry::sim
