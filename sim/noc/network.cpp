// SPDX-License-Identifier: BSD-3-Clause
// Constructs the network, and finds the node to which an address leads. step.cpp simulates a cycle.
#include "noc/network.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <stdexcept>

namespace skerry::sim {

namespace {

constexpr unsigned largest_side = 64; // an address has six bits for the row and six bits for the column
constexpr unsigned largest_depth = 128;

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
      unclaimed_(&unclaimed), node_sinks_(nodes_, &unclaimed) {
    link_sinks_.fill(&unclaimed);
    const auto columns = static_cast<std::int32_t>(configuration_.columns);
    step_to_ = {0, -columns, 1, columns, -1};
    unsigned depth = 1;
    for (const MeshConfiguration &mesh : configuration_.meshes) {
        depth = std::max({depth, mesh.buffer_depth, mesh.injection_depth});
    }
    stride_bits_ = static_cast<unsigned>(std::bit_width(depth - 1));
    stride_mask_ = (1U << stride_bits_) - 1;
    build_routers();
    const std::size_t buffers = routers_.size() * port_count;
    entries_.resize(buffers << stride_bits_);
    transactions_.resize(entries_.size());
    copies_.resize(entries_.size());
    free_slots_.resize(entries_.size());
    for (std::size_t i = 0; i < free_slots_.size(); i++) {
        free_slots_[i] = static_cast<std::uint32_t>(free_slots_.size() - 1 - i);
    }
    counters_.resize(buffers);
    if (configuration_.history_interval != 0) {
        history_ = LinkHistory(buffers, configuration_.history_interval, configuration_.history_length);
    }
}

void Network::build_routers() {
    const unsigned rows = configuration_.rows;
    const unsigned columns = configuration_.columns;
    routers_.resize(std::size_t{mesh_count} * nodes_);
    words_ = (nodes_ + 63) / 64;
    active_.resize(mesh_count * words_);
    group_.resize(nodes_);
    for (unsigned node = 0; node < nodes_; node++) {
        const unsigned row = node / columns;
        const unsigned column = node % columns;
        row_.push_back(static_cast<std::uint8_t>(row));
        column_.push_back(static_cast<std::uint8_t>(column));
        unsigned neighbours = 0;
        neighbours |= static_cast<unsigned>(row > 0) << index(Port::north);
        neighbours |= static_cast<unsigned>(column + 1 < columns) << index(Port::east);
        neighbours |= static_cast<unsigned>(row + 1 < rows) << index(Port::south);
        neighbours |= static_cast<unsigned>(column > 0) << index(Port::west);
        for (unsigned mesh = 0; mesh < mesh_count; mesh++) {
            routers_[router_index(static_cast<Mesh>(mesh), node)].neighbours = neighbours;
        }
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

bool Network::holds_write() const {
    for (std::size_t slot = 0; slot < copies_.size(); slot++) {
        if (copies_[slot] != 0 && transactions_[slot].kind == Transaction::Kind::write) return true;
    }
    return false;
}

unsigned Network::hops(unsigned from, std::uint32_t address) const {
    const unsigned to = destination(address).node;
    return static_cast<unsigned>(std::abs(row_[from] - row_[to]) + std::abs(column_[from] - column_[to]));
}

} // namespace skerry::sim
