// SPDX-License-Identifier: BSD-3-Clause
// How a transfer ends: idle, interrupts, message mode; pausing and abandoning.
#include <gtest/gtest.h>

#include "bench.hpp"

using namespace skerry::sim;

namespace {

using SR = SpecialRegister;
constexpr std::uint32_t message_register = 0xf042c; // ILATST

TEST(DmaEnd, IdleBeforeTheLastDataHasArrived) {
    Bench b;
    b.round_trip = 200;
    b.fill(far_base, 64);
    b.start({.count = 1 << 16 | 8, .source = far_base});
    while (b.dma.state(0) != DmaState::idle) b.run(b.now + 1);
    EXPECT_FALSE(b.same(far_base, 0x4000, 64));
    EXPECT_TRUE(b.dma.busy());
    b.run();
    EXPECT_TRUE(b.same(far_base, 0x4000, 64));
    EXPECT_FALSE(b.dma.busy());
}

TEST(DmaEnd, MessageModeWaitsForTheLastData) {
    Bench b;
    b.round_trip = 200;
    b.fill(far_base, 64);
    b.start({.config = master | doubles | dma_config::message, .count = 1 << 16 | 8, .source = far_base});
    bool waited = false;
    while (b.dma.state(0) != DmaState::idle) {
        waited |= b.read(SR::dma0_status) == (0x100U << 16 | 10);
        b.run(b.now + 1);
    }
    EXPECT_TRUE(waited);
    EXPECT_TRUE(b.same(far_base, 0x4000, 64));
    EXPECT_TRUE(b.interrupts.empty()); // a short address is nobody to send a message to
}

TEST(DmaEnd, MessageFollowsTheDataToAnotherCore) {
    Bench b;
    b.start({.config = master | doubles | dma_config::message, .count = 2 << 16 | 2, .destination = far_base + 0x4000});
    b.run();
    EXPECT_EQ(b.accesses.back().address, far_base + message_register);
    EXPECT_EQ(b.accesses.back().size, 4u);
    EXPECT_EQ(b.peek(far_base + message_register, 4), 1u << 5);
    EXPECT_TRUE(b.interrupts.empty());
}

// From a third place: only when all of it has been sent on.
TEST(DmaEnd, MessageFollowsWhatCameFromElsewhere) {
    Bench b;
    b.network_full = [](std::uint64_t cycle) { return cycle % 3 == 0; };
    b.start({.config = master | doubles | dma_config::message,
             .count = 1 << 16 | 9,
             .source = external,
             .destination = far_base + 0x4000});
    b.run();
    EXPECT_EQ(b.accesses.back().address, far_base + message_register);
    EXPECT_EQ(b.dma.state(0), DmaState::idle);
}

TEST(DmaEnd, MessageToItselfAndToNobody) {
    Bench b;
    b.start({.config = master | doubles | dma_config::message, .destination = own_base + 0x4000});
    b.run();
    ASSERT_EQ(b.interrupts.size(), 1u);
    EXPECT_EQ(b.interrupts[0].second, Interrupt::message);
    b.start({.config = master | doubles | dma_config::message, .destination = external});
    b.run();
    EXPECT_EQ(b.interrupts.size(), 1u);
    EXPECT_EQ(b.accesses.back().address, external);
}

TEST(DmaEnd, InterruptsForEachDescriptorThatAsks) {
    Bench b;
    b.put(0x180, {.config = master | doubles | dma_config::interrupt_enable});
    b.put(0x140, {.config = master | doubles | dma_config::chain | 0x180 << 16});
    b.put(0x100, {.config = master | doubles | dma_config::chain | dma_config::interrupt_enable | 0x140 << 16});
    b.start(0x100, 1);
    b.run();
    ASSERT_EQ(b.interrupts.size(), 2u);
    EXPECT_EQ(b.interrupts[0].second, Interrupt::dma1);
    b.start(Descriptor{.config = master | doubles | dma_config::interrupt_enable});
    b.run();
    EXPECT_EQ(b.interrupts.back().second, Interrupt::dma0);
}

TEST(DmaPause, GoesOnWhereItWas) {
    Bench b;
    b.fill(0x2000, 800);
    b.start({.count = 1 << 16 | 100});
    b.run(b.now + 40);
    b.dma.pause(true, b.now);
    const std::uint32_t count = b.read(SR::dma0_count);
    EXPECT_EQ(b.dma.state(0), DmaState::pause);
    EXPECT_FALSE(b.dma.busy());
    b.run(b.now + 500);
    EXPECT_EQ(b.read(SR::dma0_count), count);
    b.dma.pause(false, b.now);
    EXPECT_EQ(b.dma.state(0), DmaState::active);
    b.run();
    EXPECT_TRUE(b.same(0x2000, 0x4000, 800));
}

// What a host does to reset a core's channels.
TEST(DmaPause, Abandons) {
    Bench b;
    b.fill(external, 800);
    b.start({.count = 1 << 16 | 100, .source = external});
    b.run(b.now + 60);
    b.dma.pause(true, b.now);
    for (const SR r :
         {SR::dma0_config, SR::dma0_stride, SR::dma0_count, SR::dma0_source, SR::dma0_destination, SR::dma0_status}) {
        b.write(r, 0);
    }
    b.dma.pause(false, b.now);
    b.run();
    EXPECT_EQ(b.read(SR::dma0_status) & 15, 0u);
    EXPECT_TRUE(b.stopped.empty());
    EXPECT_NE(b.peek(0x4000, 8), 0u); // what was asked for has still arrived
    EXPECT_EQ(b.peek(0x4000 + 8 * 50, 8), 0u);
    b.start({.count = 1 << 16 | 100, .source = external});
    b.run();
    EXPECT_TRUE(b.same(external, 0x4000, 800));
}

TEST(DmaPause, AStartedChannelWaits) {
    Bench b;
    b.dma.pause(true, b.now);
    b.fill(0x2000, 8);
    b.start(Descriptor{});
    b.run(b.now + 100);
    EXPECT_EQ(b.peek(0x4000, 8), 0u);
    b.dma.pause(false, b.now);
    b.run();
    EXPECT_TRUE(b.same(0x2000, 0x4000, 8));
}

} // namespace
