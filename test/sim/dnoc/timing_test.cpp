// SPDX-License-Identifier: BSD-3-Clause
// The cycles of single packets, and of streams of packets.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "dnoc/packet_network.hpp"

namespace skerry::sim::dnoc {
namespace {

struct Receiver : PacketSink {
    bool accept(std::uint64_t cycle, const Packet &packet) override {
        if (refuses && refuses(cycle)) return false;
        cycles.push_back(cycle);
        packets.push_back(packet);
        return true;
    }
    std::function<bool(std::uint64_t)> refuses;
    std::vector<std::uint64_t> cycles;
    std::vector<Packet> packets;
};

struct Chip {
    Chip() : network(configured()), receivers(24) {
        for (unsigned node = 0; node < 24; node++) network.attach(node, receivers[node]);
    }
    static NetworkConfiguration configured() {
        NetworkConfiguration c;
        c.rows = c.columns = 4;
        c.io_nodes = 2;
        c.io_units = 4;
        return c;
    }
    Packet packet(unsigned from, unsigned to, unsigned bytes) const {
        Packet p;
        p.route = *network.torus().route(from, to);
        p.bytes = static_cast<std::uint16_t>(bytes);
        return p;
    }
    void run(std::uint64_t limit = 1'000'000) {
        while (network.next_at() < limit) network.step(network.next_at());
    }
    PacketNetwork network;
    std::vector<Receiver> receivers;
};

TEST(DnocTiming, OnePacketTakesHopsAndFlits) {
    struct Case {
        unsigned from, to, bytes;
        std::uint64_t links, flits;
    };
    for (const Case &c : {Case{0, 0, 8, 2, 4},
                          {0, 1, 8, 3, 4},
                          {0, 1, 0, 3, 2},
                          {0, 1, 5, 3, 4},
                          {0, 5, 128, 4, 34},
                          {0, 10, 128, 6, 34},
                          {16, 23, 248, 6, 64}}) {
        Chip chip;
        ASSERT_TRUE(chip.network.offer(100, c.from, chip.packet(c.from, c.to, c.bytes)));
        chip.run();
        // The header crosses the first link in the next cycle, each further one 3 cycles later. The receiver gets the packet in
        // the cycle behind the last flit.
        ASSERT_EQ(chip.receivers[c.to].cycles.size(), 1U);
        EXPECT_EQ(chip.receivers[c.to].cycles[0], 101 + 3 * (c.links - 1) + c.flits) << c.from << " to " << c.to;
        EXPECT_EQ(chip.receivers[c.to].packets[0].source, c.from);
        EXPECT_TRUE(chip.network.idle());
    }
}

// Sends packets from a node as fast as the network takes them, and runs until all have arrived.
void stream(Chip &chip, unsigned from, unsigned to, unsigned packets, unsigned bytes) {
    const Packet p = chip.packet(from, to, bytes);
    unsigned sent = 0;
    for (std::uint64_t cycle = 0; sent < packets || !chip.network.idle(); cycle++) {
        if (sent < packets) sent += chip.network.offer(cycle, from, p);
        if (chip.network.next_at() == cycle) chip.network.step(cycle);
        ASSERT_LT(cycle, 1'000'000U);
    }
}

TEST(DnocTiming, AStreamHasNoGaps) {
    for (const unsigned bytes : {4U, 8U, 128U, 248U}) {
        for (const unsigned to : {0U, 1U, 10U, 20U}) {
            Chip chip;
            stream(chip, 0, to, 50, bytes);
            const auto &at = chip.receivers[to].cycles;
            ASSERT_EQ(at.size(), 50U);
            EXPECT_EQ(at.back() - at.front(), 49U * (2 + bytes / 4)) << bytes;
        }
    }
}

TEST(DnocTiming, TwoSendersShareALink) {
    Chip chip;
    for (unsigned k = 0; k < 2; k++) {
        chip.network.offer(0, 0, chip.packet(0, 2, 128));
        chip.network.offer(0, 1, chip.packet(1, 2, 128));
    }
    chip.run();
    const auto &r = chip.receivers[2];
    ASSERT_EQ(r.cycles.size(), 4U);
    EXPECT_EQ(r.cycles[3] - r.cycles[0], 3U * 34);
    EXPECT_NE(r.packets[0].source, r.packets[1].source);
    EXPECT_NE(r.packets[1].source, r.packets[2].source);
    EXPECT_EQ(chip.network.counters(1, Direction::east).packets, 4U);
    EXPECT_EQ(chip.network.counters(1, Direction::east).flits, 4U * 34);
    EXPECT_GT(chip.network.counters(1, Direction::east).waited, 34U);
    EXPECT_EQ(chip.network.injection_counters(0).packets, 2U);
}

// A receiver that takes nothing for a while: the packets behind hold their links, and none is lost.
TEST(DnocTiming, ABusyReceiverHoldsTheLinks) {
    Chip chip;
    chip.receivers[2].refuses = [](std::uint64_t cycle) { return cycle < 1000; };
    for (unsigned k = 0; k < 2; k++) {
        chip.network.offer(0, 0, chip.packet(0, 2, 128));
        chip.network.offer(0, 1, chip.packet(1, 2, 128));
    }
    chip.run(900);
    EXPECT_EQ(chip.network.in_flight(), 4U);
    EXPECT_FALSE(chip.network.is_stuck());
    chip.network.offer(900, 1, chip.packet(1, 3, 8)); // behind those that wait
    chip.run();
    EXPECT_EQ(chip.receivers[2].cycles.size(), 4U);
    EXPECT_EQ(chip.receivers[2].cycles[0], 1000U);
    ASSERT_EQ(chip.receivers[3].cycles.size(), 1U);
    EXPECT_GT(chip.receivers[3].cycles[0], 1000U);
    EXPECT_TRUE(chip.network.idle());
}

TEST(DnocTiming, AnOfferIsRefusedWhileTheBufferIsFull) {
    Chip chip;
    const Packet p = chip.packet(0, 1, 128);
    EXPECT_TRUE(chip.network.offer(0, 0, p));
    EXPECT_TRUE(chip.network.has_room(0, 0));
    EXPECT_TRUE(chip.network.offer(0, 0, p));
    EXPECT_FALSE(chip.network.has_room(0, 0));
    EXPECT_FALSE(chip.network.offer(0, 0, p));
    chip.run(34); // the last flit of the first packet enters in cycle 34
    EXPECT_FALSE(chip.network.offer(34, 0, p));
    EXPECT_TRUE(chip.network.offer(35, 0, p));
    chip.run();
    EXPECT_EQ(chip.receivers[1].cycles.size(), 3U);
}

} // namespace
} // namespace skerry::sim::dnoc
