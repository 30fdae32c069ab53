// SPDX-License-Identifier: BSD-3-Clause
#include "trace/json_nodes.hpp"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

namespace skerry::sim {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, node_networks> network_names = {"data", "control"};
constexpr std::array<std::string_view, dnoc::directions> direction_names = {"node",  "north", "east",
                                                                            "south", "west",  "io"};

// Calls what(network, node, output, counters) for every link that carried a packet.
template <class What> void for_each_node_link(const MppaNodes &nodes, What what) {
    for (const NodeNetwork network : {NodeNetwork::data, NodeNetwork::control}) {
        for (std::uint32_t node = 0; node < nodes.node_count(); node++) {
            for (unsigned d = 0; d < dnoc::directions; d++) {
                const auto output = static_cast<dnoc::Direction>(d);
                const dnoc::PacketCounters &c = nodes.network(network).counters(node, output);
                if (c.packets != 0) what(network, node, output, c);
            }
        }
    }
}

json link_name(const MppaNodes &nodes, NodeNetwork network, std::uint32_t node, dnoc::Direction output) {
    const std::uint32_t to =
        output == dnoc::Direction::local ? node : nodes.network(network).torus().neighbour(node, output).value_or(node);
    return {{"network", network_names[static_cast<unsigned>(network)]},
            {"from", node},
            {"to", to},
            {"towards", direction_names[static_cast<unsigned>(output)]}};
}

json node_list(const MppaNodes &nodes) {
    json list = json::array();
    for (std::uint32_t node = 0; node < nodes.node_count(); node++) {
        const MppaNodes::Traffic sent = nodes.traffic(node, PacketWay::sent);
        const MppaNodes::Traffic received = nodes.traffic(node, PacketWay::received);
        const ControlUnit::Counters &words = nodes.words(node);
        list.push_back({{"node", node},
                        {"name", nodes.name_of(node)},
                        {"core", nodes.core_of(node)},
                        {"packets_sent", sent.packets},
                        {"bytes_sent", sent.bytes},
                        {"packets_received", received.packets},
                        {"bytes_received", received.bytes},
                        {"jobs", nodes.jobs(node)},
                        {"words_sent", words.sent},
                        {"words_received", words.received},
                        {"mailbox_events", words.events}});
    }
    return list;
}

json pairs(const NodeTraffic &traffic) {
    json list = json::array();
    for (const NodeNetwork network : {NodeNetwork::data, NodeNetwork::control}) {
        for (const auto &[pair, sum] : traffic.matrix(network)) {
            list.push_back({{"network", network_names[static_cast<unsigned>(network)]},
                            {"from", pair.first},
                            {"to", pair.second},
                            {"packets", sum.packets},
                            {"bytes", sum.bytes}});
        }
    }
    return list;
}

json ddr(const Run &run) {
    json list = json::array();
    for (std::uint32_t k = 0; k < run.chip.machine().data_network.io_nodes; k++) {
        const Ddr::Counters &c = run.chip.nodes().ddr(k).counters;
        list.push_back({{"io_node", k},
                        {"bytes_read", c.read},
                        {"bytes_written", c.written},
                        {"bytes_of_cores", c.of_cores},
                        {"bytes_a_cycle", run.chip.nodes().ddr(k).bytes_per_cycle()}});
    }
    return list;
}

// Returns a timeline of things by the names of their tracks, for those things that have counts.
json tracks_of(const TrafficTimeline &timeline, std::uint32_t thing,
               const std::array<const char *, traffic_tracks> &names) {
    json object = json::object();
    for (unsigned t = 0; t < traffic_tracks; t++) {
        json counts = json::array();
        for (const TrafficTimeline::Count &count : timeline.of(thing)) counts.push_back(count[t]);
        object[names[t]] = std::move(counts);
    }
    return object;
}

constexpr std::size_t transfers_shown = 6000; // the longest ones

// Returns the longest transfers of the data network.
json transfers(const NodeTraffic &traffic) {
    std::vector<MessageLog::Message> all = traffic.log(NodeNetwork::data).messages();
    const auto length = [](const MessageLog::Message &m) { return std::max(m.end, m.landed_end) - m.begin; };
    std::ranges::stable_sort(all, std::greater<>(), length);
    const std::size_t left_out = all.size() - std::min(all.size(), transfers_shown);
    all.resize(all.size() - left_out);
    std::ranges::stable_sort(all, {}, &MessageLog::Message::begin);
    json list = json::array();
    for (const MessageLog::Message &m : all) {
        list.push_back({m.from, m.to, m.begin, m.end, m.landed_begin, m.landed_end, m.bytes, m.parts,
                        traffic.sender_name(m.sender), NodeTraffic::tag_of(m.sender)});
    }
    return {{"members", {"from", "to", "begin", "end", "landed_begin", "landed_end", "bytes", "packets", "by", "tag"}},
            {"list", std::move(list)},
            {"left_out", left_out}};
}

} // namespace

json json_of_node_history(const Run &run) {
    const NodeTraffic &traffic = run.traffic;
    json links = json::array();
    for_each_node_link(run.chip.nodes(), [&](NodeNetwork network, std::uint32_t node, dnoc::Direction output,
                                             const dnoc::PacketCounters &) {
        json link = link_name(run.chip.nodes(), network, node, output);
        const std::uint32_t index =
            static_cast<std::uint32_t>(network) * traffic.links_of_network() + NodeTraffic::link_of(node, output);
        link.update(tracks_of(traffic.links(), index, {"flits", "held_cycles"}));
        links.push_back(std::move(link));
    });
    json memories = json::array();
    for (std::uint32_t k = 0; k < run.chip.machine().data_network.io_nodes; k++)
        memories.push_back(tracks_of(traffic.ddr(), k, {"bytes_read", "bytes_written"}));
    return {{"links", {{"interval_cycles", traffic.links().interval()}, {"links", std::move(links)}}},
            {"ddr", {{"interval_cycles", traffic.ddr().interval()}, {"io_nodes", std::move(memories)}}},
            {"transfers", transfers(traffic)}};
}

json json_of_nodes(const Run &run) {
    const dnoc::NetworkConfiguration &c = run.chip.machine().data_network;
    json links = json::array();
    for_each_node_link(run.chip.nodes(), [&](NodeNetwork network, std::uint32_t node, dnoc::Direction output,
                                             const dnoc::PacketCounters &counters) {
        json link = link_name(run.chip.nodes(), network, node, output);
        link["packets"] = counters.packets;
        link["flits"] = counters.flits;
        link["waited_cycles"] = counters.waited;
        links.push_back(std::move(link));
    });
    return {{"rows", c.rows},
            {"columns", c.columns},
            {"io_nodes", c.io_nodes},
            {"io_units", c.io_units},
            {"cores_of_cluster", run.chip.machine().cluster.cores},
            {"memory_bytes", run.chip.machine().shared.size},
            {"list", node_list(run.chip.nodes())},
            {"links", std::move(links)},
            {"pairs", pairs(run.traffic)},
            {"ddr", ddr(run)}};
}

} // namespace skerry::sim
