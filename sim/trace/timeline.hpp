// SPDX-License-Identifier: BSD-3-Clause
// Counts the cycles of each core in each interval of time, by category. The memory has a fixed size. When all intervals
// are used, each pair of neighbouring intervals is joined to one interval. Therefore the timeline always covers the
// whole run. (noc/history.hpp counts the traffic of links in the same way.)
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/counters.hpp"
#include "dma/dma.hpp"

namespace skerry::sim {

// The number of categories of cycles. Each cycle of a core belongs to one category: single issue, dual issue, idle, or
// one of the stalls.
constexpr unsigned category_count = 3 + stall_count;
using Categories = std::array<std::uint64_t, category_count>;

inline Categories categories_of(const Counters &c) {
    Categories all{};
    all[0] = c.issue_cycles() - c.dual;
    all[1] = c.dual;
    all[2] = c.idle;
    for (unsigned k = 0; k < stall_count; k++) all[3 + k] = c.stalls[k];
    return all;
}
constexpr unsigned category_of(Stall stall) {
    return 3 + static_cast<unsigned>(stall);
}
constexpr unsigned category_idle = 2;
constexpr std::string_view category_name(unsigned category) {
    constexpr std::array<std::string_view, 3> first = {"single issue", "dual issue", "idle"};
    return category < first.size() ? first[category] : stall_names[category - first.size()];
}

// A timeline counts the cycles of each category in a track of its own. Each DMA channel of the core has two more
// tracks: the cycles in which the channel was active, and the bytes that it copied.
constexpr unsigned track_count = category_count + 2 * dma_channels;
constexpr unsigned track_active(unsigned channel) {
    return category_count + 2 * channel;
}
constexpr unsigned track_bytes(unsigned channel) {
    return category_count + 2 * channel + 1;
}

// The counts of some things (cores, links, functions) in each interval of time, each in a number of tracks. A thing without
// counts takes no memory.
template <unsigned Tracks> class Intervals {
  public:
    using Count = std::array<std::uint32_t, Tracks>;

    Intervals(std::uint32_t things, std::uint64_t interval, std::uint32_t length);

    std::uint64_t interval() const {
        return interval_;
    }
    std::uint32_t size() const { // number of intervals that have begun
        return begun_;
    }
    // Returns a thing's counts by interval. Empty if it has none.
    std::span<const Count> of(std::uint32_t thing) const {
        const std::vector<Count> &counts = counts_[thing];
        return std::span(counts).first(counts.empty() ? 0 : begun_);
    }
    // Adds things behind the others, so that there are `things`.
    void extend(std::uint32_t things) {
        counts_.resize(things);
    }
    // Adds `count` to the interval that contains `cycle`.
    void add(std::uint32_t thing, std::uint64_t cycle, unsigned track, std::uint64_t count);
    // Adds `count` to the intervals of `cycles` cycles, of which the first is cycle `begin`, evenly.
    void spread(std::uint32_t thing, std::uint64_t begin, unsigned track, std::uint64_t cycles, std::uint64_t count);
    // Adds `cycles` cycles, the first of which is cycle `begin`, to the intervals in which they are.
    void spread(std::uint32_t thing, std::uint64_t begin, unsigned track, std::uint64_t cycles) {
        spread(thing, begin, track, cycles, cycles);
    }

  private:
    void fold();

    std::vector<std::vector<Count>> counts_; // by thing and interval
    std::uint64_t interval_;
    std::uint32_t length_;
    std::uint32_t begun_ = 0;
};

constexpr unsigned traffic_tracks = 2;
using Timeline = Intervals<track_count>;
using TrafficTimeline = Intervals<traffic_tracks>;
using CycleTimeline = Intervals<1>;

} // namespace skerry::sim
