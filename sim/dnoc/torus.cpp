// SPDX-License-Identifier: BSD-3-Clause
#include "dnoc/torus.hpp"

namespace skerry::sim::dnoc {
namespace {

// Appends hops to a route. is_whole() is false if there were too many.
class RouteBuilder {
  public:
    void add(Direction d, unsigned times) {
        for (; times != 0; times--, hops_++) {
            if (hops_ < most_hops) route_ |= static_cast<Route>(d) << direction_bits * hops_;
        }
    }
    // Adds the way from place `from` to place `to` on a ring: the wrap-around link if it leads there directly, else a way
    // without it.
    void add_ring(unsigned from, unsigned to, unsigned size, Direction up, Direction down) {
        if (from == 0 && to + 1 == size && size > 2) add(down, 1);
        else if (to == 0 && from + 1 == size && size > 2) add(up, 1);
        else if (to > from) add(up, to - from);
        else add(down, from - to);
    }
    bool is_whole() const {
        return hops_ <= most_hops;
    }
    Route route() const {
        return route_;
    }

  private:
    Route route_ = 0;
    unsigned hops_ = 0;
};

} // namespace

std::string problem_of(const NetworkConfiguration &c) {
    if (c.columns == 0) return "a network with rows has columns";
    if (c.io_nodes > most_io_nodes) return "a network has at most 2 I/O nodes";
    if (c.io_nodes != 0 && (c.io_units == 0 || c.io_units > c.columns)) {
        return "an I/O node has at least one DMA unit, and at most one for each column of clusters";
    }
    if (c.io_nodes == 2 && c.rows == 1) return "two I/O nodes need two rows of clusters";
    if (c.nodes() > most_nodes) return "a network has at most 1024 nodes";
    if (c.hop_cycles == 0) return "a hop takes at least 1 cycle";
    if (c.buffer_flits < 2) return "a buffer has at least 2 flits";
    if (c.send_packets == 0 || c.receive_packets == 0) return "a node buffers at least 1 packet";
    return {};
}

unsigned Torus::beside(unsigned io_node) const {
    const unsigned unit = io_node - c_.clusters();
    const unsigned column = unit % c_.io_units;
    return unit < c_.io_units ? column : (c_.rows - 1) * c_.columns + column;
}

std::optional<unsigned> Torus::neighbour(unsigned node, Direction output) const {
    if (is_io(node)) return output == Direction::io ? std::optional(beside(node)) : std::nullopt;
    const unsigned row = node / c_.columns;
    const unsigned column = node % c_.columns;
    const auto at = [&](unsigned r, unsigned k) -> std::optional<unsigned> {
        const unsigned there = r % c_.rows * c_.columns + k % c_.columns;
        return there == node ? std::nullopt : std::optional(there);
    };
    switch (output) {
    case Direction::north: return at(row + c_.rows - 1, column);
    case Direction::east: return at(row, column + 1);
    case Direction::south: return at(row + 1, column);
    case Direction::west: return at(row, column + c_.columns - 1);
    case Direction::io:
        if (c_.io_nodes == 0 || column >= c_.io_units) return std::nullopt;
        if (row == 0) return c_.clusters() + column;
        if (c_.io_nodes == 2 && row == c_.rows - 1) return c_.clusters() + c_.io_units + column;
        return std::nullopt;
    case Direction::local: break;
    }
    return std::nullopt;
}

Direction Torus::opposite(Direction output) {
    switch (output) {
    case Direction::north: return Direction::south;
    case Direction::east: return Direction::west;
    case Direction::south: return Direction::north;
    case Direction::west: return Direction::east;
    case Direction::local:
    case Direction::io: break;
    }
    return output;
}

std::optional<unsigned> Torus::destination(unsigned from, Route route) const {
    if (route >> direction_bits * most_hops != 0) return std::nullopt;
    for (; first_hop(route) != Direction::local; route = rest_of(route)) {
        const std::optional<unsigned> next = neighbour(from, first_hop(route));
        if (!next) return std::nullopt;
        from = *next;
    }
    return from;
}

std::optional<Route> Torus::route(unsigned from, unsigned to) const {
    RouteBuilder builder;
    if (from == to) return Route{0};
    const unsigned first = is_io(from) ? beside(from) : from;
    const unsigned last = is_io(to) ? beside(to) : to;
    if (is_io(from)) builder.add(Direction::io, 1);
    builder.add_ring(first % c_.columns, last % c_.columns, c_.columns, Direction::east, Direction::west);
    builder.add_ring(first / c_.columns, last / c_.columns, c_.rows, Direction::south, Direction::north);
    if (is_io(to)) builder.add(Direction::io, 1);
    return builder.is_whole() ? std::optional(builder.route()) : std::nullopt;
}

} // namespace skerry::sim::dnoc
