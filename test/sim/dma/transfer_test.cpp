// SPDX-License-Identifier: BSD-3-Clause
// Where the bytes go: one and two dimensions, all sizes and places, shifts, chains, slaves, random descriptors.
#include <gtest/gtest.h>

#include <random>

#include "bench.hpp"
#include "rounds.hpp"

using namespace skerry::sim;

namespace {

using SR = SpecialRegister;

TEST(DmaTransfer, CopiesFromEverywhereToEverywhere) {
    for (const std::uint32_t source : {0x2000U, own_base + 0x2000, far_base + 0x2000, external}) {
        for (const std::uint32_t destination : {0x4000U, own_base + 0x4000, far_base + 0x4000, external + 0x4000}) {
            Bench b;
            b.fill(source, 256);
            b.start({.count = 1 << 16 | 32, .source = source, .destination = destination});
            b.run();
            EXPECT_TRUE(b.same(source, destination, 256)) << std::hex << source << " " << destination;
            EXPECT_EQ(b.peek(destination + 256, 8), 0u);
            EXPECT_EQ(b.dma.state(0), DmaState::idle);
            EXPECT_FALSE(b.dma.busy());
        }
    }
}

TEST(DmaTransfer, EverySize) {
    for (std::uint32_t size = 0; size < 4; size++) {
        const std::uint32_t bytes = 1U << size;
        Bench b;
        b.fill(0x2000, 64);
        b.start({.config = master | size << dma_config::data_size_shift,
                 .inner_stride = bytes << 16 | bytes,
                 .count = 1 << 16 | 64 / bytes});
        b.run();
        EXPECT_TRUE(b.same(0x2000, 0x4000, 64)) << bytes;
        EXPECT_EQ(b.dma.counters(0, b.now).elements, 64 / bytes);
        EXPECT_EQ(b.dma.counters(0, b.now).bytes, 64u);
    }
}

TEST(DmaTransfer, StartsFromItsRegistersAlone) {
    Bench b;
    b.fill(0x2000, 40);
    b.write(SR::dma0_stride, 4 << 16 | 4, 1);
    b.write(SR::dma0_count, 2 << 16 | 5, 1);
    b.write(SR::dma0_source, 0x2000, 1);
    b.write(SR::dma0_destination, 0x4000, 1);
    b.write(SR::dma0_config, master | words, 1);
    EXPECT_EQ(b.read(SR::dma0_status, 1), 5u);
    b.run();
    EXPECT_TRUE(b.same(0x2000, 0x4000, 40));
    EXPECT_EQ(b.read(SR::dma0_status, 1), 0u);
    EXPECT_EQ(b.read(SR::dma0_source, 1), 0x2028u);
    EXPECT_EQ(b.read(SR::dma0_destination, 1), 0x4028u);
}

// The outer stride goes from the last element of a round to the first of the next.
TEST(DmaTransfer, TwoDimensions) {
    Bench b;
    b.fill(0x2000, 1024);
    b.start({.config = master | words,
             .inner_stride = 4 << 16 | 4,
             .count = 3 << 16 | 4,
             .outer_stride = 20 << 16 | 0xfff4, // back to the same row
             .destination = far_base + 0x4000});
    b.run();
    for (std::uint32_t row = 0; row < 3; row++) {
        EXPECT_TRUE(b.same(0x2000, far_base + 0x4000 + 32 * row, 16));
        EXPECT_EQ(b.peek(far_base + 0x4010 + 32 * row, 8), 0u);
    }
}

TEST(DmaTransfer, ShiftedStrides) {
    Bench b;
    for (std::uint32_t k = 0; k < 4; k++) b.poke(external + 0x10000 * k, 8, 0x1111 * (k + 1));
    b.start({.config = master | doubles | dma_config::shift_source_inner,
             .inner_stride = 8 << 16 | 1,
             .count = 1 << 16 | 4,
             .source = external});
    b.run();
    for (std::uint32_t k = 0; k < 4; k++) EXPECT_EQ(b.peek(0x4000 + 8 * k, 8), 0x1111u * (k + 1));

    b.start({.config = master | doubles | dma_config::shift_destination_inner | dma_config::shift_destination_outer |
                       dma_config::shift_source_outer,
             .inner_stride = 2 << 16 | 8,
             .count = 2 << 16 | 2,
             .outer_stride = 0xffffU << 16 | 1,
             .source = external,
             .destination = external + 0x100000});
    b.poke(external + 8, 8, 77);
    b.poke(external + 0x10008, 8, 99);
    b.run();
    EXPECT_EQ(b.peek(external + 0x100000, 8), 0x1111u);
    EXPECT_EQ(b.peek(external + 0x120000, 8), 77u);
    EXPECT_EQ(b.peek(external + 0x110000, 8), 99u); // 0x120000 - 0x10000, from 0x8 + 0x10000
}

TEST(DmaTransfer, ChainsDescriptors) {
    Bench b;
    b.fill(0x2000, 0x300);
    b.put(0x180, {.config = master | doubles, .count = 1 << 16 | 4, .source = 0x2200, .destination = 0x4200});
    b.put(0x140, {.config = master | doubles | dma_config::chain | 0x180 << 16,
                  .count = 1 << 16 | 4,
                  .source = 0x2100,
                  .destination = 0x4100});
    b.put(0x100, {.config = master | doubles | dma_config::chain | 0x140 << 16, .count = 1 << 16 | 4});
    b.start(0x100);
    EXPECT_EQ(b.read(SR::dma0_status), 5u);
    b.run();
    for (std::uint32_t k = 0; k < 0x300; k += 0x100) EXPECT_TRUE(b.same(0x2000 + k, 0x4000 + k, 32));
    EXPECT_EQ(b.read(SR::dma0_status), 0x180u << 16);
    EXPECT_EQ(b.dma.counters(0, b.now).transfers, 3u);
}

// A descriptor that has STARTUP only names another.
TEST(DmaTransfer, DescriptorThatNamesAnother) {
    Bench b;
    b.fill(0x2000, 8);
    b.put(0x100, {.config = 0x140 << 16 | dma_config::startup});
    b.put(0x140, {});
    b.start(0x100);
    b.run();
    EXPECT_TRUE(b.same(0x2000, 0x4000, 8));
}

TEST(DmaTransfer, NothingToDo) {
    Bench b;
    b.start({.count = 0});
    b.run();
    EXPECT_EQ(b.dma.state(0), DmaState::idle);
    EXPECT_EQ(b.peek(0x4000, 8), 0u);
}

TEST(DmaSlave, WritesWhatItIsGiven) {
    Bench b;
    b.start({.config = dma_config::enable | words, .inner_stride = 4 << 16, .count = 1 << 16 | 3, .source = 0});
    b.run();
    EXPECT_EQ(b.read(SR::dma0_status), 0x100u << 16 | 6);
    EXPECT_FALSE(b.dma.busy());
    for (std::uint32_t k = 1; k <= 3; k++) {
        EXPECT_EQ(b.write(SR::dma0_auto0, k), Access::done);
        EXPECT_EQ(b.write(SR::dma0_auto0, 99), Access::again); // not yet written
        b.run();
    }
    EXPECT_EQ(b.dma.state(0), DmaState::idle);
    EXPECT_EQ(b.peek(0x4000, 8), 0x200000001u);
    EXPECT_EQ(b.peek(0x4008, 8), 3u);
    EXPECT_EQ(b.write(SR::dma0_auto0, 4), Access::done); // only a register now
    b.run();
    EXPECT_EQ(b.peek(0x400c, 4), 0u);
}

TEST(DmaSlave, EightBytesNeedBothRegisters) {
    Bench b;
    b.start({.config = dma_config::enable | doubles, .count = 1 << 16 | 2, .destination = far_base});
    b.run();
    for (std::uint32_t k = 0; k < 2; k++) {
        b.write(SR::dma0_auto0, 5 + k);
        b.write(SR::dma0_auto1, 7 + k);
        b.run();
    }
    EXPECT_EQ(b.peek(far_base, 8), 0x700000005u);
    EXPECT_EQ(b.peek(far_base + 8, 8), 0x800000006u);
}

// The same as a plain loop, whatever the network and the banks do meanwhile, and on both channels at once.
TEST(DmaTransfer, RandomDescriptors) {
    std::mt19937 random(7);
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    for (unsigned round = 0; round < rounds(300); round++) {
        Bench b;
        b.round_trip = 1 + below(60);
        const std::uint32_t busy = below(4);
        b.bank_taken = [&, busy](std::uint64_t) { return below(4) < busy; };
        b.network_full = b.bank_taken;
        std::map<std::uint32_t, std::uint8_t> expected;
        for (unsigned channel = 0; channel < 2; channel++) {
            const std::uint32_t log_size = below(4);
            const std::uint32_t size = 1U << log_size;
            Descriptor d;
            d.config = master | log_size << dma_config::data_size_shift | (below(2) ? dma_config::message : 0);
            const auto strides = [&] { return size * (below(9) - 4) << 16 | (size * (below(9) - 4) & 0xffff); };
            d.inner_stride = strides();
            d.outer_stride = strides();
            const std::uint32_t inner = 1 + below(9);
            const std::uint32_t outer = 1 + below(5);
            d.count = outer << 16 | inner;
            const std::array<std::uint32_t, 3> places = {0, far_base, external};
            d.source = places[below(3)] + 0x2000 + 0x800 * channel + size * below(8);
            d.destination = places[below(3)] + 0x4000 + 0x1000 * channel + size * below(8);
            b.fill(places[0] + 0x1800, 0x1800);
            b.fill(places[1] + 0x1800, 0x1800);
            b.fill(places[2] + 0x1800, 0x1800);
            std::uint32_t from = d.source;
            std::uint32_t to = d.destination;
            for (std::uint32_t o = 0; o < outer; o++) {
                for (std::uint32_t i = 0; i < inner; i++) {
                    for (std::uint32_t k = 0; k < size; k++) {
                        expected[Bench::global(to + k)] = static_cast<std::uint8_t>(b.peek(from + k, 1));
                    }
                    const std::uint32_t s = i + 1 < inner ? d.inner_stride : d.outer_stride;
                    from += static_cast<std::uint32_t>(static_cast<std::int16_t>(s));
                    to += static_cast<std::uint32_t>(static_cast<std::int16_t>(s >> 16));
                }
            }
            b.start(d, channel);
        }
        b.run();
        EXPECT_EQ(b.dma.state(0), DmaState::idle);
        EXPECT_EQ(b.dma.state(1), DmaState::idle);
        for (const auto &[address, byte] : expected)
            ASSERT_EQ(b.peek(address, 1), byte) << round << std::hex << address;
        for (const auto &[address, byte] : b.bytes) { // and nothing else was written
            const std::uint32_t offset = address & (core_space - 1);
            if (offset < 0x3000 || offset >= own_memory || byte == 0) continue;
            ASSERT_TRUE(expected.contains(address)) << round << std::hex << " " << address;
        }
    }
}

} // namespace
