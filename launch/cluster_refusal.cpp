// SPDX-License-Identifier: BSD-3-Clause
// Handles what the programs that start the nodes, such as ssh and srun, write to standard error, and their end.
#include "cluster.hpp"

#include "clock.hpp"
#include "message.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <sys/wait.h>

namespace skerry {

namespace {

constexpr double words_limit = 1; // seconds until the words of a process that has ended have arrived

} // namespace

// Reaps child processes. Reacts only to the end of the common starter (srun). If an ssh ends, its pipes close, and
// step() notices the closed pipes.
void Cluster::reap() {
    pid_t process;
    int status = 0;
    while ((process = waitpid(-1, &status, WNOHANG)) > 0) {
        if (process != common_starter_.process) continue;
        common_starter_.process = -1;
        if (common_starter_.error >= 0) read_words(common_starter_);
        if (!distributed_) check_refusal();
        const bool missing =
            std::ranges::any_of(nodes_, [](const Node &node) { return node.state == State::starting; });
        const std::string words = cause_in(starter_, common_starter_.words);
        if (suspicion_ && !stop_ && words.empty()) stop_start(suspicion_->line);
        if ((!missing && !suspicion_) || stop_) continue;
        const Node *named = find_missing(words);
        if (named == nullptr && starter_ == Starter::srun) named = find_unknown_to_slurm();
        stop_start(
            named != nullptr
                ? fmt::format("node {}: {} has not started skerry-node: {}", named->host.name, name_of(starter_), words)
                : fmt::format("{} has not started all nodes{}{}", name_of(starter_), words.empty() ? "" : ": ", words));
    }
}

// Returns the node that is not started and whose host the text names; null if there is none.
const Cluster::Node *Cluster::find_missing(const std::string &words) const {
    const auto is_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_'; };
    for (const Node &node : nodes_) {
        if (node.state != State::starting) continue;
        const size_t at = words.find(node.host.name), end = at + node.host.name.size();
        if (at != std::string::npos && (at == 0 || !is_name(words[at - 1])) &&
            (end == words.size() || !is_name(words[end])))
            return &node;
    }
    return nullptr;
}

// Returns the first node whose host Slurm does not know, or does not have in the allocation in which oshrun runs; null if
// there is none. srun does not name such a host.
const Cluster::Node *Cluster::find_unknown_to_slurm() const {
    const std::vector<std::string> known = slurm_hosts();
    const auto is_unknown = [&](const Node &node) {
        return node.state == State::starting && std::ranges::find(known, node.host.name) == known.end();
    };
    const auto node = std::ranges::find_if(nodes_, is_unknown);
    return known.empty() || node == nodes_.end() ? nullptr : &*node;
}

// Reads the text that a starter (ssh, srun) writes to its standard error. Until the job runs, keeps the text for an
// error message. After that, prints the text, because it can be a message of a process on the node.
void Cluster::receive_starter(StarterProcess &starter, Node *node) {
    const size_t before = starter.words.size();
    read_words(starter);
    const bool starts =
        node != nullptr ? node->state == State::starting || node->state == State::waiting : !distributed_;
    if (starts && node == nullptr) check_refusal();
    if (starts || starter.words.size() == before) return;
    error_sink_.append_own(starter.words.substr(before));
    starter.words.resize(before);
}

// Ends the job if srun or mpirun has written that skerry-node is missing, or has ended, on a node. srun tells the end of
// a process before it passes on what the process has written.
void Cluster::check_refusal() {
    const std::optional<Refusal> refusal = find_refusal(starter_, common_starter_.words);
    if (stop_ || !refusal) return;
    const Node *named = find_missing(refusal->node);
    const std::string line =
        fmt::format("node {}: skerry-node did not start ({}): {}", named != nullptr ? named->host.name : refusal->node,
                    name_of(starter_), refusal->cause);
    if (refusal->is_complete) stop_start(line);
    else suspicion_ = {line, std::min(now() + words_limit, suspicion_ ? suspicion_->deadline : HUGE_VAL)};
}

} // namespace skerry
