// SPDX-License-Identifier: BSD-3-Clause
// What links and arbiters give when more is asked of them than they have, and what is counted of it.
#include <gtest/gtest.h>

#include "recorder.hpp"

namespace skerry::sim {
namespace {

constexpr std::uint64_t long_time = 24000;

// Every node of `senders` offers what `what` makes in every cycle until `end`.
template <class Make>
void saturate(Bench &bench, const std::vector<unsigned> &senders, Mesh mesh, std::uint64_t end, Make what) {
    for (std::uint64_t cycle = 0; cycle < end; cycle++) {
        for (const unsigned node : senders) {
            Transaction sent = what(node);
            sent.source = static_cast<std::uint16_t>(node);
            bench.network.offer(cycle, node, mesh, sent);
        }
        bench.network.step(cycle);
    }
}

std::vector<double> shares(const Recorder &recorder, unsigned sources) {
    std::vector<double> result(sources);
    for (const Arrival &arrival : recorder.arrivals) {
        result[arrival.transaction.source] += 1.0 / double(long_time);
    }
    return result;
}

TEST(Contention, ALoneStreamUsesTheWholeLink) {
    for (const unsigned hop : {2U, 3U, 4U, 5U, 6U}) {
        NetworkConfiguration configuration;
        configuration.meshes[0].hop_half_cycles = hop;
        configuration.meshes[0].buffer_depth = (hop + 1) / 2 + 1; // the smallest that is enough (configuration.hpp)
        Bench bench(configuration);
        saturate(bench, {0}, Mesh::on_chip_write, 1000, [&](unsigned) { return bench.write_to(15); });
        const auto &arrivals = bench.nodes[15].arrivals;
        ASSERT_EQ(arrivals.size(), 1000U - arrivals[0].cycle) << hop;
        for (std::size_t i = 1; i < arrivals.size(); i++) {
            ASSERT_EQ(arrivals[i].cycle, arrivals[i - 1].cycle + 1);
        }
    }
}

TEST(Contention, ALinkIsNeverFasterThanItsInterval) {
    for (const unsigned interval : {2U, 3U, 4U, 32U}) {
        NetworkConfiguration configuration;
        configuration.meshes[1] = {.link_interval_half_cycles = interval, .buffer_depth = 4};
        Bench bench(configuration);
        saturate(bench, {0, 1}, Mesh::read_request, long_time, [&](unsigned) { return bench.write_to(3); });
        EXPECT_NEAR(double(bench.nodes[3].arrivals.size()), double(long_time) * 2 / interval, 10) << interval;
    }
}

TEST(Contention, AShallowBufferSlowsAStream) {
    NetworkConfiguration configuration;
    configuration.meshes[0].buffer_depth = 1;
    Bench bench(configuration);
    saturate(bench, {0}, Mesh::on_chip_write, long_time, [&](unsigned) { return bench.write_to(3); });
    const double rate = double(bench.nodes[3].arrivals.size()) / double(long_time);
    EXPECT_GT(rate, 0.3);
    EXPECT_LT(rate, 0.5);
}

TEST(Contention, AllFiveInputsOfARouterAreServedEqually) {
    NetworkConfiguration configuration;
    configuration.rows = configuration.columns = 3;
    Bench bench(configuration);
    saturate(bench, {1, 3, 4, 5, 7}, Mesh::on_chip_write, long_time, [&](unsigned) { return bench.write_to(4); });
    const auto got = shares(bench.nodes[4], 9);
    for (const unsigned node : {1U, 3U, 4U, 5U, 7U}) {
        EXPECT_NEAR(got[node], 0.2, 0.001) << node;
    }
}

TEST(Contention, TwoInputsShareALinkInTurn) {
    Bench bench({});
    saturate(bench, {1, 2}, Mesh::on_chip_write, long_time, [&](unsigned) { return bench.write_to(3); });
    const auto &arrivals = bench.nodes[3].arrivals;
    for (std::size_t i = 20; i < arrivals.size(); i++) {
        ASSERT_NE(arrivals[i].transaction.source, arrivals[i - 1].transaction.source);
        ASSERT_EQ(arrivals[i].cycle, arrivals[i - 1].cycle + 1);
    }
}

// Crossing streams that share no link do not disturb each other, in one mesh or in two.
TEST(Contention, SeparateLinksAreSeparate) {
    Bench bench({});
    saturate(bench, {0, 8, 4}, Mesh::on_chip_write, 1000, [&](unsigned node) {
        return bench.write_to(node == 0 ? 12U : node == 8 ? 11U : 7U);
    });
    for (const unsigned node : {12U, 11U, 7U}) {
        EXPECT_EQ(bench.nodes[node].arrivals.size(), 1000U - bench.nodes[node].arrivals.at(0).cycle);
    }
}

// Coduin: "the bottom-right core gets a third". Every router gives each input that has something an equal part, so the
// part of a node is the product of these on its way. Computed here from the tree that leads to the link at (2,3).
std::vector<double> expected_shares(const std::vector<bool> &sends) {
    std::vector<double> result(16);
    std::vector<std::vector<unsigned>> into(16); // routers that send into a router
    for (unsigned node = 0; node < 16; node++) {
        const unsigned row = node / 4;
        if (node == 11) {
            continue;
        }
        into[node % 4 != 3 ? node + 1 : row < 2 ? node + 4 : node - 4].push_back(node);
    }
    const auto any = [&](auto self, unsigned node) -> bool {
        if (sends[node]) {
            return true;
        }
        for (const unsigned from : into[node]) {
            if (self(self, from)) {
                return true;
            }
        }
        return false;
    };
    const auto divide = [&](auto self, unsigned node, double part) -> void {
        std::vector<unsigned> busy;
        for (const unsigned from : into[node]) {
            if (any(any, from)) {
                busy.push_back(from);
            }
        }
        const double each = part / double(busy.size() + sends[node]);
        result[node] = sends[node] ? each : 0;
        for (const unsigned from : busy) {
            self(self, from, each);
        }
    };
    divide(divide, 11, 1.0);
    return result;
}

void check_shares(unsigned silent, unsigned link_every) {
    Bench bench({});
    bench.link(Port::east).busy = [=](std::uint64_t cycle) { return cycle % link_every != 0; };
    std::vector<bool> sends(16, true);
    std::vector<unsigned> senders;
    for (unsigned node = 0; node < 16; node++) {
        sends[node] = node != silent;
        if (sends[node]) {
            senders.push_back(node);
        }
    }
    saturate(bench, senders, Mesh::off_chip_write, long_time, [](unsigned) {
        Transaction sent;
        sent.address = external_memory;
        return sent;
    });
    const auto got = shares(bench.link(Port::east), 16);
    const auto expected = expected_shares(sends);
    for (unsigned node = 0; node < 16; node++) {
        EXPECT_NEAR(got[node] * link_every, expected[node], 0.01) << node << " silent " << silent;
    }
    EXPECT_GT(got[10], 1.9 * got[8]); // one column from the link against three
    EXPECT_GT(got[10], 3 * got[2]);   // and one row more
}

TEST(Contention, NodesNearTheLinkGetMore) {
    check_shares(11, 1); // fifteen nodes, all but the link's own
    check_shares(0, 1);
    check_shares(16, 1);
    check_shares(11, 7); // through a link that is slower than the mesh
    check_shares(16, 13);
}

// While the link takes nothing the way to it fills up: both ends' buffers and those between.
TEST(Contention, ABlockedWayHoldsWhatItsBuffersHold) {
    NetworkConfiguration configuration;
    configuration.meshes[2] = {.buffer_depth = 3, .injection_depth = 2};
    Bench bench(configuration);
    bench.link(Port::east).busy = [](std::uint64_t) { return true; };
    Transaction sent;
    sent.address = external_memory;
    unsigned taken = 0;
    for (std::uint64_t cycle = 0; cycle < 100; cycle++) {
        taken += bench.network.offer(cycle, 8, Mesh::off_chip_write, sent);
        bench.network.step(cycle);
    }
    EXPECT_EQ(taken, 2U + 3 * 3);
    EXPECT_FALSE(bench.network.has_room(100, 8, Mesh::off_chip_write));
    EXPECT_TRUE(bench.network.has_room(100, 8, Mesh::on_chip_write));
    EXPECT_EQ(bench.network.in_flight(), taken);
}

TEST(Counters, EveryCrossingStallAndContentionIsCounted) {
    Bench bench({});
    bench.nodes[3].busy = [](std::uint64_t cycle) { return cycle < 10; };
    ASSERT_TRUE(bench.network.offer(0, 0, Mesh::on_chip_write, bench.write_to(3)));
    ASSERT_TRUE(bench.network.offer(0, 7, Mesh::on_chip_write, bench.write_to(3)));
    bench.drain(0);
    const auto at = [&](unsigned node, Port output) {
        return bench.network.counters()[bench.network.link(Mesh::on_chip_write, node, output)];
    };
    for (const unsigned node : {0U, 1U, 2U}) {
        EXPECT_EQ(at(node, Port::east).transactions, 1U);
    }
    EXPECT_EQ(at(7, Port::north).transactions, 1U);
    EXPECT_EQ(at(3, Port::local).transactions, 2U);
    EXPECT_EQ(at(3, Port::local).stalled, 10U - 3);       // node 7's is there from cycle 3, half a cycle early
    EXPECT_EQ(at(3, Port::local).contended, 10U + 1 - 6); // node 0's from cycle 6
    std::uint64_t all = 0;
    for (const LinkCounters &link : bench.network.counters()) {
        all += link.transactions;
    }
    EXPECT_EQ(all, 6U);
}

TEST(Counters, HistoryKeepsEverythingInFixedMemory) {
    NetworkConfiguration configuration;
    configuration.history_interval = 10;
    configuration.history_length = 5;
    Bench bench(configuration);
    bench.nodes[5].busy = [](std::uint64_t cycle) { return cycle % 3 == 0; };
    saturate(bench, {0, 7, 13}, Mesh::on_chip_write, 1234, [&](unsigned) { return bench.write_to(5); });
    const LinkHistory &history = bench.network.history();
    EXPECT_EQ(history.interval(), 320U);
    EXPECT_EQ(history.size(), 4U);
    for (std::size_t link = 0; link < bench.network.counters().size(); link++) {
        std::uint64_t transactions = 0;
        std::uint64_t stalled = 0;
        for (unsigned i = 0; i < history.size(); i++) {
            transactions += history.at(i)[link].transactions;
            stalled += history.at(i)[link].stalled;
        }
        ASSERT_EQ(transactions, bench.network.counters()[link].transactions);
        ASSERT_EQ(stalled, bench.network.counters()[link].stalled);
    }
    const auto local = bench.network.link(Mesh::on_chip_write, 5, Port::local);
    EXPECT_NEAR(history.at(1)[local].transactions, 320 * 2 / 3, 2);
    EXPECT_NEAR(history.at(2)[local].transactions, 320 * 2 / 3, 2);
}

} // namespace
} // namespace skerry::sim
