// SPDX-License-Identifier: BSD-3-Clause
// Finds the nodes of a job that are dead, cut off from another node, or too late, and ends the job.
#include "cluster.hpp"

#include "clock.hpp"
#include "limits.hpp"
#include "message.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace skerry {

namespace {

constexpr size_t hosts_listed = 8;      // largest number of hosts that a line names
constexpr uint16_t slurmd_port = 6818;  // SlurmdPort of slurm.conf, unless it is changed
constexpr double slurm_doubt_limit = 1; // seconds after the start until slurmd is asked
constexpr double sign_limit = 2.5;      // seconds until a node that lives has given a sign of life (alive_interval)

} // namespace

// Ends the job if PEs of a node have waited too long in shmem_init for those of another node.
void Cluster::check_late(double time) {
    if (stop_ || addresses_sent_ || first_ports_ <= 0 || time - first_ports_ < initialization_limit) return;
    const auto is_late = [](const Node &node) { return node.ports.empty(); };
    const auto late = std::ranges::find_if(nodes_, is_late), waiting = std::ranges::find_if_not(nodes_, is_late);
    if (late == nodes_.end() || waiting == nodes_.end()) return;
    stop_job(
        {exit_failure, fmt::format("{} has waited {} s in shmem_init for {}, where a PE has not called it; job stopped",
                                   describe(*waiting), initialization_limit, describe(*late))},
        "stop");
}

// Called if a node reports that it does not reach another node. If the other node is dead or cut off from all nodes, the
// silence of this node ends the job soon, with a better message. So the report counts only if both nodes have given a sign
// of life since. A node whose PEs have ended is allowed to be silent. As long as no node waits in shmem_init, a cut path is no
// failure.
void Cluster::handle_cut(const Node &node, size_t other, bool was_reached) {
    if (stop_ || cut_ || other >= nodes_.size() || nodes_[other].state != State::running) return;
    cut_ = Cut{&node, &nodes_[other], was_reached, now()};
}

void Cluster::check_cut(double time) {
    if (!cut_) return;
    const Cut cut = *cut_;
    if (stop_ || cut.from->state != State::running || cut.to->state != State::running) {
        cut_.reset();
        return;
    }
    if (first_ports_ <= 0) return;
    const double age = time - cut.reported;
    const auto lives = [age](const Node &node) { return node.channel->silent_seconds() < age; };
    if (age < sign_limit && !(lives(*cut.from) && lives(*cut.to))) return;
    stop_job({exit_failure,
              cut.was_reached
                  ? fmt::format("{} and {} cannot reach each other: no answer for {} s; job stopped",
                                describe(*cut.from), describe(*cut.to), silence_limit)
                  : fmt::format("{} gets no answer from {} within {} s: can the nodes reach each other's ports? A "
                                "firewall, or a network that they do not share (UCX_NET_DEVICES), can be the reason; "
                                "job stopped",
                                describe(*cut.from), describe(*cut.to), silence_limit)},
             "stop");
}

// Asks the hosts on which no skerry-node has connected yet. Names those that have never answered, once: the job does not
// end for this reason, because a firewall can drop the questions, and possibly only ssh knows the way to the host.
void Cluster::check_hosts(double time) {
    skerry_step_host_watch(hosts_, time);
    if (silence_told_ || stop_) return;
    std::vector<std::string> names;
    for (const Node &node : nodes_) {
        if (node.state != State::starting) continue;
        const enum skerry_host_state state = skerry_host_state(hosts_, static_cast<int>(node.place));
        if (state == SKERRY_HOST_UNREACHABLE || state == SKERRY_HOST_UNHEARD) names.push_back(node.host.name);
    }
    if (names.empty()) return;
    silence_told_ = true;
    const size_t listed = std::min(names.size(), hosts_listed);
    error_sink_.append_own(
        fmt::format("oshrun: waits for {} {}{}: no answer at port 9, 22 or 6818; the host is down or cut off, or a "
                    "firewall drops the questions\n",
                    names.size() == 1 ? "node" : "nodes",
                    fmt::join(names.begin(), names.begin() + static_cast<ptrdiff_t>(listed), ", "),
                    names.size() > listed ? ", ..." : ""));
}

// Ends the job if the daemon of Slurm does not answer on a node where srun has not started skerry-node yet. srun itself
// gives up such a node after 20 s (two times MessageTimeout of slurm.conf). If slurmd uses another port, nothing answers
// there, and srun's words decide. slurmd writes a line to its log for each question, so it is asked only if the start takes
// longer than usual.
void Cluster::check_slurm_daemons(double time) {
    if (starter_ != Starter::srun || stop_ || time - started_ < slurm_doubt_limit) return;
    for (Node &node : nodes_) {
        if (node.state != State::starting) continue;
        const uint8_t *address = skerry_host_address(hosts_, static_cast<int>(node.place));
        DaemonQuestion &daemon = daemons_[node.place];
        if (address == nullptr || !daemon.step(address, slurmd_port, time) || daemon.silent_seconds() < silence_limit)
            continue;
        stop_start(
            fmt::format("node {}: Slurm's daemon slurmd does not answer there: no sign of life for {} s, and srun has "
                        "not started skerry-node",
                        node.host.name, silence_limit));
        return;
    }
}

// Gives up a node that does not answer, or that has not ended in time.
void Cluster::check_node(Node &node, double time) {
    if (node.state == State::ended || node.state == State::lost) return;
    bool is_dead = false;
    double limit = silence_limit;
    if (node.state == State::starting) {
        is_dead = skerry_host_state(hosts_, static_cast<int>(node.place)) == SKERRY_HOST_SILENT;
    } else {
        is_dead = node.channel->is_dead();
        if (node.channel->silent_seconds() >= starved_limit) limit = starved_limit;
    }
    if (is_dead)
        lose(node, fmt::format("{} does not answer: no sign of life for {} s; job stopped", describe(node), limit));
    else if (node.state == State::starting && time - started_ > start_limit)
        lose(node, fmt::format("node {} has not answered within {} s ({}); is it reachable?", node.host.name,
                               start_limit, name_of(starter_)));
    else if (stop_ && time > give_up_at_) {
        node.given_up = true;
        lose(node, {});
    }
}

} // namespace skerry
