// SPDX-License-Identifier: BSD-3-Clause
// Defines vector clocks (Mattern 1989). Element k of a clock is a number of a period of core k. Everything that core k
// did until the end of this period happened before the moment that the clock describes. Behind the cores, a clock can have
// elements for units that act beside the cores.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace skerry::sim {

class VectorClock {
  public:
    VectorClock() = default; // a clock before which nothing happened
    explicit VectorClock(std::size_t cores) : periods_(cores) {
    }
    std::uint32_t operator[](std::size_t core) const {
        return core < periods_.size() ? periods_[core] : 0;
    }
    void advance(std::size_t core) {
        periods_[core]++;
    }
    // Sets the number of a core's period. The clock grows if it did not have this core.
    void set(std::size_t core, std::uint32_t period) {
        if (periods_.size() <= core) periods_.resize(core + 1);
        periods_[core] = period;
    }
    // Adds everything that happened before `other`. Returns true if this clock has changed.
    bool join(const VectorClock &other) {
        if (periods_.size() < other.periods_.size()) periods_.resize(other.periods_.size());
        bool changed = false;
        for (std::size_t k = 0; k < other.periods_.size(); k++) {
            changed |= other.periods_[k] > periods_[k];
            periods_[k] = std::max(periods_[k], other.periods_[k]);
        }
        return changed;
    }

  private:
    std::vector<std::uint32_t> periods_;
};

} // namespace skerry::sim
