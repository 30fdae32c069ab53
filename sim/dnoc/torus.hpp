// SPDX-License-Identifier: BSD-3-Clause
// Describes which router each output of a router leads to, and chooses routes.
#pragma once
#include <cstdint>
#include <optional>

#include "dnoc/configuration.hpp"
#include "dnoc/packet.hpp"

namespace skerry::sim::dnoc {

class Torus {
  public:
    explicit Torus(const NetworkConfiguration &configuration) : c_(configuration) {
    }
    const NetworkConfiguration &configuration() const {
        return c_;
    }
    // Returns the node to which an output of a node's router leads, or nothing if the router has no such link. A torus of one
    // row or column has no links from a router to itself.
    std::optional<unsigned> neighbour(unsigned node, Direction output) const;
    // Returns the output of the router at the other end that leads back.
    static Direction opposite(Direction output);
    // Returns the node where a route from a node ends, or nothing if it names a link that does not exist.
    std::optional<unsigned> destination(unsigned from, Route route) const;
    // Returns a route, the shortest in a torus of up to 4 x 4: first along the row, then along the column. These routes cannot deadlock: a route uses the
    // link from the last row or column to the first one (or back) only if it is the route's only link in this dimension. So
    // in no dimension the links depend on each other in a circle, and no route returns from a column to a row. A route to
    // the own node is 0. Returns nothing if the route has more than most_hops links.
    std::optional<Route> route(unsigned from, unsigned to) const;

  private:
    bool is_io(unsigned node) const {
        return node >= c_.clusters();
    }
    // Returns the cluster whose router has a link to this I/O node's router.
    unsigned beside(unsigned io_node) const;

    NetworkConfiguration c_;
};

} // namespace skerry::sim::dnoc
