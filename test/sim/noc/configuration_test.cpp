// SPDX-License-Identifier: BSD-3-Clause
// What a description may say, where addresses lead, and what becomes of a transaction nobody waits for.
#include <gtest/gtest.h>

#include <stdexcept>

#include "recorder.hpp"

namespace skerry::sim {
namespace {

void expect_refused(const std::function<void(NetworkConfiguration &)> &spoil) {
    NetworkConfiguration configuration;
    spoil(configuration);
    Recorder unclaimed;
    EXPECT_THROW(MeshNetwork(configuration, unclaimed), std::invalid_argument);
}

TEST(Configuration, WhatCannotBeIsRefused) {
    expect_refused([](NetworkConfiguration &c) { c.rows = 0; });
    expect_refused([](NetworkConfiguration &c) { c.columns = 57; });
    expect_refused([](NetworkConfiguration &c) { c.first_row = 61; });
    expect_refused([](NetworkConfiguration &c) { c.first_row = 0xffffffff; });
    expect_refused([](NetworkConfiguration &c) { c.meshes[0].hop_half_cycles = 1; });
    expect_refused([](NetworkConfiguration &c) { c.meshes[1].injection_half_cycles = 1; });
    expect_refused([](NetworkConfiguration &c) { c.meshes[2].link_interval_half_cycles = 1; });
    expect_refused([](NetworkConfiguration &c) { c.meshes[0].buffer_depth = 0; });
    expect_refused([](NetworkConfiguration &c) { c.meshes[0].injection_depth = 129; });
    expect_refused([](NetworkConfiguration &c) { c.crossbar.one_way = 1; });
    expect_refused([](NetworkConfiguration &c) { c.crossbar.turn = 0; });
    expect_refused([](NetworkConfiguration &c) { c.crossbar.buffer_depth = 0; });
    expect_refused([](NetworkConfiguration &c) { c.link_position[2] = 4; });
    expect_refused([](NetworkConfiguration &c) { c.default_exit = Port::local; });
    expect_refused([](NetworkConfiguration &c) { c.default_exit = Port::north; });
    expect_refused([](NetworkConfiguration &c) { c.history_interval = 1, c.history_length = 1; });
    Bench bench({});
    EXPECT_THROW(bench.network.attach(16, bench.unclaimed), std::invalid_argument);
    EXPECT_THROW(bench.network.attach_link(Port::north, bench.unclaimed), std::invalid_argument);
    EXPECT_THROW(bench.network.set_group(16, 1), std::invalid_argument);
}

TEST(Configuration, AddressesAreRowsAndColumns) {
    Bench bench({});
    EXPECT_EQ(bench.address_of(0), 0x80800000U);
    EXPECT_EQ(bench.address_of(15, 0x7fff), 0x8cb07fffU);
    EXPECT_TRUE(bench.network.is_on_chip(0x80800000));
    EXPECT_EQ(bench.network.node_of(0x8cb07fff), 15U);
    for (const std::uint32_t address :
         {0x80700000U, 0x80c00000U, 0x7c800000U, 0x90800000U, 0x00000000U, external_memory}) {
        EXPECT_FALSE(bench.network.is_on_chip(address)) << std::hex << address;
    }
}

TEST(Configuration, OutsideAddressesLeaveBehindTheEdgeTheyLieOrByTheDefault) {
    NetworkConfiguration configuration;
    configuration.link_position = {-1, 1, 2, -1, 3};
    configuration.default_exit = Port::west;
    Bench bench(configuration);
    const std::pair<std::uint32_t, Port> expected[] = {
        {global_address(33, 12, 0), Port::east}, {global_address(63, 63, 0), Port::east},
        {global_address(33, 7, 0), Port::west},  {global_address(0, 0, 0), Port::west},
        {global_address(31, 9, 0), Port::north}, {global_address(36, 9, 0), Port::west}, // no link in the south
    };
    for (const auto &[address, edge] : expected) {
        for (unsigned node = 0; node < 16; node++) {
            Transaction sent;
            sent.address = address;
            ASSERT_TRUE(bench.network.offer(0, node, Mesh::off_chip_write, sent));
            bench.drain(0);
            ASSERT_EQ(bench.link(edge).arrivals.size(), 1U) << std::hex << address;
            bench.link(edge).arrivals.clear();
        }
    }
}

TEST(Configuration, WhatNobodyClaimsIsReported) {
    Recorder unclaimed;
    Recorder present;
    MeshNetwork network({}, unclaimed);
    network.attach(0, present);
    Transaction sent;
    sent.address = global_address(33, 9, 4); // node 5: absent
    ASSERT_TRUE(network.offer(0, 0, Mesh::on_chip_write, sent));
    sent.address = external_memory; // and there is no link
    ASSERT_TRUE(network.offer(0, 0, Mesh::off_chip_write, sent));
    sent.address = global_address(32, 8, 0);
    ASSERT_TRUE(network.offer_from_link(0, Port::east, Mesh::on_chip_write, sent)); // through the place of absent cores
    for (std::uint64_t cycle = 0; !network.idle(); cycle++) {
        network.step(cycle);
    }
    ASSERT_EQ(unclaimed.arrivals.size(), 2U);
    EXPECT_EQ(unclaimed.arrivals[0].transaction.address, global_address(33, 9, 4));
    EXPECT_EQ(unclaimed.arrivals[0].cycle, 4U);
    EXPECT_EQ(unclaimed.arrivals[1].transaction.address, external_memory);
    EXPECT_EQ(present.arrivals.size(), 1U);
}

TEST(Configuration, TheLargestMeshWorks) {
    NetworkConfiguration configuration;
    configuration.rows = configuration.columns = 64;
    configuration.first_row = configuration.first_column = 0;
    Bench bench(configuration);
    ASSERT_TRUE(bench.network.offer(0, 0, Mesh::on_chip_write, bench.write_to(4095)));
    ASSERT_TRUE(bench.network.offer(0, 4095, Mesh::on_chip_write, bench.write_to(0)));
    bench.drain(0);
    EXPECT_EQ(bench.nodes[4095].arrivals.size(), 1U);
    EXPECT_EQ(bench.nodes[0].arrivals.size(), 1U);
}

} // namespace
} // namespace skerry::sim
