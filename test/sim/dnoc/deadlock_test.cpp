// SPDX-License-Identifier: BSD-3-Clause
// Routes around a ring of the torus that wait for each other, and the report with its drawing.
#include <gtest/gtest.h>

#include "dnoc/deadlock.hpp"

namespace skerry::sim::dnoc {
namespace {

struct Nothing : PacketSink {
    bool accept(std::uint64_t, const Packet &) override {
        arrived++;
        return true;
    }
    unsigned arrived = 0;
};

constexpr Route east_twice = 022;

// Each node of row 0 sends a long packet two hops to the east: each holds a link and waits for the next one.
TEST(DnocDeadlock, IsFoundAndDrawn) {
    NetworkConfiguration c;
    c.rows = c.columns = 4;
    PacketNetwork network(c);
    Nothing sink;
    for (unsigned node = 0; node < 16; node++) network.attach(node, sink);
    Packet p;
    p.bytes = most_payload;
    for (unsigned node = 0; node < 4; node++) {
        p.route = east_twice;
        p.tag = static_cast<std::uint8_t>(10 + node);
        ASSERT_TRUE(network.offer(0, node, p));
    }
    while (network.next_at() != PacketNetwork::never) network.step(network.next_at());
    EXPECT_EQ(sink.arrived, 0U);
    EXPECT_TRUE(network.is_stuck());
    EXPECT_EQ(
        describe_deadlock(network, "data network"),
        "data network: 4 packets hold links and wait for each other for ever; their routes need links in a circle\n"
        "  A: from node 3 to tag 13 of node 1, holds the way out of node 3, 3 -> 0; waits for 0 -> 1, behind B\n"
        "  B: from node 0 to tag 10 of node 2, holds the way out of node 0, 0 -> 1; waits for 1 -> 2, behind C\n"
        "  C: from node 1 to tag 11 of node 3, holds the way out of node 1, 1 -> 2; waits for 2 -> 3, behind D\n"
        "  D: from node 2 to tag 12 of node 0, holds the way out of node 2, 2 -> 3; waits for 3 -> 0, behind A\n"
        "           0 --B-->   1 --C-->   2 --D-->   3 --A-->\n"
        "           4          5          6          7\n"
        "           8          9         10         11\n"
        "          12         13         14         15\n");
}

// The packets of row 0 wait for each other while a node of row 2 goes on to send: the circle is found all the same. Packets
// that wait for a receiver without place are no circle.
TEST(DnocDeadlock, IsFoundWhileOtherPacketsMove) {
    NetworkConfiguration c;
    c.rows = c.columns = 4;
    PacketNetwork network(c);
    Nothing sink;
    struct : PacketSink {
        bool accept(std::uint64_t, const Packet &) override {
            return false;
        }
    } closed;
    for (unsigned node = 0; node < 16; node++) network.attach(node, sink);
    network.attach(13, closed);
    Packet p;
    p.bytes = most_payload;
    for (std::uint64_t cycle = 0; cycle < 2000; cycle++) {
        p.route = 02;
        network.offer(cycle, 8, p);
        network.offer(cycle, 12, p); // to node 13
        if (cycle == 999) {
            EXPECT_EQ(describe_deadlock(network, "data network"), "");
            p.route = east_twice;
            for (unsigned node = 0; node < 4; node++) ASSERT_TRUE(network.offer(cycle, node, p));
        }
        if (network.next_at() == cycle) network.step(cycle);
    }
    EXPECT_FALSE(network.is_stuck());
    EXPECT_NE(describe_deadlock(network, "data network").find("data network: 4 packets hold links"), std::string::npos);
}

// A circle of four packets through two rows and two columns.
TEST(DnocDeadlock, DrawsAllDirections) {
    NetworkConfiguration c;
    c.rows = c.columns = 4;
    PacketNetwork network(c);
    Nothing sink;
    for (unsigned node = 0; node < 16; node++) network.attach(node, sink);
    Packet p;
    p.bytes = most_payload;
    const unsigned nodes[] = {5, 6, 10, 9};
    const Route routes[] = {032, 043, 014, 021}; // east south, south west, west north, north east
    for (unsigned k = 0; k < 4; k++) {
        p.route = routes[k];
        ASSERT_TRUE(network.offer(0, nodes[k], p));
    }
    while (network.next_at() != PacketNetwork::never) network.step(network.next_at());
    ASSERT_TRUE(network.is_stuck());
    const std::string text = describe_deadlock(network, "data network");
    const std::string drawing = "           0          1          2          3\n"
                                "           4          5 --B-->   6          7\n"
                                "                      ^        |\n"
                                "                      A        C\n"
                                "                      |        v\n"
                                "           8          9         10         11\n"
                                "                        <--D--\n"
                                "          12         13         14         15\n";
    EXPECT_NE(text.find(drawing), std::string::npos) << text;
}

} // namespace
} // namespace skerry::sim::dnoc
