// SPDX-License-Identifier: BSD-3-Clause
#include "trace/timeline.hpp"

#include <algorithm>
#include <utility>

namespace skerry::sim {

template <unsigned Tracks>
Intervals<Tracks>::Intervals(std::uint32_t things, std::uint64_t interval, std::uint32_t length)
    : counts_(things), interval_(interval), length_(length) {
}

template <unsigned Tracks>
void Intervals<Tracks>::add(std::uint32_t thing, std::uint64_t cycle, unsigned track, std::uint64_t count) {
    if (count == 0) return;
    while (cycle / interval_ >= length_) fold();
    const auto which = static_cast<std::uint32_t>(cycle / interval_);
    begun_ = std::max(begun_, which + 1);
    std::vector<Count> &counts = counts_[thing];
    if (counts.empty()) counts.resize(length_);
    counts[which][track] += static_cast<std::uint32_t>(count);
}

template <unsigned Tracks>
void Intervals<Tracks>::spread(std::uint32_t thing, std::uint64_t begin, unsigned track, std::uint64_t cycles,
                               std::uint64_t count) {
    const std::uint64_t first = begin, end = begin + cycles;
    std::uint64_t added = 0;
    while (begin < end) {
        while ((end - 1) / interval_ >= length_) fold();
        const std::uint64_t until = std::min(end, (begin / interval_ + 1) * interval_);
        const std::uint64_t so_far = count * (until - first) / cycles;
        add(thing, begin, track, so_far - added);
        added = so_far;
        begin = until;
    }
}

template <unsigned Tracks> void Intervals<Tracks>::fold() {
    for (std::vector<Count> &counts : counts_) {
        // Adds interval k to interval k/2, in ascending order. The old count of interval k/2 was already added to
        // interval k/4, so this order is correct.
        for (std::size_t k = 0; k < counts.size(); k++) {
            const Count moved = std::exchange(counts[k], Count{});
            for (unsigned c = 0; c < Tracks; c++) counts[k / 2][c] += moved[c];
        }
    }
    begun_ = (begun_ + 1) / 2;
    interval_ *= 2;
}

template class Intervals<track_count>;
template class Intervals<traffic_tracks>;
template class Intervals<1>;

} // namespace skerry::sim
