// SPDX-License-Identifier: BSD-3-Clause
// A multicast comes to every node of its group once, whatever else is on the way.
#include <gtest/gtest.h>

#include <map>

#include "recorder.hpp"

namespace skerry::sim {
namespace {

constexpr std::uint16_t group = 7;

Transaction multicast(unsigned source, std::uint64_t data) {
    Transaction sent;
    sent.source = static_cast<std::uint16_t>(source);
    sent.data = data;
    sent.group = group;
    return sent;
}

TEST(Multicast, ReachesEachListenerOnceAfterItsDistance) {
    for (unsigned from = 0; from < 16; from++) {
        Bench bench({});
        for (unsigned node = 0; node < 16; node++) {
            bench.network.set_group(node, node % 3 != 1 ? group : group + 1);
        }
        ASSERT_TRUE(bench.network.offer(0, from, Mesh::on_chip_write, multicast(from, 5)));
        bench.drain(0);
        for (unsigned node = 0; node < 16; node++) {
            ASSERT_EQ(bench.nodes[node].arrivals.size(), node % 3 != 1);
            if (node % 3 == 1) {
                continue;
            }
            const unsigned hops = bench.network.hops(from, bench.address_of(node));
            EXPECT_EQ(bench.nodes[node].arrivals[0], (Arrival{1U + (3 * hops + 1) / 2, multicast(from, 5)}));
        }
    }
}

TEST(Multicast, FromTheLinkReachesEveryNode) {
    Bench bench({});
    for (unsigned node = 0; node < 16; node++) {
        bench.network.set_group(node, group);
    }
    ASSERT_TRUE(bench.network.offer_from_link(0, Port::east, Mesh::on_chip_write, multicast(99, 5)));
    bench.drain(0);
    for (const Recorder &node : bench.nodes) {
        EXPECT_EQ(node.arrivals.size(), 1U);
    }
}

TEST(Multicast, NobodyListensAndItIsGone) {
    for (const unsigned side : {1U, 4U}) {
        NetworkConfiguration configuration;
        configuration.rows = configuration.columns = side;
        configuration.link_position[2] = 0;
        Bench bench(configuration);
        ASSERT_TRUE(bench.network.offer(0, 0, Mesh::on_chip_write, multicast(0, 5)));
        bench.drain(0, 100);
        EXPECT_TRUE(bench.network.idle());
        for (const Recorder &node : bench.nodes) {
            EXPECT_TRUE(node.arrivals.empty());
        }
    }
}

// Sixteen nodes multicast and write to each other while receivers stall at random and links are one deep.
TEST(Multicast, UnderLoadNothingIsLostDoubledOrReordered) {
    NetworkConfiguration configuration;
    configuration.meshes[0].buffer_depth = 1;
    configuration.meshes[0].injection_depth = 1;
    Bench bench(configuration);
    Random random(42);
    for (unsigned node = 0; node < 16; node++) {
        bench.network.set_group(node, node < 14 ? group : 0);
        bench.nodes[node].busy = [&](std::uint64_t) { return random() % 4 == 0; };
    }
    std::map<std::pair<unsigned, unsigned>, std::vector<std::uint64_t>> expected; // by source and receiver
    std::uint64_t cycle = 0;
    for (std::uint64_t data = 0; cycle < 20000; cycle++) {
        const unsigned from = random() % 16;
        const unsigned to = random() % 16;
        const bool to_all = random() % 4 == 0;
        Transaction sent = to_all ? multicast(from, ++data) : bench.write_to(to, ++data);
        sent.source = static_cast<std::uint16_t>(from);
        if (bench.network.offer(cycle, from, Mesh::on_chip_write, sent)) {
            for (unsigned node = 0; node < 16; node++) {
                if (to_all ? node < 14 : node == to) {
                    expected[{from, node}].push_back(data);
                }
            }
        }
        bench.network.step(cycle);
    }
    bench.drain(cycle, 100000);
    ASSERT_TRUE(bench.network.idle());
    std::map<std::pair<unsigned, unsigned>, std::vector<std::uint64_t>> got;
    for (unsigned node = 0; node < 16; node++) {
        for (const Arrival &arrival : bench.nodes[node].arrivals) {
            got[{arrival.transaction.source, node}].push_back(arrival.transaction.data);
        }
    }
    EXPECT_EQ(got, expected);
}

} // namespace
} // namespace skerry::sim
