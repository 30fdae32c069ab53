// SPDX-License-Identifier: BSD-3-Clause
// Starts a job on several nodes: starts skerry-node on each node, and tells each node which PEs to run.
#include "cluster.hpp"

#include "build.hpp"
#include "clock.hpp"
#include "hosts.hpp"
#include "limits.hpp"
#include "message.hpp"
#include "peer_kernel.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>
#include <unordered_map>

namespace skerry {

void Cluster::start_nodes() {
    if (starter_ == Starter::ssh) {
        for (Node &node : nodes_) {
            node.starter = start_process(command_for(node.host), true);
            node.channel = std::make_unique<Channel>(node.starter.input, node.starter.output);
        }
    } else {
        start_by_one_starter();
    }
    // The thread of the watch reads environment variables in getaddrinfo(), so it starts after the last change of the
    // environment: setenv() can free the array that the thread reads. The caller has blocked the signals that it reads
    // by a signalfd. The thread inherits that.
    std::vector<const char *> names;
    for (const Node &node : nodes_) names.push_back(node.host.name.c_str());
    hosts_ = skerry_watch_hosts(names.data(), static_cast<int>(names.size()), now());
    if (hosts_ == nullptr) stop(exit_failure, "no memory");
}

// Starts the process that starts all nodes, such as srun.
void Cluster::start_by_one_starter() {
    listener_ = std::make_unique<Listener>(make_key());
    setenv(launcher_variable, listener_->description().c_str(), 1);
    // The daemons of Open MPI's mpirun otherwise wait for ever if the link between them is cut. mpirun passes these
    // variables on to its daemons. Other launchers do not know them. The limit is 4 + 3 * 2 = 10 s, so that oshrun
    // notices the cut first (silence_limit), and its line is the only one.
    setenv("OMPI_MCA_oob_tcp_keepalive_time", "4", 0);
    setenv("OMPI_MCA_oob_tcp_keepalive_intvl", "2", 0);
    setenv("OMPI_MCA_oob_tcp_keepalive_probes", "3", 0);
    common_starter_ = start_process(command_for_all(starter_, options_.hosts), false);
    common_starter_process_ = common_starter_.process;
    unsetenv(launcher_variable);
}

// Assigns a new connection to any node that has no connection yet. The first frame (message) on the connection has the
// name of the sender's host. If that is the host of another node, handle_hello() swaps the hosts of the two nodes.
void Cluster::take_connection(std::unique_ptr<Channel> channel) {
    const auto free = std::ranges::find_if(nodes_, [](const Node &node) { return !node.channel; });
    if (free == nodes_.end()) return;
    free->channel = std::move(channel);
}

void Cluster::handle_hello(Node &node, std::string_view text) {
    MessageReader reader(text);
    const std::string version = reader.text(), name = reader.text();
    node.processors = static_cast<int>(reader.number());
    node.processors_identity = reader.text();
    const std::string address = reader.text(), port = reader.text();
    const std::string slurm_job = reader.text();
    // Nodes that connect by TCP connect in any order. Therefore oshrun finds the node's host by the name that the node
    // sent.
    if (starter_ != Starter::ssh && !name.empty()) {
        const auto is_named = [&](const Node &other) {
            return other.host.name == name || other.host.name.starts_with(name + '.') ||
                   name.starts_with(other.host.name + '.');
        };
        const auto place = std::ranges::find_if(nodes_, is_named);
        if (place != nodes_.end()) {
            std::swap(place->host, node.host);
            std::swap(place->place, node.place);
        } else {
            node.host.name = name;
        }
    }
    if (!reader.valid() || version != launcher_build()) {
        lose(node, fmt::format("node {} has version {} of Skerry, and this oshrun is version {}", node.host.name,
                               version.empty() ? "?" : version, launcher_build()));
        return;
    }
    if (starter_ == Starter::ssh && is_this_machine(node.host.name)) node.channel->set_kernel(own_kernel());
    else if (!address.empty()) node.channel->set_kernel(kernel_at(address, port));
    if (!slurm_job.empty()) slurm_job_ = slurm_job;
    skerry_drop_host(hosts_, static_cast<int>(node.place)); // from now on the channel shows if the node lives
    node.state = State::waiting; // when no node is in State::starting, step() calls distribute_pes()
}

void Cluster::distribute_pes() {
    if (stop_ || distributed_) return;
    // Orders the nodes like the hosts that the user gave, because the ranks of the PEs follow this order.
    std::erase_if(nodes_, [](const Node &node) { return !node.channel; });
    std::ranges::stable_sort(nodes_, {}, &Node::place);
    std::vector<Host> hosts;
    std::vector<int> processors;
    for (const Node &node : nodes_) {
        hosts.push_back(node.host);
        processors.push_back(node.processors);
    }
    const Distribution distribution = distribute(
        hosts, processors, options_.pes_given ? std::optional(options_.pes) : std::nullopt, options_.in_allocation);
    if (!distribution.refusal.empty()) {
        stop_job({exit_usage, distribution.refusal}, "stop");
        return;
    }
    distributed_ = true;
    for (size_t i = 0; i < nodes_.size(); ++i) nodes_[i].range = distribution.ranges[i];
    // Removes the nodes that have no PEs. The removal closes the channels of these nodes, and skerry-node then ends on
    // them.
    std::erase_if(nodes_, [](const Node &node) { return node.range.count == 0; });
    standstill_.emplace(nodes_.size());
    const std::vector<SharedProcessors> shared = shared_processors();
    const std::string common = common_start();
    for (size_t i = 0; i < nodes_.size(); ++i) send_start(i, shared[i], common);
}

// Returns the command line of the oshrun that skerry-node starts.
std::vector<std::string> Cluster::node_arguments() const {
    const NodeRange &last = nodes_.back().range;
    std::vector<std::string> arguments = {"-n", std::to_string(last.first + last.count), "--heap",
                                          fmt::format("{}k", options_.heap_bytes >> 10)};
    if (options_.bind)
        arguments.insert(arguments.end(), {"--bind", *options_.bind == Bind::none   ? "none"
                                                     : *options_.bind == Bind::core ? "core"
                                                                                    : "socket"});
    if (options_.tag_output) arguments.emplace_back("--tag-output");
    if (options_.stats) arguments.emplace_back("--stats");
    if (job_deadline_ > 0) // the node kills its PEs by itself if it does not get the command of this oshrun
        arguments.insert(arguments.end(), {"--timeout", fmt::format("{:.3f}", std::max(job_deadline_ - now(), 0.0) +
                                                                                  timeout_node_limit)});
    for (const std::string &each : options_.exports) arguments.insert(arguments.end(), {"-x", each});
    arguments.emplace_back("--");
    arguments.insert(arguments.end(), options_.command.begin(), options_.command.end());
    return arguments;
}

// Returns, for each node, the numbers of PEs of other nodes that use the same processors as this node. Two passes: the
// first gives each node the PEs before it, and adds up the PEs of each set of processors.
std::vector<SharedProcessors> Cluster::shared_processors() const {
    std::vector<SharedProcessors> shared(nodes_.size());
    std::unordered_map<std::string, int> pes;
    for (size_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i].processors_identity.empty()) continue;
        int &sum = pes[nodes_[i].processors_identity];
        shared[i].before = sum;
        sum += nodes_[i].range.count;
    }
    for (size_t i = 0; i < nodes_.size(); ++i)
        if (!nodes_[i].processors_identity.empty())
            shared[i].others = pes[nodes_[i].processors_identity] - nodes_[i].range.count;
    return shared;
}

// Returns the part of the frame `start` that is the same for all nodes.
std::string Cluster::common_start() const {
    Message message;
    message.add(nodes_.size());
    for (const Node &each : nodes_)
        message.add(static_cast<uint64_t>(each.range.first)).add(static_cast<uint64_t>(each.range.count));
    std::error_code error;
    message.add(std::filesystem::current_path(error).string());
    std::vector<std::string> environment;
    for (char **entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
    add_texts(message, environment);
    add_texts(message, node_arguments());
    message.add(static_cast<uint64_t>(terminal_columns()));
    return message.text();
}

void Cluster::send_start(size_t index, const SharedProcessors &shared, const std::string &common) {
    Node &node = nodes_[index];
    Message message;
    message.add(index).add(node.host.name);
    message.add(static_cast<uint64_t>(shared.others)).add(static_cast<uint64_t>(shared.before));
    node.channel->send(FrameKind::start, message.text() + common);
    node.ended_pes.assign(static_cast<size_t>(node.range.count), '0');
    node.state = State::running;
}

} // namespace skerry
