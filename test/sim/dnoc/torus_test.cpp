// SPDX-License-Identifier: BSD-3-Clause
// Links of the torus, routes, and the proof for each size that the chosen routes cannot deadlock: no link depends on itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "dnoc/torus.hpp"

namespace skerry::sim::dnoc {
namespace {

NetworkConfiguration sized(unsigned rows, unsigned columns, unsigned io_nodes = 0, unsigned io_units = 1) {
    NetworkConfiguration c;
    c.rows = rows;
    c.columns = columns;
    c.io_nodes = io_nodes;
    c.io_units = io_units;
    return c;
}

TEST(Torus, EachLinkHasAWayBack) {
    for (unsigned rows = 1; rows <= 5; rows++) {
        for (unsigned columns = 1; columns <= 5; columns++) {
            for (unsigned io = 0; io <= (rows > 1 ? 2U : 1U); io++) {
                const Torus torus(sized(rows, columns, io, columns));
                for (unsigned node = 0; node < torus.configuration().nodes(); node++) {
                    for (unsigned d = 1; d < directions; d++) {
                        const auto output = static_cast<Direction>(d);
                        const auto there = torus.neighbour(node, output);
                        if (!there) continue;
                        EXPECT_EQ(torus.neighbour(*there, Torus::opposite(output)), node);
                    }
                }
            }
        }
    }
}

TEST(Torus, TheLinksOfFourByFourWithIoNodes) {
    const Torus torus(sized(4, 4, 2, 4));
    EXPECT_EQ(torus.configuration().nodes(), 24U);
    EXPECT_EQ(torus.neighbour(0, Direction::north), 12U);
    EXPECT_EQ(torus.neighbour(0, Direction::west), 3U);
    EXPECT_EQ(torus.neighbour(6, Direction::east), 7U);
    EXPECT_EQ(torus.neighbour(6, Direction::south), 10U);
    EXPECT_EQ(torus.neighbour(2, Direction::io), 18U);
    EXPECT_EQ(torus.neighbour(18, Direction::io), 2U);
    EXPECT_EQ(torus.neighbour(14, Direction::io), 22U);
    EXPECT_EQ(torus.neighbour(23, Direction::io), 15U);
    EXPECT_EQ(torus.neighbour(6, Direction::io), std::nullopt);
    EXPECT_EQ(torus.neighbour(18, Direction::east), std::nullopt);
    EXPECT_EQ(torus.destination(0, 0), 0U);
    EXPECT_EQ(torus.destination(0, 01322), 2U); // east twice, south, north
    EXPECT_EQ(torus.destination(5, 05), std::nullopt);
    EXPECT_EQ(torus.destination(0, 06), std::nullopt);
    EXPECT_EQ(torus.destination(0, 1U << 24), std::nullopt);
}

unsigned length(Route route) {
    unsigned hops = 0;
    for (; first_hop(route) != Direction::local; route = rest_of(route)) hops++;
    return hops;
}

TEST(Torus, RoutesLeadToTheirDestinationAndAreShort) {
    const Torus torus(sized(4, 4, 2, 4));
    for (unsigned from = 0; from < 24; from++) {
        for (unsigned to = 0; to < 24; to++) {
            const auto route = torus.route(from, to);
            ASSERT_TRUE(route);
            EXPECT_EQ(torus.destination(from, *route), to);
            if (from < 16 && to < 16) {
                const auto ring = [](unsigned a, unsigned b) { return std::min((a - b) % 4, (b - a) % 4); };
                EXPECT_EQ(length(*route), ring(from % 4, to % 4) + ring(from / 4, to / 4));
            }
        }
    }
    EXPECT_EQ(Torus(sized(1, 12)).route(0, 10), std::nullopt);
}

TEST(Torus, ChosenRoutesCannotDeadlock) {
    for (unsigned rows = 1; rows <= 5; rows++) {
        for (unsigned columns = 1; columns <= 5; columns++) {
            const Torus torus(sized(rows, columns, rows > 1 ? 2 : 1, columns));
            const unsigned nodes = torus.configuration().nodes();
            std::map<unsigned, std::set<unsigned>> next; // links, as node * directions + output
            for (unsigned from = 0; from < nodes; from++) {
                for (unsigned to = 0; to < nodes; to++) {
                    unsigned node = from;
                    unsigned last = ~0U;
                    for (Route r = *torus.route(from, to); first_hop(r) != Direction::local; r = rest_of(r)) {
                        const unsigned link = node * directions + static_cast<unsigned>(first_hop(r));
                        if (last != ~0U) next[last].insert(link);
                        last = link;
                        node = *torus.neighbour(node, first_hop(r));
                    }
                }
            }
            // Removes links that wait for no other link until none is left.
            std::set<unsigned> open;
            for (const auto &[link, others] : next) open.insert(link);
            for (bool removed = true; removed;) {
                removed = false;
                for (auto link = open.begin(); link != open.end();) {
                    const bool waits = std::ranges::any_of(next[*link], [&](unsigned o) { return open.contains(o); });
                    removed |= !waits;
                    link = waits ? std::next(link) : open.erase(link);
                }
            }
            EXPECT_TRUE(open.empty()) << rows << " x " << columns;
        }
    }
}

TEST(Torus, ConfigurationsThatCannotBe) {
    EXPECT_EQ(problem_of(sized(4, 4, 2, 4)), "");
    EXPECT_EQ(problem_of(sized(4, 0)), "a network with rows has columns");
    EXPECT_EQ(problem_of(sized(4, 4, 3)), "a network has at most 2 I/O nodes");
    EXPECT_EQ(problem_of(sized(4, 4, 1, 5)),
              "an I/O node has at least one DMA unit, and at most one for each column of clusters");
    EXPECT_EQ(problem_of(sized(1, 4, 2)), "two I/O nodes need two rows of clusters");
    EXPECT_EQ(problem_of(sized(64, 64)), "a network has at most 1024 nodes");
    NetworkConfiguration c = sized(2, 2);
    c.hop_cycles = 0;
    EXPECT_EQ(problem_of(c), "a hop takes at least 1 cycle");
    c = sized(2, 2);
    c.buffer_flits = 1;
    EXPECT_EQ(problem_of(c), "a buffer has at least 2 flits");
    c = sized(2, 2);
    c.send_packets = 0;
    EXPECT_EQ(problem_of(c), "a node buffers at least 1 packet");
}

} // namespace
} // namespace skerry::sim::dnoc
