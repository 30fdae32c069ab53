// SPDX-License-Identifier: BSD-3-Clause
// Every mistake puts the channel into its error state and is told; the other channel goes on.
#include <gtest/gtest.h>

#include "bench.hpp"

using namespace skerry::sim;

namespace {

using SR = SpecialRegister;

void expect_mistake(const Descriptor &d, DmaMistake mistake, std::uint32_t address, int line) {
    Bench b;
    b.fill(0x2800, 80);
    b.start({.count = 1 << 16 | 10, .source = 0x2800, .destination = 0x4800}, 1);
    b.start(d);
    b.run();
    EXPECT_EQ(b.dma.state(0), DmaState::error) << line;
    EXPECT_EQ(b.read(SR::dma0_status) & 15, 13u) << line;
    EXPECT_EQ(b.dma.fault(0).mistake, mistake) << line;
    EXPECT_EQ(b.dma.fault(0).address, address) << line;
    EXPECT_EQ(b.stopped, std::vector<unsigned>{0}) << line;
    EXPECT_TRUE(b.same(0x2800, 0x4800, 80)) << line;
}

TEST(DmaMistakes, AddressesWhereNothingIs) {
    constexpr std::uint32_t nowhere = 0x12345678; // of Bench
    expect_mistake({.source = own_memory}, DmaMistake::read_nowhere, own_memory, __LINE__);
    expect_mistake({.destination = own_memory}, DmaMistake::write_nowhere, own_memory, __LINE__);
    expect_mistake({.source = nowhere}, DmaMistake::read_nowhere, nowhere, __LINE__);
    expect_mistake({.destination = nowhere}, DmaMistake::write_nowhere, nowhere, __LINE__);
    // known only when the answer comes
    expect_mistake({.source = far_base, .destination = own_memory}, DmaMistake::write_nowhere, own_memory, __LINE__);
    expect_mistake({.source = far_base, .destination = nowhere}, DmaMistake::write_nowhere, nowhere, __LINE__);
}

TEST(DmaMistakes, UnalignedElements) {
    expect_mistake({.source = 0x2004}, DmaMistake::unaligned, 0x2004, __LINE__);
    expect_mistake({.destination = 0x4004}, DmaMistake::unaligned, 0x4004, __LINE__);
    expect_mistake({.inner_stride = 8 << 16 | 4, .count = 1 << 16 | 2}, DmaMistake::unaligned, 0x2004, __LINE__);
    expect_mistake({.config = master | words, .destination = far_base + 2}, DmaMistake::unaligned, far_base + 2,
                   __LINE__);
}

TEST(DmaMistakes, Descriptors) {
    expect_mistake({.config = dma_config::master}, DmaMistake::not_enabled, 0x100, __LINE__);
    expect_mistake({.count = 1 << 16}, DmaMistake::no_count, 1 << 16, __LINE__);
    expect_mistake({.config = 0x104 << 16 | dma_config::startup}, DmaMistake::bad_descriptor, 0x104, __LINE__);
    expect_mistake({.config = own_memory << 16 | dma_config::startup}, DmaMistake::bad_descriptor, own_memory,
                   __LINE__);
}

TEST(DmaMistakes, ASlavesDestination) {
    Bench b;
    b.start({.config = dma_config::enable | words, .count = 1 << 16 | 2, .destination = 0x4001});
    b.run();
    b.write(SR::dma0_auto0, 1);
    b.run();
    EXPECT_EQ(b.dma.fault(0).mistake, DmaMistake::unaligned);
}

TEST(DmaMistakes, StartedTwice) {
    Bench b;
    b.start({.count = 1 << 16 | 100});
    b.run(b.now + 20);
    b.start(0x100);
    EXPECT_EQ(b.dma.fault(0).mistake, DmaMistake::still_running);
    EXPECT_EQ(b.stopped.size(), 1u);
}

TEST(DmaMistakes, TheErrorStateIsLeftWithoutEnable) {
    Bench b;
    b.fill(0x2000, 8);
    b.start({.source = 0x2004});
    b.run();
    b.write(SR::dma0_config, 0);
    EXPECT_EQ(b.dma.state(0), DmaState::idle);
    b.start(Descriptor{});
    b.run();
    EXPECT_TRUE(b.same(0x2000, 0x4000, 8));
}

} // namespace
