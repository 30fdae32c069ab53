// SPDX-License-Identifier: BSD-3-Clause
// Several cores in one loop, machines, and the ways in which a run ends.
#include <gtest/gtest.h>

#include "../core/fixture.hpp"
#include "chip/describe.hpp"

using namespace skerry::sim;

namespace {

TEST(Chip, ExitsWithTheProgramsStatus) {
    Bench b("exits");
    b.run();
    EXPECT_EQ(b.ending.kind, EndKind::exited);
    EXPECT_EQ(b.ending.status, 7);
}

TEST(Chip, StopsAfterTheCyclesAllowed) {
    Bench b("spin");
    b.begin();
    EXPECT_EQ(b.chip.run(1000).kind, EndKind::max_cycles);
    EXPECT_EQ(b.chip.now(), 1000u);
}

TEST(Chip, StopsWhenInterrupted) {
    Bench b("spin");
    b.begin();
    const std::atomic<bool> interrupted{true};
    EXPECT_EQ(b.chip.run(never, &interrupted).kind, EndKind::interrupted);
}

// Every core counts for itself as if it were alone.
TEST(Chip, CoresDoNotDisturbEachOther) {
    Bench alone("rewritten");
    Bench many("rewritten");
    for (std::uint32_t k = 0; k < 16; k++) {
        many.put("rewritten", code_base, k);
        epiphany(many.chip, k).state.r[1] = 0x6d13;
        epiphany(many.chip, k).state.r[2] = code_base + 2;
        epiphany(many.chip, k).state.r[5] = 3 + k;
    }
    many.begin(16);
    while (many.chip.core(15).active()) many.chip.run();
    for (std::uint32_t k = 0; k < 16; k++) {
        Bench one("rewritten");
        one.core.state.r[1] = 0x6d13;
        one.core.state.r[2] = code_base + 2;
        one.core.state.r[5] = 3 + k;
        one.run();
        EXPECT_EQ(many.chip.core(k).counters.cycles(), one.core.counters.cycles()) << k;
    }
}

TEST(Chip, LeavesAbsentCoresOut) {
    Machine machine = find_machine("epiphany-iii").value();
    machine.absent = {{0, 1}, {3, 3}};
    Chip chip(machine);
    ElfImage image;
    image.segments = {{code_base, 8, true, {1, 2, 3, 4, 5, 6, 7, 8}}};
    EXPECT_EQ(chip.load(image, 14), "");
    chip.start(14, code_base);
    for (std::uint32_t k = 0; k < 16; k++) {
        EXPECT_EQ(chip.core(k).active(), k != 1 && k != 15) << k;
        EXPECT_EQ(chip.core(k).memory.read<std::uint8_t>(code_base), k != 1 && k != 15 ? 1 : 0) << k;
    }
}

TEST(Chip, StopsAnAccessToAnAbsentCore) {
    Machine machine = find_machine("epiphany-iii").value();
    machine.absent = {{0, 1}};
    Bench b("remote_load", machine);
    b.core.state.r[41] = 0x80902000;
    b.run();
    EXPECT_EQ(b.ending.kind, EndKind::stopped);
    EXPECT_TRUE(
        describe(b.chip, b.ending, {})
            .starts_with("core (32,8) 0x808: load of 4 bytes at 0x80902000, in core (32,9), which is absent\n"));
}

TEST(Chip, WandWakesAllCores) {
    Bench b("wand_barrier");
    for (std::uint32_t k = 0; k < 4; k++) {
        b.put("wand_barrier", code_base, k);
        b.put("user_handler", 0x200, k);
        b.chip.core(k).memory.write(4 * static_cast<std::uint32_t>(Interrupt::wand), (0x200U - 32) / 2 << 8 | 0xe8);
    }
    b.begin(4);
    while (b.chip.core(3).active() && b.chip.run(10'000).kind == EndKind::stopped) {
    }
    for (std::uint32_t k = 0; k < 4; k++) {
        EXPECT_EQ(b.chip.core(k).stop.kind, StopKind::breakpoint) << k;
        EXPECT_EQ(epiphany(b.chip, k).state.r[0], 1u) << k;
    }
}

} // namespace
