// SPDX-License-Identifier: BSD-3-Clause
// DMA units on the simulated torus of 16 clusters: the times of Hascoet et al. (2017) that are the hardware's.
#include <gtest/gtest.h>

#include "programs.hpp"
#include "wire.hpp"

using namespace skerry::sim;

namespace {

constexpr std::uint32_t from = DmaWire::memory_base + 0x80000;

// A torus of 16 clusters, whose header k leads to tag 7 of node k.
struct Torus : DmaWire {
    Torus() : DmaWire(dnoc::NetworkConfiguration{.rows = 4, .columns = 4}) {
        for (std::uint32_t node = 0; node < 16; node++) {
            for (std::uint32_t k = 0; k < 16; k++) header(node, k, k, 7);
            tag(node, 7, memory_base, 0x80000);
            tag(node, 9, memory_base, 8);
            program(node, 0, programs::linear);
            for (std::uint32_t k = 0; k < 0x80000; k++) memory(node, from)[k] = static_cast<std::uint8_t>(k * 7 + node);
        }
    }
    Access put(std::uint32_t node, std::uint32_t to, std::uint32_t bytes) {
        return start(node, 0, to, {from, bytes / 8, 0, 0, 9});
    }
    // Returns the cycles from the start of a put until its end is counted in the other node.
    std::uint64_t cycles_of_put(std::uint32_t to, std::uint32_t bytes) {
        const std::uint64_t begin = now;
        const std::uint32_t before = transfers(to, 7);
        EXPECT_EQ(put(0, to, bytes), Access::done);
        while (transfers(to, 7) == before && faults.empty()) step();
        const std::uint64_t cycles = now - 1 - begin;
        EXPECT_TRUE(drain() && faults.empty());
        EXPECT_EQ(std::memcmp(memory(to), memory(0, from), bytes), 0);
        return cycles;
    }
};

// Hascoet et al. (2017), section 6.2.2: 100 cycles of hardware.
TEST(MppaTorus, APutOf8BytesTakes100Cycles) {
    Torus t;
    EXPECT_EQ(t.cycles_of_put(1, 8), 100u);
    EXPECT_EQ(t.cycles_of_put(0, 8), 97u);   // to itself: one router less
    EXPECT_EQ(t.cycles_of_put(10, 8), 109u); // four routers: the farthest node
}

// The same section: 3.76 bytes a cycle, from packets of 32 + 2 flits.
TEST(MppaTorus, TheSlopeIs376BytesACycle) {
    Torus t;
    const auto small = static_cast<double>(t.cycles_of_put(1, 8192));
    const auto large = static_cast<double>(t.cycles_of_put(1, 262144));
    EXPECT_NEAR((262144 - 8192) / (large - small), 3.76, 0.01);
    EXPECT_LE(small, 100 + 8192 / 3.76 + 40);
}

// Table 1: clusters that send to neighbours on links of their own reach the links' peak together.
TEST(MppaTorus, ClustersDoNotDelayEachOther) {
    constexpr std::uint32_t bytes = 262144;
    constexpr double gigahertz = 0.5;
    for (const std::uint32_t clusters : {1U, 4U, 8U, 16U}) {
        Torus t;
        const std::uint64_t begin = t.now;
        for (std::uint32_t k = 0; k < clusters; k++) {
            const std::uint32_t to = clusters == 1 ? 0 : clusters <= 4 ? (k + 1) % clusters : k / 4 * 4 + (k + 1) % 4;
            ASSERT_EQ(t.put(k, to, bytes), Access::done);
        }
        ASSERT_TRUE(t.drain());
        ASSERT_TRUE(t.faults.empty());
        const double rate = 2.0 * clusters * bytes / static_cast<double>(t.now - begin) * gigahertz;
        EXPECT_NEAR(rate, 60.2 * clusters / 16, 0.3 * clusters / 16) << clusters;
    }
}

// Packets of cores: the cycles from the last store until the bytes are in the other memory.
TEST(MppaTorus, APacketOfACoreIsFaster) {
    Torus t;
    const std::uint64_t begin = t.now;
    ASSERT_EQ(t.store(0, mppa::send_end_base + 1 * mppa::send_stride, 1, 8), Access::done);
    ASSERT_TRUE(t.drain());
    EXPECT_EQ(t.now - 1 - begin, 31u);
}

// All clusters send to one, through its one link: nothing is lost, and the link is always busy.
TEST(MppaTorus, ManySendersShareAReceiver) {
    constexpr std::uint32_t bytes = 4096;
    Torus t;
    t.tag(5, 7, DmaWire::memory_base, 16 * bytes);
    for (std::uint32_t k = 0; k < 16; k++) {
        ASSERT_EQ(t.start(k, 0, 5, {from, bytes / 8, 0, k * bytes, 9}), Access::done);
    }
    const std::uint64_t begin = t.now;
    ASSERT_TRUE(t.drain());
    ASSERT_TRUE(t.faults.empty());
    EXPECT_EQ(t.transfers(5, 7), 16u);
    for (std::uint32_t k = 0; k < 16; k++) {
        EXPECT_EQ(std::memcmp(t.memory(5, DmaWire::memory_base + k * bytes), t.memory(k, from), bytes), 0) << k;
    }
    EXPECT_NEAR(static_cast<double>(t.now - begin), 16 * 32 * 34 + 130, 60);
}

} // namespace
