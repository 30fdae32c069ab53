// SPDX-License-Identifier: BSD-3-Clause
// Cores that poll what nobody will change any more are found, and nothing else is taken for them.
#include <gtest/gtest.h>

#include "../core/fixture.hpp"
#include "chip/describe.hpp"

using namespace skerry::sim;

namespace {

constexpr std::uint64_t long_enough = 8 << 20;

struct Polling : Bench {
    explicit Polling(std::string_view first) : Bench(first) {
        core.state.r[41] = data_base;
    }
    void beside(std::uint32_t index, std::string_view name, std::uint32_t r41) {
        put(name, code_base, index);
        epiphany(chip, index).state.r[41] = r41;
    }
    EndKind run_all(std::uint32_t cores = 1) {
        begin(cores);
        ending = chip.run(long_enough);
        return ending.kind;
    }
};

TEST(PollingForEver, IsFoundOnOneCore) {
    Polling p("poll");
    EXPECT_EQ(p.run_all(), EndKind::polling);
    ElfImage image;
    image.symbols = {{data_base, 4, "_flag"}};
    const std::string said = describe(p.chip, p.ending, image);
    EXPECT_TRUE(said.starts_with("deadlock in cycle ")) << said;
    EXPECT_NE(said.find("every core waits, or polls a word that no core will change\n  core (32,8) 0x808 at "),
              std::string::npos)
        << said;
    EXPECT_NE(said.find("polls 0x00002000 <flag>\n"), std::string::npos) << said;
}

TEST(PollingForEver, IsFoundThroughCallsAndStacks) {
    Polling p("poll_by_call");
    EXPECT_EQ(p.run_all(), EndKind::polling);
    EXPECT_NE(describe(p.chip, p.ending, {}).find("polls 0x00002000\n"), std::string::npos);
}

TEST(PollingForEver, IsFoundOnManyCoresEachAtAnothersMemory) {
    Polling p("poll");
    for (std::uint32_t k = 0; k < 16; k++) {
        p.beside(k, k % 3 == 0 ? "poll_by_call" : "poll", (p.chip.machine().core_id((k + 1) % 16) << 20) + data_base);
    }
    p.beside(5, "poll", 0x8e000000); // external memory
    p.beside(7, "sleeps", 0);
    EXPECT_EQ(p.run_all(16), EndKind::polling);
    const std::string said = describe(p.chip, p.ending, {});
    EXPECT_NE(said.find("polls 0x8e000000\n"), std::string::npos) << said;
    EXPECT_NE(said.find("idle, no interrupt latched"), std::string::npos) << said;
}

TEST(PollingForEver, IsFoundAtALatchWhileAClockRuns) {
    Polling p("poll_latch_by_clock");
    EXPECT_EQ(p.run_all(), EndKind::polling);
}

TEST(PollingForEver, IsTheSameEveryTime) {
    std::uint64_t cycles = 0;
    for (int round = 0; round < 2; round++) {
        Polling p("poll");
        EXPECT_EQ(p.run_all(), EndKind::polling);
        if (round == 0) cycles = p.chip.now();
        EXPECT_EQ(p.chip.now(), cycles);
    }
}

TEST(PollingForAWhile, ALoopThatCountsEnds) {
    Polling p("poll_counted");
    EXPECT_EQ(p.run_all(), EndKind::stopped);
    EXPECT_EQ(p.core.stop.kind, StopKind::breakpoint);
}

TEST(PollingForAWhile, ATimerIsWaitedFor) {
    Polling p("poll_timer");
    EXPECT_EQ(p.run_all(), EndKind::stopped);
    EXPECT_GT(p.chip.now(), 3'000'000u);
}

TEST(PollingForAWhile, ATimersLatchIsWaitedFor) {
    Polling p("poll_latch");
    EXPECT_EQ(p.run_all(), EndKind::stopped);
    EXPECT_GT(p.chip.now(), 3'000'000u);
}

TEST(PollingForAWhile, AnotherCoreStillRuns) {
    Polling p("poll");
    p.beside(1, "releases", 0x80802000);
    EXPECT_EQ(p.run_all(2), EndKind::stopped);
    EXPECT_EQ(p.ending.core, 1u); // which has reached its end first
    EXPECT_EQ(p.chip.run(2 * long_enough).kind, EndKind::stopped);
    EXPECT_EQ(p.core.stop.kind, StopKind::breakpoint);
    EXPECT_EQ(p.core.state.r[1], 1u);
}

TEST(PollingForAWhile, CyclesDoNotDependOnIt) {
    std::uint64_t cycles[2] = {};
    for (const bool on : {false, true}) {
        Polling p("poll");
        p.chip.find_polling(on);
        p.beside(1, "releases", 0x80802000);
        EXPECT_EQ(p.run_all(2), EndKind::stopped);
        cycles[on ? 1 : 0] = p.chip.now();
    }
    EXPECT_EQ(cycles[0], cycles[1]);
}

TEST(PollingForAWhile, ARunMayBeLeftAlone) {
    Polling p("poll");
    p.chip.find_polling(false);
    EXPECT_EQ(p.run_all(), EndKind::max_cycles);
}

} // namespace
