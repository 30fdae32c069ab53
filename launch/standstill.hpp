// SPDX-License-Identifier: BSD-3-Clause
// Detects a deadlock of a job on several nodes, from what the supervisors of the nodes report: all PEs of the job wait
// or have ended, and no record of the network is under way. After F. Mattern, Algorithms for distributed termination
// detection, Distributed Computing 2 (1987), section on the four-counter method.
//
// A node *stands still* if all its PEs have waited, finalized or ended in all polls of the last seconds, and the two
// numbers of its records have not changed in that time: how many it has sent to other nodes, and how many it has
// executed (src/machine/ucx/count.c). A node reports this, and the end of this state. A report can be old when it
// arrives, so the reports alone prove nothing: a record may be under way from a node that reported early to a node that
// reported late. Therefore there are two waves. When all nodes have reported, and the totals of both numbers are equal,
// each node is asked to confirm that it has stood still from its report until now.
//
// Let t be the time at which the first confirmation is asked for. Each node has reported before t, answers after t, and
// its numbers are the same at both times. They never decrease, so at t they had the same values, and no PE of the node
// was active at t. At t the totals are equal. Each record counts as sent before it leaves, and as executed after its effect,
// so at t no record was under way or half executed. Then no PE can become active any more: only another PE of its node
// or a record could wake it. So the job stands still for ever, and the confirmations may arrive at any later time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace skerry {

class StandstillDetector {
  public:
    explicit StandstillDetector(size_t nodes) : nodes_(nodes) {
    }

    // Node `node` stands still, with these numbers of records.
    void stands(size_t node, uint64_t sent, uint64_t landed);
    // It does not stand still any more.
    void moves(size_t node);
    // It has stood still since its last report, and answers the question of this round.
    void confirms(size_t node, uint64_t round);

    // If all nodes have reported and the totals are equal, begins a round and returns its number: the caller then asks all
    // nodes that have not ended to confirm. Returns nothing if a round is under way already.
    std::optional<uint64_t> begin_round();

    // Returns true if all nodes have confirmed in the current round. A node whose PEs have all ended cannot change its
    // numbers, so it need not confirm: `has_ended` is called with the number of a node.
    bool is_deadlock(const std::function<bool(size_t)> &has_ended) const;

  private:
    struct Node {
        bool stands = false;
        uint64_t sent = 0, landed = 0;
        uint64_t confirmed = 0; // the last round that it has confirmed
    };
    std::vector<Node> nodes_;
    uint64_t round_ = 0; // number of rounds that were begun
    bool is_open_ = false;
};

} // namespace skerry
