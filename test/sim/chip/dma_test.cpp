// SPDX-License-Identifier: BSD-3-Clause
// DMA in the chip: programs that use it, what goes over the network, banks shared with the core, and what is reported.
#include <gtest/gtest.h>

#include "traffic_fixture.hpp"
#include "chip/describe.hpp"
#include "chip/statistics.hpp"

using namespace skerry::sim;

namespace {

constexpr std::uint32_t descriptor_at = 0x1000; // bank 0
constexpr std::uint32_t start_it = descriptor_at << 16 | dma_config::startup;
constexpr std::uint32_t copy_doubles = dma_config::enable | dma_config::master | 3 << dma_config::data_size_shift;
constexpr std::uint32_t return_from_interrupt = 0x01d2;

struct Descriptor {
    std::uint32_t config = copy_doubles;
    std::uint32_t inner_stride = 8 << 16 | 8;
    std::uint32_t count = 1 << 16 | 256;
    std::uint32_t outer_stride = 0;
    std::uint32_t source = 0x2000;
    std::uint32_t destination = 0x4000;
};

const std::vector<std::uint16_t> &dma_sequence(std::string_view name) {
    static const std::map<std::string, std::vector<std::uint16_t>, std::less<>> all = {
#define X(name, ...) {#name, {__VA_ARGS__}},
#include "dma.inc"
#undef X
    };
    const auto found = all.find(name);
    if (found == all.end()) throw std::invalid_argument("no sequence is called " + std::string(name));
    return found->second;
}

struct Engines : Crowd {
    using Crowd::Crowd;

