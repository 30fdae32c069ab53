// SPDX-License-Identifier: BSD-3-Clause
// Cycles of short sequences, up to the BKPT that ends them. Numbers: GCC's pipeline description, as sim/core/timing.hpp
// names it; the reason stands beside each.
#include <gtest/gtest.h>

#include "fixture.hpp"

using namespace skerry::sim;

namespace {

std::uint64_t cycles(std::string_view name) {
    return Bench(name).run();
}

TEST(Timing, IntegersFollowEachOther) {
    EXPECT_EQ(cycles("integers"), 4u); // a bypass: each result is there in the next cycle
}

TEST(Timing, FloatBesideInteger) {
    Bench b("dual");
    EXPECT_EQ(b.run(), 3u); // three pairs, in either order
    EXPECT_EQ(b.core.counters.dual, 3u);
    EXPECT_EQ(b.core.counters.instructions(), 7u);
}

TEST(Timing, FloatReadsIntegerOneCycleLater) {
    Bench b("dual_needs_result");
    EXPECT_EQ(b.run(), 3u); // 0 mov, 2 fadd
    EXPECT_EQ(b.stalled(Stall::registers), 1u);
    EXPECT_EQ(b.core.counters.dual, 0u);
}

TEST(Timing, OneFloatACycle) {
    EXPECT_EQ(cycles("two_floats"), 3u);
}

TEST(Timing, FloatResults) {
    EXPECT_EQ(cycles("float_to_float"), 6u);   // 0 fadd, 5 fmul
    EXPECT_EQ(cycles("float_to_integer"), 6u); // 0 fadd, 5 add
    EXPECT_EQ(cycles("float_to_store"), 5u);   // 0 fadd, 4 str: its data is read a cycle later
    EXPECT_EQ(cycles("float_to_branch"), 6u);  // 0 fsub, 5 bbne, not taken
}

TEST(Timing, LoadResults) {
    EXPECT_EQ(cycles("load_to_integer"), 3u); // 0 ldr, 2 add
    EXPECT_EQ(cycles("load_to_float"), 4u);   // 0 ldr, 3 fadd
    EXPECT_EQ(cycles("load_base"), 3u);       // a modified base is an integer result
    EXPECT_EQ(cycles("loads"), 4u);
}

TEST(Timing, Branches) {
    Bench taken("branch_taken");
    EXPECT_EQ(taken.run(), 3u);
    EXPECT_EQ(taken.stalled(Stall::branch), 2u);
    EXPECT_EQ(cycles("branch_not_taken"), 4u);
}

TEST(Timing, InstructionAcrossTwoFetches) {
    Bench b("straddling");
    EXPECT_EQ(b.run(), 5u); // 0 b, 3 and 4 fetches, 4 add
    EXPECT_EQ(b.stalled(Stall::local_fetch), 1u);
}

TEST(Timing, HardwareLoop) {
    Bench b("loop");
    b.core.state.r[47] = code_base + 0x10;
    b.core.state.r[48] = code_base + 0x34;
    b.core.state.r[49] = 10;
    EXPECT_EQ(b.run(), 5u + 10 * 5); // 3 movts, 2 nop; each round five pairs, and its jump back costs nothing
    EXPECT_EQ(b.core.counters.dual, 50u);
    EXPECT_EQ(b.core.state.r[40], data_base + 50 * 8);
}

TEST(Timing, FetchAndLoadInOneBank) {
    Bench b("loads");
    b.core.state.r[40] = 0x1000; // bank 0, as the code
    EXPECT_EQ(b.run(), 6u);      // two of the four loads need a fetch in their cycle
    EXPECT_EQ(b.stalled(Stall::local_data), 2u);
}

TEST(Timing, SomebodyElseHasTheBank) {
    Bench b("loads");
    b.core.memory.claim(data_base, 0);
    EXPECT_EQ(b.run(), 5u);
    EXPECT_EQ(b.stalled(Stall::local_data), 1u);

    Bench fetch("integers");
    fetch.core.memory.claim(code_base, 0);
    EXPECT_EQ(fetch.run(), 5u);
    EXPECT_EQ(fetch.stalled(Stall::local_fetch), 1u);
}

TEST(Timing, RemoteLoadStalls) {
    Bench b("remote_load");
    b.core.state.r[41] = b.chip.core(5).id() << 20 | data_base;
    b.chip.core(5).memory.write<std::uint32_t>(data_base, 41);
    const std::uint64_t there_and_back = b.one_way(5, Mesh::read_request) + b.one_way(5, Mesh::on_chip_write) + 1;
    EXPECT_EQ(b.run(), there_and_back + 3); // the answer counts like a loaded value
    EXPECT_EQ(b.stalled(Stall::remote_load), there_and_back);
    EXPECT_EQ(b.core.state.r[2], 42u);
}

TEST(Timing, CausesAddUp) {
    for (const char *name : {"dual", "loop", "float_to_branch", "straddling"}) {
        Bench b(name);
        b.run();
        EXPECT_EQ(b.core.counters.cycles(), b.chip.now() + 1) << name;
    }
}

} // namespace
