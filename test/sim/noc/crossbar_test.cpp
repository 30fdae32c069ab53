// SPDX-License-Identifier: BSD-3-Clause
// The times of a crossbar: a lone transaction, several senders to one receiver, blocks of stores, a receiver that stalls.
#include <gtest/gtest.h>

#include "recorder.hpp"

namespace skerry::sim {
namespace {

NetworkConfiguration crossbar_of(unsigned one_way, unsigned turn) {
    NetworkConfiguration configuration;
    configuration.topology = Topology::crossbar;
    configuration.crossbar.one_way = one_way;
    configuration.crossbar.turn = turn;
    return configuration;
}

std::vector<std::uint64_t> times(const Recorder &recorder) {
    std::vector<std::uint64_t> result;
    for (const Arrival &arrival : recorder.arrivals) result.push_back(arrival.cycle);
    return result;
}

TEST(Crossbar, ALoneTransactionTakesOneWayBetweenAnyTwo) {
    for (const unsigned one_way : {2U, 3U, 30U}) {
        Bench bench(crossbar_of(one_way, 7));
        std::uint64_t cycle = 100;
        for (const Mesh mesh : all_meshes) {
            for (unsigned pair = 0; pair < 16 * 16; pair++) {
                const std::uint64_t offered = cycle;
                ASSERT_TRUE(bench.network.offer(offered, pair / 16, mesh, bench.write_to(pair % 16)));
                cycle = bench.drain(cycle) + 3;
                ASSERT_EQ(times(bench.nodes[pair % 16]), std::vector{offered + one_way});
                bench.nodes[pair % 16].arrivals.clear();
            }
        }
    }
}

TEST(Crossbar, AnAddressOutsideLeavesByItsLink) {
    Bench bench(crossbar_of(30, 7));
    Transaction sent;
    sent.address = external_memory;
    ASSERT_TRUE(bench.network.offer(9, 3, Mesh::off_chip_write, sent));
    bench.drain(9);
    EXPECT_EQ(times(bench.link(Port::east)), std::vector<std::uint64_t>{39});
    ASSERT_TRUE(bench.network.offer_from_link(100, Port::east, Mesh::on_chip_write, bench.write_to(5)));
    bench.drain(100);
    EXPECT_EQ(times(bench.nodes[5]), std::vector<std::uint64_t>{130});
    EXPECT_EQ(bench.network.counters()[bench.network.link(Mesh::off_chip_write, 11, Port::east)].transactions, 1U);
    EXPECT_EQ(bench.network.counters()[bench.network.link(Mesh::on_chip_write, 5, Port::local)].transactions, 1U);
}

// The further arrivals of the input: of n cores that store to one core at the same time, each comes a turn later.
TEST(Crossbar, EachFurtherSenderArrivesATurnLater) {
    Bench bench(crossbar_of(30, 7));
    for (const unsigned from : {5U, 2U, 9U, 12U}) {
        ASSERT_TRUE(bench.network.offer(50, from, Mesh::on_chip_write, bench.write_to(0, from)));
    }
    bench.drain(50);
    EXPECT_EQ(times(bench.nodes[0]), (std::vector<std::uint64_t>{80, 87, 94, 101}));
    std::vector<std::uint64_t> senders;
    for (const Arrival &arrival : bench.nodes[0].arrivals) senders.push_back(arrival.transaction.data);
    EXPECT_EQ(senders, (std::vector<std::uint64_t>{2, 5, 9, 12}));
}

TEST(Crossbar, SendersToDifferentReceiversDoNotDelayEachOther) {
    Bench bench(crossbar_of(30, 7));
    for (unsigned node = 0; node < 16; node++) {
        ASSERT_TRUE(bench.network.offer(50, node, Mesh::on_chip_write, bench.write_to((node + 3) % 16)));
    }
    bench.drain(50);
    for (const Recorder &node : bench.nodes) EXPECT_EQ(times(node), std::vector<std::uint64_t>{80});
}

// Sends what the network takes in each cycle, from each of `senders` to node 0.
void saturate(Bench &bench, const std::vector<unsigned> &senders, std::uint64_t end) {
    for (std::uint64_t cycle = 0; cycle < end; cycle++) {
        for (const unsigned from : senders) {
            Transaction sent = bench.write_to(0, from);
            bench.network.offer(cycle, from, Mesh::on_chip_write, sent);
        }
        bench.network.step(cycle);
    }
}

TEST(Crossbar, ALoneStreamArrivesInEachCycle) {
    Bench bench(crossbar_of(30, 7));
    saturate(bench, {4}, 1030);
    EXPECT_EQ(bench.nodes[0].arrivals.size(), 1000U);
}

TEST(Crossbar, StreamsOfSeveralSendersHaveEqualShares) {
    Bench bench(crossbar_of(30, 7));
    saturate(bench, {1, 4, 7}, 21030);
    std::array<unsigned, 16> from{};
    for (const Arrival &arrival : bench.nodes[0].arrivals) from[arrival.transaction.data]++;
    EXPECT_NEAR(from[1], 7000, 8);
    EXPECT_NEAR(from[4], 7000, 8);
    EXPECT_NEAR(from[7], 7000, 8);
}

TEST(Crossbar, AReceiverThatStallsStopsItsSendersOnly) {
    Bench bench(crossbar_of(4, 2));
    bench.nodes[0].busy = [](std::uint64_t cycle) { return cycle < 100; };
    unsigned taken = 0;
    for (std::uint64_t cycle = 0; cycle < 90; cycle++) {
        taken += bench.network.offer(cycle, 1, Mesh::on_chip_write, bench.write_to(0));
        bench.network.step(cycle);
    }
    EXPECT_EQ(taken, 4U + 8); // under way, and in the sender's buffer
    EXPECT_TRUE(bench.network.offer(90, 2, Mesh::on_chip_write, bench.write_to(3)));
    bench.drain(90);
    EXPECT_EQ(times(bench.nodes[3]), std::vector<std::uint64_t>{94});
    EXPECT_EQ(bench.nodes[0].arrivals.size(), 12U);
}

TEST(Crossbar, AnOfferCountsFromItsCycle) {
    for (const bool before : {true, false}) {
        Bench bench(crossbar_of(30, 7));
        ASSERT_TRUE(bench.network.offer(9, 15, Mesh::on_chip_write, bench.write_to(12)));
        if (before) {
            ASSERT_TRUE(bench.network.offer(10, 0, Mesh::on_chip_write, bench.write_to(3)));
        }
        bench.network.step(10);
        if (!before) {
            ASSERT_TRUE(bench.network.offer(10, 0, Mesh::on_chip_write, bench.write_to(3)));
        }
        bench.drain(11);
        EXPECT_EQ(times(bench.nodes[3]), std::vector<std::uint64_t>{40});
    }
}

} // namespace
} // namespace skerry::sim
