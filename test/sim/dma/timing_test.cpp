// SPDX-License-Identifier: BSD-3-Clause
// When accesses happen, and what a channel waits for. Intervals are set here, so that no test depends on what was
// fitted.
#include <gtest/gtest.h>

#include "bench.hpp"

using namespace skerry::sim;

namespace {

constexpr DmaTiming timing{
    .start = 10, .descriptor = 2, .element_interval = 3, .read_interval = 5, .outstanding_reads = 4};

std::uint64_t stalled(Bench &b, DmaStall cause, unsigned channel = 0) {
    return b.dma.counters(channel, b.now)[cause];
}

// Three double words of descriptor, then an element every third cycle: read, and written in the next.
TEST(DmaTime, OfEachAccess) {
    Bench b(timing);
    b.start({.count = 1 << 16 | 2});
    b.run();
    std::vector<std::uint64_t> at;
    for (const auto &a : b.accesses) at.push_back(a.at - 1000);
    EXPECT_EQ(at, (std::vector<std::uint64_t>{10, 11, 12, 15, 16, 18, 19}));
    EXPECT_EQ(b.dma.counters(0, b.now).active, 20u);
}

TEST(DmaTime, ReadsHaveTheirOwnPace) {
    Bench b(timing);
    b.round_trip = 7;
    b.start({.count = 1 << 16 | 5, .source = far_base});
    b.run();
    std::vector<std::uint64_t> at;
    for (const auto &a : b.accesses) {
        if (a.address >= far_base) at.push_back(a.at - 1000);
    }
    EXPECT_EQ(at, (std::vector<std::uint64_t>{15, 20, 25, 30, 35}));
    EXPECT_EQ(stalled(b, DmaStall::replies), 0u);
}

// With 4 reads on their way, 100 cycles each, 4 are asked for every 101 cycles.
TEST(DmaTime, ReadsOnTheirWayAreLimited) {
    Bench b(timing);
    b.round_trip = 100;
    b.start({.count = 1 << 16 | 40, .source = external});
    b.run();
    EXPECT_EQ(b.most_outstanding, 4u);
    EXPECT_NEAR(static_cast<double>(b.now - 1000), 10 * 101, 30);
    EXPECT_GT(stalled(b, DmaStall::replies), 600u);
}

TEST(DmaTime, ChannelsTakeTurns) {
    Bench b(timing);
    b.start({.count = 1 << 16 | 50}, 0);
    b.start({.count = 1 << 16 | 50, .source = 0x2800, .destination = 0x4800}, 1);
    b.run();
    std::vector<bool> second;
    for (const auto &a : b.accesses) {
        if (a.address >= 0x2000 && !a.write) second.push_back(a.address >= 0x2800);
    }
    ASSERT_EQ(second.size(), 100u);
    for (std::size_t k = 2; k < 100; k++) EXPECT_EQ(second[k], !second[k - 1]) << k;
    // both together no faster than one alone would do both
    EXPECT_NEAR(static_cast<double>(b.now - 1000), 16 + 300, 4);
}

// A channel whose bank is taken does not hold up the other.
TEST(DmaTime, BanksAndTheNetworkAreWaitedFor) {
    Bench b(timing);
    b.bank_taken = [](std::uint64_t cycle) { return cycle % 2 == 0; };
    b.start({.count = 1 << 16 | 10});
    b.run();
    EXPECT_GT(stalled(b, DmaStall::bank), 0u);
    EXPECT_EQ(stalled(b, DmaStall::network), 0u);
    Bench c(timing);
    c.network_full = [](std::uint64_t cycle) { return cycle < 1500; };
    c.start({.count = 1 << 16 | 2, .destination = far_base});
    c.start(Descriptor{.count = 1 << 16 | 10}, 1);
    c.run();
    EXPECT_GT(stalled(c, DmaStall::network), 400u);
    EXPECT_LT(c.dma.counters(1, c.now).active, 60u);
}

TEST(DmaTime, ABusyBankHoldsAnAnswerUp) {
    Bench b(timing);
    b.round_trip = 20;
    b.bank_taken = [](std::uint64_t cycle) { return cycle >= 1030 && cycle < 1100; };
    b.poke(far_base, 8, 5);
    b.start(Descriptor{.source = far_base});
    b.run();
    EXPECT_EQ(b.accesses.back().at, 1100u);
    EXPECT_EQ(b.peek(0x4000, 8), 5u);
}

// Nothing is looked at before it can happen.
TEST(DmaTime, SleepsUntilSomethingCanHappen) {
    Bench b(timing);
    b.round_trip = 1000;
    b.start({.count = 1 << 16 | 8, .source = external});
    unsigned runs = 0;
    while (b.dma.busy()) {
        const std::uint64_t answer = b.replies.empty() ? ~0ULL : b.replies.front().at;
        b.now = std::min(answer, b.dma.ready_at);
        if (answer == b.now) {
            ASSERT_TRUE(b.dma.reply(b.replies.front().tag, 0, b.now));
            b.replies.pop_front();
        } else {
            b.dma.run(b.now);
            runs++;
        }
    }
    EXPECT_LT(runs, 40u);
}

} // namespace
