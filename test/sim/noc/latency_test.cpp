// SPDX-License-Identifier: BSD-3-Clause
// A lone transaction takes injection and one hop a row or column step, to the half cycle.
#include <gtest/gtest.h>

#include "recorder.hpp"

namespace skerry::sim {
namespace {

unsigned distance(unsigned a, unsigned b) {
    return a > b ? a - b : b - a;
}

std::uint64_t arrival(std::uint64_t offered, const MeshConfiguration &mesh, unsigned hops) {
    return offered + (mesh.injection_half_cycles + hops * mesh.hop_half_cycles + 1) / 2;
}

void check_every_pair(const NetworkConfiguration &configuration) {
    Bench bench(configuration);
    std::uint64_t cycle = 100;
    for (const Mesh mesh : all_meshes) {
        for (unsigned from = 0; from < bench.network.nodes(); from++) {
            for (unsigned to = 0; to < bench.network.nodes(); to++) {
                const unsigned columns = configuration.columns;
                const unsigned hops = distance(from / columns, to / columns) + distance(from % columns, to % columns);
                ASSERT_EQ(hops, bench.network.hops(from, bench.address_of(to)));
                const Transaction sent = bench.write_to(to, cycle);
                const std::uint64_t offered = cycle;
                ASSERT_TRUE(bench.network.offer(offered, from, mesh, sent));
                cycle = bench.drain(cycle) + 3;
                ASSERT_EQ(bench.nodes[to].arrivals.size(), 1U);
                const auto &parameters = configuration.meshes[static_cast<unsigned>(mesh)];
                ASSERT_EQ(bench.nodes[to].arrivals[0], (Arrival{arrival(offered, parameters, hops), sent}));
                bench.nodes[to].arrivals.clear();
            }
        }
    }
}

TEST(Latency, EveryPairOfSixteen) {
    check_every_pair({});
}

TEST(Latency, EveryPairWithOtherHopsAMesh) {
    NetworkConfiguration configuration;
    configuration.rows = 3;
    configuration.columns = 5;
    configuration.meshes[0].hop_half_cycles = 2;
    configuration.meshes[1].hop_half_cycles = 5;
    configuration.meshes[1].injection_half_cycles = 3;
    configuration.meshes[2].hop_half_cycles = 7;
    configuration.meshes[2].link_interval_half_cycles = 9;
    check_every_pair(configuration);
}

TEST(Latency, AcrossAThousandNodes) {
    NetworkConfiguration configuration;
    configuration.rows = configuration.columns = 32;
    configuration.first_column = 32;
    Bench bench(configuration);
    ASSERT_TRUE(bench.network.offer(7, 0, Mesh::on_chip_write, bench.write_to(1023)));
    bench.drain(7);
    ASSERT_EQ(bench.nodes[1023].arrivals.size(), 1U);
    EXPECT_EQ(bench.nodes[1023].arrivals[0].cycle, 7U + 1 + 62 * 3 / 2);
}

TEST(Latency, ToAndFromTheLink) {
    Bench bench({});
    for (unsigned node = 0; node < 16; node++) {
        const unsigned hops = distance(node / 4, 2) + distance(node % 4, 3);
        const std::uint64_t out = 1000 * node;
        Transaction sent;
        sent.address = external_memory;
        ASSERT_TRUE(bench.network.offer(out, node, Mesh::off_chip_write, sent));
        bench.drain(out);
        ASSERT_EQ(bench.link(Port::east).arrivals.back(), (Arrival{arrival(out, {}, hops), sent}));

        const std::uint64_t in = out + 500;
        sent = bench.write_to(node);
        ASSERT_TRUE(bench.network.offer_from_link(in, Port::east, Mesh::on_chip_write, sent));
        bench.drain(in);
        ASSERT_EQ(bench.nodes[node].arrivals.back(), (Arrival{arrival(in, {}, hops), sent}));
    }
}

// A core may offer before or after the network's step of a cycle.
TEST(Latency, DoesNotDependOnWhenInACycleItIsOffered) {
    for (const bool before : {true, false}) {
        Bench bench({});
        ASSERT_TRUE(bench.network.offer(9, 15, Mesh::on_chip_write, bench.write_to(12))); // so that the step is one
        if (before) {
            ASSERT_TRUE(bench.network.offer(10, 0, Mesh::on_chip_write, bench.write_to(3)));
        }
        bench.network.step(10);
        if (!before) {
            ASSERT_TRUE(bench.network.offer(10, 0, Mesh::on_chip_write, bench.write_to(3)));
        }
        bench.drain(11);
        ASSERT_EQ(bench.nodes[3].arrivals.size(), 1U);
        EXPECT_EQ(bench.nodes[3].arrivals[0].cycle, 10U + 1 + 5);
    }
}

TEST(Latency, IdleCyclesMayBeLeftOut) {
    Bench bench({});
    EXPECT_TRUE(bench.network.idle());
    bench.network.step(5);
    ASSERT_TRUE(bench.network.offer(1000000, 0, Mesh::on_chip_write, bench.write_to(1)));
    EXPECT_FALSE(bench.network.idle());
    bench.drain(1000000);
    EXPECT_EQ(bench.nodes[1].arrivals.at(0).cycle, 1000003U);
}

} // namespace
} // namespace skerry::sim
