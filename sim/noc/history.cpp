// SPDX-License-Identifier: BSD-3-Clause
#include "noc/history.hpp"

#include <utility>

namespace skerry::sim {

LinkHistory::LinkHistory(std::size_t links, std::uint64_t interval, unsigned length)
    : counts_(links * length), links_(links), interval_(interval), length_(length) {
}

void LinkHistory::begin_interval(std::uint64_t cycle) {
    while (cycle / interval_ >= length_) {
        fold();
    }
    const auto which = static_cast<unsigned>(cycle / interval_);
    begun_ = which + 1;
    end_ = (which + 1) * interval_;
    current_ = counts_.data() + which * links_;
}

void LinkHistory::fold() {
    // Adds interval i to interval i/2, in ascending order. The old count of interval i/2 was already added to interval
    // i/4, so this order is correct.
    for (unsigned i = 0; i < length_; i++) {
        for (std::size_t link = 0; link < links_; link++) {
            const Count moved = std::exchange(counts_[i * links_ + link], Count{});
            Count &sum = counts_[i / 2 * links_ + link];
            sum = {sum.transactions + moved.transactions, sum.stalled + moved.stalled};
        }
    }
    interval_ *= 2;
}

} // namespace skerry::sim