    std::array<std::uint32_t, 64> &program(std::uint32_t k, std::string_view name) {
        std::uint32_t to = code_at;
        for (const std::uint16_t half : dma_sequence(name)) {
            core(k).memory.write(to, half);
            to += 2;
        }
        return core(k).state.r;
    }
    void describe_transfer(std::uint32_t k, const Descriptor &d, std::uint32_t at = descriptor_at) {
        core(k).memory.write_bytes(at, {reinterpret_cast<const std::uint8_t *>(&d), sizeof d});
    }
    // An interrupt only wakes.
    void wakes(std::uint32_t k, Interrupt which) {
        core(k).memory.write(4 * static_cast<std::uint32_t>(which), return_from_interrupt);
    }
    void fill(std::uint32_t k, std::uint32_t offset, std::uint32_t words, std::uint32_t seed = 1) {
        for (std::uint32_t w = 0; w < words; w++) core(k).memory.write(offset + 4 * w, seed + w * 0x10001);
    }
    bool same(std::uint32_t k, std::uint32_t offset, std::uint32_t other, std::uint32_t there, std::uint32_t words) {
        for (std::uint32_t w = 0; w < words; w++) {
            if (word(k, offset + 4 * w) != word(other, there + 4 * w)) return false;
        }
        return true;
    }
    const DmaCounters counters(std::uint32_t k, unsigned channel = 0) {
        return chip.dma(k).counters(channel, chip.now());
    }
    std::string why(const Ending &ending) {
        return describe(chip, ending, ElfImage{});
    }
};

TEST(ChipDma, CopiesToAnotherCore) {
    Engines e;
    e.fill(0, 0x2000, 512);
    e.describe_transfer(0, {.destination = e.global(10, 0x4000)});
    auto &r = e.program(0, "start_and_poll");
    r[1] = start_it;
    r[3] = 0x2000;
    ASSERT_TRUE(e.run(1));
    EXPECT_TRUE(e.same(0, 0x2000, 10, 0x4000, 512));
    EXPECT_EQ(e.counters(0).bytes, 2048u);
    EXPECT_NE(statistics(e.chip).find("DMA 0: 2048 bytes, 256 elements, 1 transfers in"), std::string::npos);
}

TEST(ChipDma, RegistersAloneAndExternalMemory) {
    Engines e;
    e.fill(0, 0x2000, 512);
    auto &r = e.program(0, "by_registers");
    r[1] = 4 << 16 | 4;
    r[2] = 2 << 16 | 256;
    r[3] = 0x2000;
    r[4] = outside;
    r[5] = dma_config::enable | dma_config::master | 2 << dma_config::data_size_shift;
    ASSERT_TRUE(e.run(1));
    for (std::uint32_t w = 0; w < 512; w++) ASSERT_EQ(e.outside_word(4 * w), e.word(0, 0x2000 + 4 * w));
    r[3] = outside;
    r[4] = 0x4000;
    r[5] |= dma_config::message;
    ASSERT_TRUE(e.run(1));
    EXPECT_TRUE(e.same(0, 0x2000, 0, 0x4000, 512));
}

// A core that sleeps is not dead while a channel works for it.
TEST(ChipDma, InterruptWakesASleepingCore) {
    for (const unsigned channel : {0U, 1U}) {
        Engines e;
        e.fill(0, 0x2000, 512);
        e.describe_transfer(0, {.config = copy_doubles | dma_config::interrupt_enable});
        e.wakes(0, channel == 0 ? Interrupt::dma0 : Interrupt::dma1);
        auto &r = e.program(0, "start_and_sleep");
        r[channel + 1] = start_it;
        r[3] = 0x4000 + 2044;
        ASSERT_TRUE(e.run(1));
        EXPECT_EQ(r[4], e.word(0, 0x2000 + 2044));
    }
}

TEST(ChipDma, ReadsAreThereWhenMessageModeEnds) {
    for (const bool message : {false, true}) {
        Engines e;
        e.fill(15, 0x2000, 512);
        e.describe_transfer(
            0, {.config = copy_doubles | (message ? dma_config::message : 0), .source = e.global(15, 0x2000)});
        auto &r = e.program(0, "start_and_poll");
        r[1] = start_it;
        r[3] = 0x4000 + 2044;
        ASSERT_TRUE(e.run(1));
        EXPECT_EQ(r[4], message ? e.word(15, 0x2000 + 2044) : 0) << message;
        EXPECT_TRUE(e.same(15, 0x2000, 0, 0x4000, 512));
    }
}

// However full the way is, who is woken finds the data.
TEST(ChipDma, MessageComesBehindTheData) {
    Engines e;
    e.fill(0, 0x2000, 512);
    e.describe_transfer(0, {.config = copy_doubles | dma_config::message, .destination = e.global(15, 0x4000)});
    e.program(0, "start_and_poll")[1] = start_it;
    for (std::uint32_t k = 1; k < 15; k++) {
        auto &r = e.put(k, "stream");
        r[1] = e.global(15, 0x6000 + 0x100 * k);
        r[5] = 4;
    }
    e.wakes(15, Interrupt::message);
    auto &r = e.program(15, "sleep_and_look");
    r[3] = 0x4000 + 2044;
    ASSERT_TRUE(e.run(16));
    EXPECT_EQ(r[4], e.word(0, 0x2000 + 2044));
}

TEST(ChipDma, SlaveLosesNothing) {
    for (const std::uint32_t feeder : {0U, 1U}) { // itself, or another core
        Engines e;
        e.describe_transfer(0, {.config = dma_config::enable | 2 << dma_config::data_size_shift,
                                .inner_stride = 4 << 16,
                                .count = 1 << 16 | 400,
                                .destination = 0x2000});
        ASSERT_EQ(e.core(0).write_register(address_of(SpecialRegister::dma0_config), 4, start_it, 0), Access::done);
        e.program(0, "wait_here");
        e.begin(1);
        e.chip.run(1000);
        EXPECT_EQ(e.chip.dma(0).state(0), DmaState::slave);
        auto &r = e.program(feeder, "feed");
        const std::uint32_t automatic = address_of(SpecialRegister::dma0_auto0);
        r[1] = feeder == 0 ? automatic : e.global(0, automatic);
        r[2] = 1000;
        r[5] = 400;
        e.begin(feeder + 1);
        EXPECT_EQ(e.chip.run(100'000).kind, EndKind::stopped);
        e.chip.run(100'000);
        EXPECT_EQ(e.chip.dma(0).state(0), DmaState::idle) << feeder;
        for (std::uint32_t w = 0; w < 400; w++) ASSERT_EQ(e.word(0, 0x2000 + 4 * w), 1000 + w) << feeder;
    }
}

// From the bank the core loads from, and from another one.
TEST(ChipDma, SharesBanksWithTheCore) {
    std::uint64_t taken[2];
    std::uint64_t core_stalls[2];
    for (const unsigned other : {0U, 1U}) {
        Engines e;
        e.fill(0, 0x2000, 512);
        e.fill(0, 0x4000, 512);
        e.describe_transfer(0, {.source = other == 0 ? 0x2000U : 0x4000U, .destination = e.global(1, 0x4000)});
        auto &r = e.program(0, "start_and_load");
        r[1] = start_it;
        r[3] = 0x2000;
        r[5] = 200;
        ASSERT_TRUE(e.run(1));
        EXPECT_TRUE(e.same(0, 0x2000, 1, 0x4000, 512));
        taken[other] = e.counters(0)[DmaStall::bank];
        core_stalls[other] = e.core(0).counters[Stall::local_data];
    }
    EXPECT_GT(taken[0], 50u);
    EXPECT_LT(taken[0], 300u); // not kept out: a cycle an element at most
    EXPECT_LT(taken[1], 4u);   // the descriptor, from the bank of the program
    EXPECT_GT(core_stalls[0], 50u);
    EXPECT_LT(core_stalls[1], 4u);
}

TEST(ChipDma, PausedByTheCoresConfig) {
    Engines e;
    e.fill(0, 0x2000, 512);
    e.describe_transfer(0, {});
    auto &r = e.program(0, "pause");
    r[1] = start_it;
    r[2] = config::dma_pause;
    r[5] = 100;
    r[7] = 100;
    ASSERT_TRUE(e.run(1));
    EXPECT_EQ(r[8], r[9]);
    EXPECT_LT(r[8] & 0xffff, 256u);
    EXPECT_EQ(r[10] & 15, 11u);
    EXPECT_TRUE(e.same(0, 0x2000, 0, 0x4000, 512));
}

// Of a core that never ran.
TEST(ChipDma, StartedByAnotherCore) {
    Engines e;
    e.fill(5, 0x2000, 512);
    e.describe_transfer(5, {.config = copy_doubles | dma_config::message, .destination = e.global(0, 0x4000)});
    e.wakes(0, Interrupt::message);
    auto &r = e.program(0, "start_another");
    r[1] = e.global(5, address_of(SpecialRegister::dma0_config));
    r[2] = start_it;
    ASSERT_TRUE(e.run(1));
    EXPECT_TRUE(e.same(5, 0x2000, 0, 0x4000, 512));
}

// Every core writes to one and reads from another, with both channels, all at the same time.
TEST(ChipDma, AllAtOnce) {
    std::uint64_t cycles[2];
    for (std::uint64_t &end : cycles) {
        Engines e;
        for (std::uint32_t k = 0; k < 16; k++) {
            e.fill(k, 0x2000, 256, k << 24);
            e.describe_transfer(k, {.config = copy_doubles,
                                    .count = 2 << 16 | 64,
                                    .outer_stride = 8 << 16 | 8,
                                    .destination = e.global((k * 7 + 3) % 16, 0x4000)});
            e.describe_transfer(k,
                                {.config = copy_doubles | dma_config::message | dma_config::interrupt_enable,
                                 .count = 1 << 16 | 128,
                                 .source = e.global((k * 5 + 2) % 16, 0x2000),
                                 .destination = 0x6000},
                                descriptor_at + 0x40);
            e.wakes(k, Interrupt::dma1);
            auto &r = e.program(k, "start_and_sleep");
            r[1] = start_it;
            r[2] = start_it + (0x40 << 16);
        }
        ASSERT_TRUE(e.run(16));
        for (std::uint32_t k = 0; k < 16; k++) {
            EXPECT_TRUE(e.same(k, 0x2000, (k * 7 + 3) % 16, 0x4000, 256)) << k;
            EXPECT_TRUE(e.same((k * 5 + 2) % 16, 0x2000, k, 0x6000, 256)) << k;
        }
        end = e.chip.now();
    }
    EXPECT_EQ(cycles[0], cycles[1]);
}

TEST(ChipDma, MistakesStopTheCore) {
    const auto told = [](const Descriptor &d) {
        Engines e;
        e.describe_transfer(0, d);
        e.program(0, "start_and_poll")[1] = start_it;
        e.begin(1);
        const Ending ending = e.chip.run(10'000);
        EXPECT_EQ(ending.kind, EndKind::stopped);
        EXPECT_EQ(e.chip.dma(0).state(0), DmaState::error);
        return e.why(ending);
    };
    const auto starts = [](const std::string &text, const std::string &with) {
        EXPECT_EQ(text.substr(0, with.size()), with);
    };
    starts(told({.source = 0x8000}), "core (32,8) 0x808: DMA channel 0: read of 8 bytes at 0x00008000, beyond the end "
                                     "of a core's memory at 0x8000\n  cycle ");
    starts(told({.destination = 0x80908000}),
           "core (32,8) 0x808: DMA channel 0: write of 8 bytes at 0x80908000, beyond the end of a core's memory");
    starts(told({.source = 0x12340000}),
           "core (32,8) 0x808: DMA channel 0: read of 8 bytes at 0x12340000, where no memory is");
    starts(told({.source = 0x2004}), "core (32,8) 0x808: DMA channel 0: an element of 8 bytes at 0x00002004");
    starts(told({.count = 1 << 16}), "core (32,8) 0x808: DMA channel 0: the inner count is zero");
    starts(told({.config = 0}), "core (32,8) 0x808: DMA channel 0: the descriptor at 0x00001000 has neither");
}

TEST(ChipDma, ADeadlockShowsItsChannels) {
    Engines e;
    e.describe_transfer(0, {.config = dma_config::enable | 3 << dma_config::data_size_shift, .count = 1 << 16 | 9});
    e.program(0, "start_and_sleep")[1] = start_it;
    e.begin(1);
    const Ending ending = e.chip.run(10'000);
    EXPECT_EQ(ending.kind, EndKind::deadlock);
    EXPECT_NE(e.why(ending).find("DMA channel 0: a slave, waits until data are written to it, 1 x 9 elements left"),
              std::string::npos);
}

} // namespace
