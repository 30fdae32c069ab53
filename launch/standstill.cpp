// SPDX-License-Identifier: BSD-3-Clause
#include "standstill.hpp"

#include <algorithm>

namespace skerry {

void StandstillDetector::stands(size_t node, uint64_t sent, uint64_t executed) {
    moves(node);
    nodes_[node].stands = true;
    nodes_[node].sent = sent;
    nodes_[node].executed = executed;
}

// Ends the current round of confirmations, because a PE of the node does something again. The confirmations that have
// arrived are about the earlier state, so they are void.
void StandstillDetector::moves(size_t node) {
    nodes_[node].stands = false;
    is_open_ = false;
}

void StandstillDetector::confirms(size_t node, uint64_t round) {
    nodes_[node].confirmed = round;
}

std::optional<uint64_t> StandstillDetector::begin_round() {
    if (is_open_) return std::nullopt;
    uint64_t sent = 0, executed = 0;
    for (const Node &node : nodes_) {
        if (!node.stands) return std::nullopt;
        sent += node.sent;
        executed += node.executed;
    }
    if (sent != executed) return std::nullopt;
    is_open_ = true;
    return ++round_;
}

bool StandstillDetector::is_deadlock(const std::function<bool(size_t)> &has_ended) const {
    if (!is_open_) return false;
    for (size_t i = 0; i < nodes_.size(); ++i)
        if (nodes_[i].confirmed != round_ && !has_ended(i)) return false;
    return true;
}

} // namespace skerry
