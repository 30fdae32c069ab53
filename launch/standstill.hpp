// SPDX-License-Identifier: BSD-3-Clause
// Detects a deadlock of a job on several nodes: all PEs of the job wait or have ended, and no record (a message of
// Skerry's network module) is on its way between two nodes. Uses reports of the supervisors of the nodes (the parents
// of the PEs). After F. Mattern, Algorithms for distributed termination detection, Distributed Computing 2 (1987),
// section on the four-counter method.
//
// A node *stands still* if two conditions hold in all polls of the last seconds:
// * Each of its PEs waited, had finalized or had ended.
// * Two numbers did not change: how many records the node has sent to other nodes, and how many records it has executed
//   (src/machine/ucx/count.c).
//
// The steps:
// 1. A node reports when it begins to stand still and when it moves again.
// 2. All nodes have reported, and the total of sent records equals the total of executed records. oshrun then begins a
//    round: it asks each node to confirm that the node has stood still from its report until now.
// 3. All nodes have confirmed. The job is in a deadlock.
//
// Why reports alone prove nothing: a report can be old when it arrives. A node that reported early can have sent a
// record to a node that reported late.
//
// Why confirmations prove it. Let t be the time at which oshrun asks for the first confirmation.
// * Each node reported before t and answers after t. Its two numbers are the same at both times. The numbers never
//   decrease, so at t they had the same values, and no PE of the node was active at t.
// * At t the totals are equal. A record counts as sent before it leaves, and as executed after its effect. So at t no
//   record was on its way or half executed.
// * After t no PE can become active, because only another PE of its node or a record could wake it. So the job stands
//   still for ever, and the confirmations are allowed to arrive at any later time.
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

    // Records the report that node `node` stands still: no PE of it does anything. `sent` and `executed` are the node's
    // numbers of sent and executed records (messages of the network module).
    void stands(size_t node, uint64_t sent, uint64_t executed);
    // Records the report that node `node` does not stand still any more.
    void moves(size_t node);
    // Records that node `node` has stood still since its last report. This is the node's answer in round `round`.
    void confirms(size_t node, uint64_t round);

    // Begins a round of confirmations if all nodes have reported and the totals are equal. Returns the number of the
    // round. The caller must then ask all nodes that have not ended to confirm. Returns nothing if a round is under way
    // or cannot begin.
    std::optional<uint64_t> begin_round();

    // Returns true if all nodes have confirmed in the current round. `has_ended` returns true for the number of a node
    // whose PEs have all ended. An ended node need not confirm: it sends and executes no messages any more.
    bool is_deadlock(const std::function<bool(size_t)> &has_ended) const;

  private:
    struct Node {
        bool stands = false;
        uint64_t sent = 0, executed = 0;
        uint64_t confirmed = 0; // the last round in which this node has confirmed
    };
    std::vector<Node> nodes_;
    uint64_t round_ = 0; // number of rounds that were begun
    bool is_open_ = false;
};

} // namespace skerry
