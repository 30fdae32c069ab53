// SPDX-License-Identifier: BSD-3-Clause
// Counts the traffic of each link in each interval of time, for heat maps. The memory for the counts has a fixed size.
// When all intervals are used, each pair of neighbouring intervals is joined to one interval. Therefore the history
// always covers the whole run.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skerry::sim {

class LinkHistory {
  public:
    struct Count {
        std::uint32_t transactions;
        std::uint32_t stalled; // cycles
    };

    LinkHistory() = default;
    LinkHistory(std::size_t links, std::uint64_t interval, unsigned length);

    bool enabled() const {
        return !counts_.empty();
    }
    std::uint64_t interval() const {
        return interval_;
    }
    // Returns the number of intervals that have begun. All of them except the last are over.
    unsigned size() const {
        return begun_;
    }
    std::span<const Count> at(unsigned which) const {
        return {counts_.data() + which * links_, links_};
    }

    // Moves to the interval that contains a cycle. Must be called before the counts of that cycle are added. A cycle
    // without counts needs no call.
    void advance(std::uint64_t cycle) {
        if (cycle >= end_) {
            begin_interval(cycle);
        }
    }
    void add_transaction(std::size_t link) {
        current_[link].transactions++;
    }
    void add_stall(std::size_t link) {
        current_[link].stalled++;
    }

  private:
    void begin_interval(std::uint64_t cycle);
    void fold();

    std::vector<Count> counts_;
    Count *current_ = nullptr;
    std::size_t links_ = 0;
    std::uint64_t interval_ = 0;
    std::uint64_t end_ = 0; // end of the current interval, in cycles
    unsigned length_ = 0;
    unsigned begun_ = 0;
};

} // namespace skerry::sim
