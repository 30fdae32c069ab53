// SPDX-License-Identifier: BSD-3-Clause
// Ends a job on several nodes: stops all nodes, gives up nodes that do not answer, and prints the reason.
#include "cluster.hpp"

#include "clock.hpp"
#include "descendants.hpp"
#include "limits.hpp"
#include "message.hpp"
#include "mpirun_folder.hpp"
#include "ranks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>

namespace skerry {

namespace {

// Seconds within which all nodes must end after the job was stopped. A node that has not ended by then counts as lost.
constexpr double end_limit = keeper_limit + message_limit;
constexpr size_t nodes_listed = 8; // largest number of nodes that a line names

} // namespace

// Gives up a node: treats the node as lost and does not wait for it. If the job is not ending yet, ends the job with
// the error message `why`.
void Cluster::lose(Node &node, const std::string &why) {
    node.state = State::lost;
    if (node.starter.process > 0) kill(-node.starter.process, SIGKILL);
    if (!stop_) stop_job({exit_failure, why}, "stop");
}

// Begins to stop the job. Sends `command` to the supervisors (the parents of the PEs) of all nodes except the node
// `except` (null: none). Ends the nodes that do not run PEs yet. If the job is already stopping, keeps the first
// reason.
void Cluster::stop_job(Stop reason, const std::string &command, const Node *except) {
    if (stop_) return;
    stop_ = std::move(reason);
    stopped_at_ = now();
    give_up_at_ = stopped_at_ + end_limit;
    for (Node &node : nodes_) {
        if (node.state == State::running && &node != except) node.channel->send(FrameKind::control, command);
        if (node.state != State::starting && node.state != State::waiting) continue;
        node.state = State::ended; // skerry-node ends when its connection ends before it got PEs to run
        node.channel.reset();
        if (node.starter.process > 0) kill(-node.starter.process, SIGTERM);
    }
}

bool Cluster::all_ended() const {
    return std::ranges::all_of(
        nodes_, [](const Node &node) { return node.state == State::ended || node.state == State::lost; });
}

std::string Cluster::describe(const Node &node) const {
    if (node.range.count == 0) return "node " + node.host.name; // the PEs are not distributed yet
    RankList pes;
    pes.add(node.range.first, node.range.first + node.range.count - 1);
    return fmt::format("node {} ({})", node.host.name, pes.describe());
}

std::string Cluster::list_running() const {
    RankList list;
    for (const Node &node : nodes_)
        for (int i = 0; i < node.range.count; ++i)
            if (node.state == State::running && node.ended_pes[static_cast<size_t>(i)] != '1')
                list.add(node.range.first + i);
    return list.describe();
}

// Returns words for the nodes that were told to end and have not ended in time. Processes are possibly left on them.
std::string Cluster::list_unended() const {
    std::vector<std::string> names;
    for (const Node &node : nodes_)
        if (node.given_up) names.push_back(node.host.name);
    if (names.empty()) return {};
    const size_t listed = std::min(names.size(), nodes_listed);
    return fmt::format("; {} {}{} did not end in time", names.size() == 1 ? "node" : "nodes",
                       fmt::join(names.begin(), names.begin() + static_cast<ptrdiff_t>(listed), ", "),
                       names.size() > listed ? ", ..." : "");
}

// Returns the tables for --stats: the resources that the PEs of each node have used, and a line for the job.
std::string Cluster::usage_tables() const {
    std::string tables;
    std::vector<PeUsage> all;
    for (const Node &node : nodes_) {
        if (node.usage.empty()) {
            tables += fmt::format("{}: the node has sent no figures\n", describe(node));
            continue;
        }
        tables += fmt::format("{}\n{}", describe(node), stats_table(node.usage, "node"));
        all.insert(all.end(), node.usage.begin(), node.usage.end());
    }
    return tables + stats_total(all, "job");
}

// Returns a table for --stats: the messages and bytes that each node has sent to each other node.
std::string Cluster::traffic_table() const {
    constexpr const char *row = "{:<16} {:<16} {:>12} {:>14} {:>14}\n";
    std::string table = fmt::format("nodes: {}; started by {}\n", nodes_.size(), name_of(starter_));
    table += fmt::format(row, "node", "other node", "messages to it", "bytes to it", "bytes got");
    for (const Node &from : nodes_)
        for (size_t to = 0; to < nodes_.size() && 3 * to + 2 < from.traffic.size(); ++to)
            if (&from != &nodes_[to])
                table += fmt::format(row, from.host.name, nodes_[to].host.name, from.traffic[3 * to],
                                     from.traffic[3 * to + 1], from.traffic[3 * to + 2]);
    return table;
}

// Waits until the process that has started all nodes ends, but not longer than until `end`. Returns true if it has
// ended, or if there is no such process.
bool Cluster::wait_for_common_starter(double end) {
    int status = 0;
    while (common_starter_.process > 0 && waitpid(common_starter_.process, &status, WNOHANG) == 0) {
        if (now() >= end) return false;
        const struct timespec moment = {0, 1'000'000};
        nanosleep(&moment, nullptr);
    }
    common_starter_.process = -1;
    return true;
}

// Called if srun (or mpirun) still runs although the job has ended, for example because a node is cut off. If srun has
// requested a job of Slurm, this job would outlive a killed srun, so it is cancelled. A step in an allocation of the user
// ends with the allocation. mpirun ends its daemons if it gets SIGTERM. Its ssh must live until then, so the signal is for
// mpirun alone. Returns the line of a warning if the job possibly remains, otherwise an empty text.
std::string Cluster::end_common_starter() {
    if (starter_ == Starter::mpirun || starter_ == Starter::prterun) {
        kill(common_starter_.process, SIGTERM);
        wait_for_common_starter(now() + message_limit);
        return {};
    }
    if (starter_ != Starter::srun || std::getenv("SLURM_JOB_ID") != nullptr) return {};
    if (!slurm_job_.empty()) {
        if (cancel_slurm_job(slurm_job_)) return {};
        return fmt::format("oshrun: Slurm's job {0} possibly still runs, because scancel has not ended it; to end it: "
                           "scancel {0}\n",
                           slurm_job_);
    }
    // No node has told the number of the job. srun withdraws a request that still waits for nodes if it gets SIGTERM.
    kill(-common_starter_.process, SIGTERM);
    if (wait_for_common_starter(now() + message_limit)) return {};
    return "oshrun: a Slurm job that srun has requested possibly remains: squeue --me lists it, and scancel ends it\n";
}

int Cluster::finish() {
    listener_.reset();
    for (Node &node : nodes_) {
        node.channel.reset();
        node.error->flush_partial();
        node.output->flush_partial();
    }
    const double grace = now() + message_limit; // for ssh and srun to end by themselves
    while (now() < grace && std::ranges::any_of(nodes_, [](const Node &node) { return node.starter.error >= 0; })) {
        bool any = false;
        for (Node &node : nodes_)
            if (node.starter.error >= 0) {
                receive_starter(node.starter, &node);
                any = any || (node.starter.error >= 0 && node.state == State::ended);
            }
        if (!any) break;
        const struct timespec moment = {0, 1'000'000};
        nanosleep(&moment, nullptr);
    }
    std::string words;
    if (stop_ && !stop_->line.empty())
        words = fmt::format("oshrun{}{}{}\n", failed_ != nullptr ? " " : ": ", stop_->line, list_unended());
    if (!wait_for_common_starter(grace)) words += end_common_starter();
    end_descendants(descendants_limit);
    if (starter_ == Starter::mpirun) remove_mpirun_folder(common_starter_process_);
    if (options_.stats && distributed_) words += usage_tables() + traffic_table();
    if (!words.empty()) error_sink_.append_own(words);
    const double limit = !stop_ ? HUGE_VAL : now() + (stop_->hurried ? last_words_limit : reader_limit);
    for (flush(); (output_.waiting() || error_.waiting()) && now() < limit; flush()) {
        std::array<struct pollfd, 2> room = {{{output_.waiting() ? output_.descriptor() : -1, POLLOUT, 0},
                                              {error_.waiting() ? error_.descriptor() : -1, POLLOUT, 0}}};
        poll(room.data(), room.size(), 100);
    }
    if (const size_t left = output_.bytes_waiting() + error_.bytes_waiting(); left > 0 && !error_.waiting())
        say(fmt::format("{} bytes of output are lost, because the reader of oshrun's output does not read them", left));
    return stop_ ? stop_->code : 0;
}

} // namespace skerry
