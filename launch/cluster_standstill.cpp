// SPDX-License-Identifier: BSD-3-Clause
// Ends a job on several nodes at a deadlock: all its PEs wait or have ended. standstill.hpp explains how a deadlock is
// detected.
#include "cluster.hpp"

#include "message.hpp"
#include "ranks.hpp"
#include "stranded.hpp"

#include <charconv>
#include <cstdio>
#include <fmt/format.h>

namespace skerry {

// Handles a report about a standstill, the state in which no PE of a node does anything (standstill.hpp). Returns false
// if the report is about something else.
bool Cluster::handle_standstill(Node &node, const std::string &word, const std::string &rest) {
    const auto index = static_cast<size_t>(&node - nodes_.data());
    if (word == "left") {
        if (!is_watched_) tell_running("watch");
        is_watched_ = true;
    } else if (word == "stands") {
        uint64_t sent = 0, executed = 0;
        int used = 0;
        std::array<char, 4096> waiting{};
        if (std::sscanf(rest.c_str(), "%lu %lu %4095s %n", &sent, &executed, waiting.data(), &used) < 3) return true;
        node.waiting_pes = waiting.data();
        node.ended_pe = rest.substr(static_cast<size_t>(used));
        standstill_->stands(index, sent, executed);
    } else if (word == "moves") {
        standstill_->moves(index);
    } else if (word == "confirmed") {
        standstill_->confirms(index, std::strtoull(rest.c_str(), nullptr, 10));
    } else {
        return false;
    }
    check_standstill();
    return true;
}

void Cluster::check_standstill() {
    if (stop_) return;
    if (const std::optional<uint64_t> round = standstill_->begin_round())
        tell_running(fmt::format("confirm {}", *round));
    if (!standstill_->is_deadlock([this](size_t index) { return nodes_[index].state == State::ended; })) return;
    const Node *cause = nullptr;
    std::string waiting;
    for (const Node &node : nodes_) {
        if (cause == nullptr && !node.ended_pe.empty()) cause = &node;
        if (node.waiting_pes != "-") waiting += (waiting.empty() ? "" : ",") + node.waiting_pes;
    }
    if (cause == nullptr || waiting.empty()) return;
    failed_ = cause;
    stop_job({exit_failure, fmt::format("on {}: {}", cause->host.name, describe_stranded(cause->ended_pe, waiting))},
             "stop");
}

void Cluster::tell_running(const std::string &command) {
    for (Node &node : nodes_)
        if (node.state == State::running) node.channel->send(FrameKind::control, command);
}

} // namespace skerry
