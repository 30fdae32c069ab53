// SPDX-License-Identifier: BSD-3-Clause
// What a core does besides one instruction after the other: interrupts, timers, IDLE, registers in the memory map,
// code that changes, mistakes.
#include <gtest/gtest.h>

#include "fixture.hpp"
#include "chip/describe.hpp"

using namespace skerry::sim;

namespace {

TEST(Core, TakesAnInterrupt) {
    Bench b("interrupts");
    b.put("user_handler", 0x200);
    b.vector(Interrupt::user, 0x200);
    // 0 gie, 1 mov, 2 movts, 3 entry, 6 vector's branch, 9 movfs, 10 add, 11 rti, 14 add
    EXPECT_EQ(b.run(), 15u);
    EXPECT_EQ(b.core.state.r[0], 1u);
    EXPECT_EQ(b.core.state.r[5], bit_of(Interrupt::user));
    EXPECT_EQ(b.core.state.r[2], 1u);
    EXPECT_EQ(b.core.state.interrupt_pending, 0u);
    EXPECT_EQ(b.stalled(Stall::interrupt), timing::interrupt_entry);
}

TEST(Core, AMaskedInterruptWaits) {
    Bench b("masked");
    b.put("user_handler", 0x200);
    b.vector(Interrupt::user, 0x200);
    b.run();
    EXPECT_EQ(b.core.state.r[0], 1u);
    EXPECT_EQ(b.core.state.interrupt_return, code_base + 0x16); // behind the MOVTS that unmasked it
    EXPECT_EQ(b.core.state.r[2], 3u);
}

TEST(Core, InterruptsNest) {
    Bench b("interrupts");
    b.put("nesting_handler", 0x200);
    b.put("timer_handler", 0x240);
    b.vector(Interrupt::user, 0x200);
    b.vector(Interrupt::timer1, 0x240);
    b.begin();
    b.ending = b.chip.run(90); // the user interrupt latches itself again without end
    EXPECT_EQ(b.core.state.r[16], bit_of(Interrupt::user));
    EXPECT_EQ(b.core.state.r[18], bit_of(Interrupt::user) | bit_of(Interrupt::timer1)); // timer1 came in between
    EXPECT_EQ(b.core.state.r[17], bit_of(Interrupt::user));                             // and itself did not
    EXPECT_GE(b.core.state.r[6], 1u);
}

TEST(Core, AnInterruptWithoutVectorStops) {
    Bench b("interrupts");
    b.run();
    EXPECT_EQ(b.ending.kind, EndKind::stopped);
    EXPECT_EQ(b.core.stop.kind, StopKind::no_handler);
}

TEST(Core, TimerWakesFromIdle) {
    Bench b("wait_timer");
    b.put("timer_handler", 0x200);
    b.vector(Interrupt::timer0, 0x200);
    // Set in cycle 3, it reaches zero in cycle 103; entry 3, branch 3, movfs and add, rti 3, then a MOVFS that lies
    // across two fetches.
    EXPECT_EQ(b.run(), 103u + 3 + 3 + 2 + 3 + 2);
    EXPECT_EQ(b.core.state.r[18], bit_of(Interrupt::timer0));
    EXPECT_EQ(b.core.state.r[3], 0u);
    EXPECT_EQ(b.core.counters.idle, 103u - 6); // gie in 4, idle in 5
}

TEST(Core, AllIdleIsADeadlock) {
    Bench b("sleep");
    b.begin();
    EXPECT_EQ(b.chip.run().kind, EndKind::deadlock);
    EXPECT_EQ(b.core.waiting(), Waiting::interrupt);
}

TEST(Core, TestAndSet) {
    Bench b("test_and_set");
    b.core.state.r[1] = 5;
    b.core.state.r[2] = 6;
    b.run();
    EXPECT_EQ(b.core.state.r[1], 0u);
    EXPECT_EQ(b.core.state.r[2], 5u);
    EXPECT_EQ(b.core.memory.read<std::uint32_t>(data_base), 5u);
}

TEST(Core, WrittenCodeIsDecodedAgain) {
    Bench b("rewritten");
    b.core.state.r[1] = 0x6d13; // add r3,r3,2
    b.core.state.r[2] = code_base + 2;
    b.core.state.r[5] = 3;
    b.run();
    EXPECT_EQ(b.core.state.r[3], 5u);
}

TEST(Core, RegistersInTheMemoryMap) {
    Bench b("register_file");
    b.core.state.r[43] = general_registers_base;
    b.core.state.r[5] = 1234;
    b.core.state.r[44] = b.chip.core(7).id() << 20 | general_registers_base; // another core's r1
    epiphany(b.chip, 7).state.r[1] = 99;
    b.run();
    EXPECT_EQ(b.core.state.r[1], 1234u);
    EXPECT_EQ(b.core.state.r[7], 77u);
    EXPECT_EQ(b.core.state.r[2], 99u);
}

TEST(Core, AnotherCoreIsHaltedAndGoesOn) {
    Bench b("halts_another");
    b.put("counts", code_base, 1);
    const std::uint32_t other = b.chip.core(1).id() << 20;
    b.core.state.r[44] = other | address_of(SpecialRegister::debug_command);
    b.core.state.r[45] = other | (general_registers_base + 4); // its r1
    b.begin(2);
    b.ending = b.chip.run(10'000);
    EXPECT_EQ(b.ending.kind, EndKind::stopped);
    EXPECT_NE(b.core.state.r[2], 0u);
    EXPECT_EQ(b.core.state.r[3], b.core.state.r[2]);
    EXPECT_GT(b.core.state.r[4], b.core.state.r[3]);
}

TEST(Core, MistakesStopWithTheirPlace) {
    Bench unaligned("unaligned");
    unaligned.core.state.r[45] = data_base + 2;
    unaligned.run();
    EXPECT_EQ(unaligned.core.stop.kind, StopKind::exception);
    EXPECT_EQ(unaligned.core.state.pc, code_base + 2);
    EXPECT_NE(describe(unaligned.chip, unaligned.ending, {}).find("unaligned"), std::string::npos);

    for (const std::uint32_t address : {0x00010000U, 0x80810000U, 0x90000000U, 0x000ff000U}) {
        Bench nowhere("nowhere");
        nowhere.core.state.r[46] = address;
        nowhere.run();
        EXPECT_EQ(nowhere.ending.kind, EndKind::stopped) << address;
        EXPECT_EQ(nowhere.core.state.pc, code_base + 2) << address;
        EXPECT_NE(describe(nowhere.chip, nowhere.ending, {}).find("store of 4 bytes"), std::string::npos) << address;
    }
}

} // namespace
