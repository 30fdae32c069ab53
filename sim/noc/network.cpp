// SPDX-License-Identifier: BSD-3-Clause
// Checks the configuration of a network, and finds the node to which an address leads.
#include "noc/network.hpp"

#include <algorithm>
#include <stdexcept>

#include "noc/crossbar.hpp"
#include "noc/mesh.hpp"

namespace skerry::sim {

namespace {

constexpr unsigned largest_side = 64; // an address has six bits for the row and six bits for the column
constexpr unsigned largest_depth = 128;
constexpr unsigned largest_time = 100'000; // cycles

void require(bool holds, const char *reason) {
    if (!holds) {
        throw std::invalid_argument(reason);
    }
}

bool is_row_edge(Port edge) { // true for edges where the position of a link is a row
    return edge == Port::east || edge == Port::west;
}

void check(const NetworkConfiguration &c) {
    require(c.rows >= 1 && c.columns >= 1, "network: a mesh has at least one row and one column");
    require(c.rows <= largest_side && c.first_row <= largest_side - c.rows, "network: rows end at 63");
    require(c.columns <= largest_side && c.first_column <= largest_side - c.columns, "network: columns end at 63");
    for (const MeshConfiguration &mesh : c.meshes) {
        require(mesh.hop_half_cycles >= 2, "network: a hop takes at least one cycle");
        require(mesh.injection_half_cycles >= 2, "network: injection takes at least one cycle");
        require(mesh.link_interval_half_cycles >= 2, "network: a link carries at most one transaction a cycle");
        require(mesh.buffer_depth >= 1 && mesh.buffer_depth <= largest_depth, "network: buffer depth is 1 to 128");
        require(mesh.injection_depth >= 1 && mesh.injection_depth <= largest_depth,
                "network: injection depth is 1 to 128");
    }
    require(c.crossbar.one_way >= 2 && c.crossbar.one_way <= largest_time,
            "network: a crossbar takes at least two cycles");
    require(c.crossbar.turn >= 1 && c.crossbar.turn <= largest_time, "network: a turn has at least one cycle");
    require(c.crossbar.buffer_depth >= 1 && c.crossbar.buffer_depth <= largest_depth,
            "network: buffer depth is 1 to 128");
    for (const Port edge : {Port::north, Port::east, Port::south, Port::west}) {
        const int position = c.link_position[static_cast<unsigned>(edge)];
        const auto side = static_cast<int>(is_row_edge(edge) ? c.rows : c.columns);
        require(position == NetworkConfiguration::no_link || (position >= 0 && position < side),
                "network: a link sits beside a row or column of the mesh");
    }
    require(c.default_exit != Port::local &&
                c.link_position[static_cast<unsigned>(c.default_exit)] != NetworkConfiguration::no_link,
            "network: the default exit is an edge with a link");
    require(c.history_interval == 0 || c.history_length >= 2, "network: a history has at least two intervals");
}

} // namespace

Network::Network(const NetworkConfiguration &configuration, Sink &unclaimed)
    : configuration_((check(configuration), configuration)), nodes_(configuration.rows * configuration.columns),
      group_(nodes_), counters_(std::size_t{mesh_count} * nodes_ * port_count), node_sinks_(nodes_, &unclaimed) {
    link_sinks_.fill(&unclaimed);
    place_nodes();
    if (configuration_.history_interval != 0) {
        history_ = LinkHistory(counters_.size(), configuration_.history_interval, configuration_.history_length);
    }
}

void Network::place_nodes() {
    const unsigned rows = configuration_.rows;
    const unsigned columns = configuration_.columns;
    for (unsigned node = 0; node < nodes_; node++) {
        row_.push_back(static_cast<std::uint8_t>(node / columns));
        column_.push_back(static_cast<std::uint8_t>(node % columns));
    }
    for (const Port edge : {Port::north, Port::east, Port::south, Port::west}) {
        const auto position = static_cast<unsigned>(std::max<int>(configuration_.link_position[index(edge)], 0));
        const unsigned row = is_row_edge(edge) ? position : edge == Port::north ? 0 : rows - 1;
        const unsigned column = !is_row_edge(edge) ? position : edge == Port::west ? 0 : columns - 1;
        link_node_[index(edge)] = static_cast<std::uint16_t>(row * columns + column);
    }
}

void Network::attach(unsigned node, Sink &sink) {
    require(node < nodes_, "network: no such node");
    node_sinks_[node] = &sink;
}

void Network::attach_link(Port edge, Sink &sink) {
    require(edge != Port::local && configuration_.link_position[index(edge)] != NetworkConfiguration::no_link,
            "network: no link at this edge");
    link_sinks_[index(edge)] = &sink;
}

void Network::set_group(unsigned node, std::uint16_t group) {
    require(node < nodes_, "network: no such node");
    group_[node] = group;
}

bool Network::is_on_chip(std::uint32_t address) const {
    return row_of(address) - configuration_.first_row < configuration_.rows &&
           column_of(address) - configuration_.first_column < configuration_.columns;
}

unsigned Network::node_of(std::uint32_t address) const {
    return (row_of(address) - configuration_.first_row) * configuration_.columns + column_of(address) -
           configuration_.first_column;
}

Network::Destination Network::destination(std::uint32_t address) const {
    if (is_on_chip(address)) {
        return {static_cast<std::uint16_t>(node_of(address)), Port::local};
    }
    const unsigned row = row_of(address);
    const unsigned column = column_of(address);
    Port edge = row < configuration_.first_row ? Port::north : Port::south;
    if (column < configuration_.first_column) {
        edge = Port::west;
    }
    if (column >= configuration_.first_column + configuration_.columns) {
        edge = Port::east;
    }
    if (configuration_.link_position[index(edge)] == NetworkConfiguration::no_link) {
        edge = configuration_.default_exit;
    }
    return {link_node_[index(edge)], edge};
}

std::unique_ptr<Network> make_network(const NetworkConfiguration &configuration, Sink &unclaimed) {
    if (configuration.topology == Topology::crossbar) return std::make_unique<Crossbar>(configuration, unclaimed);
    return std::make_unique<MeshNetwork>(configuration, unclaimed);
}

} // namespace skerry::sim
