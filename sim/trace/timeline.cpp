// SPDX-License-Identifier: BSD-3-Clause
#include "trace/timeline.hpp"

#include <algorithm>
#include <utility>

namespace skerry::sim {

Timeline::Timeline(std::uint32_t cores, std::uint64_t interval, std::uint32_t length)
    : counts_(std::size_t{cores} * length), cores_(cores), interval_(interval), length_(length) {
}

void Timeline::add(std::uint32_t core, std::uint64_t cycle, unsigned track, std::uint64_t count) {
    if (count == 0) return;
    while (cycle / interval_ >= length_) fold();
    const auto which = static_cast<std::uint32_t>(cycle / interval_);
    begun_ = std::max(begun_, which + 1);
    counts_[std::size_t{core} * length_ + which][track] += static_cast<std::uint32_t>(count);
}

void Timeline::spread(std::uint32_t core, std::uint64_t begin, unsigned track, std::uint64_t cycles) {
    const std::uint64_t end = begin + cycles;
    while (begin < end) {
        while ((end - 1) / interval_ >= length_) fold();
        const std::uint64_t until = std::min(end, (begin / interval_ + 1) * interval_);
        add(core, begin, track, until - begin);
        begin = until;
    }
}

void Timeline::fold() {
    for (std::uint32_t core = 0; core < cores_; core++) {
        Count *counts = counts_.data() + std::size_t{core} * length_;
        // Adds interval k to interval k/2, in ascending order. The old count of interval k/2 was already added to
        // interval k/4, so this order is correct.
        for (std::uint32_t k = 0; k < length_; k++) {
            const Count moved = std::exchange(counts[k], Count{});
            for (unsigned c = 0; c < track_count; c++) counts[k / 2][c] += moved[c];
        }
    }
    begun_ = (begun_ + 1) / 2;
    interval_ *= 2;
}

} // namespace skerry::sim
