// SPDX-License-Identifier: BSD-3-Clause
// The parts of a RISC-V core that QEMU's user mode cannot check: timing, reservations between cores, remote accesses,
// exceptions, interrupts, CSRs, and what is reported.
#include <gtest/gtest.h>

#include "chip/describe.hpp"
#include "machine.hpp"

using namespace skerry::sim;

namespace {

constexpr std::uint32_t mstatus = 0x300, mie = 0x304, mtvec = 0x305, mepc = 0x341, mcause = 0x342, mip = 0x344;
constexpr std::uint32_t mhartid = 0xf14, cycle = 0xc00, instret = 0xc02;

// ---- timing: riscv-16.toml has the latencies ----

std::uint64_t stalled(std::initializer_list<std::uint32_t> code, Stall cause) {
    Bench b;
    b.core.state.x[8] = data_base;
    b.put(code);
    b.run();
    return b.core.counters[cause];
}

TEST(RiscvTiming, OneInstructionACycle) {
    Bench b;
    b.put({nop, nop, nop, nop, nop, nop});
    b.run();
    EXPECT_EQ(b.core.counters.issue_cycles(), 7u); // EBREAK too
    EXPECT_EQ(b.core.counters.instructions(), 7u);
}

TEST(RiscvTiming, WaitsForResults) {
    EXPECT_EQ(stalled({lw(5, 8), nop, add(6, 5, 5)}, Stall::registers), 0u);
    EXPECT_EQ(stalled({lw(5, 8), add(6, 5, 5)}, Stall::registers), 1u);
    EXPECT_EQ(stalled({mul(5, 6, 6), add(6, 5, 5)}, Stall::registers), 2u);
    EXPECT_EQ(stalled({mul(5, 6, 6), mul(7, 6, 6), nop, nop}, Stall::registers), 0u); // one a cycle
    EXPECT_EQ(stalled({div(5, 6, 7), nop, add(6, 5, 5)}, Stall::registers), 30u);
    EXPECT_EQ(stalled({div(5, 6, 7), div(9, 6, 7)}, Stall::registers), 31u);  // one unit
    EXPECT_EQ(stalled({lw(5, 8), addi(5, 0, 1), nop}, Stall::registers), 1u); // in order of their writes
    EXPECT_EQ(stalled({lw(0, 8), add(6, 0, 0)}, Stall::registers), 0u);       // x0 is never late
}

TEST(RiscvTiming, TakenBranchesRefillThePipeline) {
    Bench b;
    b.put({addi(5, 0, 10), addi(5, 5, -1), bne(5, 0, -4)});
    b.run();
    EXPECT_EQ(b.core.counters[Stall::branch], 9u * 2);
    EXPECT_EQ(b.core.state.x[5], 0u);
}

// ---- atomic operations ----

// The machines whose cores have memories of their own: with a mesh, with a crossbar.
class RiscvAtomic : public testing::TestWithParam<const char *> {
  protected:
    Machine machine = find_machine(GetParam()).value();
};
INSTANTIATE_TEST_SUITE_P(On, RiscvAtomic, testing::Values("riscv-16", "sarc-16"), [](const auto &on) {
    std::string name = on.param;
    std::erase(name, '-');
    return name;
});

TEST_P(RiscvAtomic, AddsAtHomeAndRemotely) {
    Bench b(machine);
    const std::uint32_t home = b.at(0).id() << 20 | data_base;
    for (std::uint32_t k = 0; k < 16; k++) {
        b.at(k).state.x[8] = home;
        b.at(k).state.x[6] = 100;
        b.put({addi(5, 0, 1), amoadd(7, 5, 8), addi(6, 6, -1), bne(6, 0, -8)}, code_base, k);
    }
    b.run(16);
    EXPECT_EQ(b.word(data_base), 1600u);
}

TEST_P(RiscvAtomic, ConditionalStoresCountLikeAdds) {
    Bench b(machine);
    const std::uint32_t home = b.at(5).id() << 20 | data_base;
    for (std::uint32_t k = 0; k < 16; k++) {
        b.at(k).state.x[8] = home;
        b.at(k).state.x[6] = 50;
        b.put({lr(5, 8), addi(5, 5, 1), sc(7, 5, 8), bne(7, 0, -12), addi(6, 6, -1), bne(6, 0, -20)}, code_base, k);
    }
    b.run(16);
    EXPECT_EQ(b.word(data_base, 5), 800u);
}

TEST_P(RiscvAtomic, AnyStoreEndsAReservation) {
    Bench b(machine);
    b.core.state.x[8] = data_base;
    b.put({lr(5, 8), sw(0, 8), sc(7, 5, 8), lr(5, 8), sc(9, 6, 8), sc(10, 6, 8)});
    b.core.state.x[6] = 77;
    b.run();
    EXPECT_EQ(b.core.state.x[7], 1u); // the word had the same value before the store
    EXPECT_EQ(b.core.state.x[9], 0u);
    EXPECT_EQ(b.core.state.x[10], 1u); // SC ends the reservation too
    EXPECT_EQ(b.word(data_base), 77u);
}

TEST_P(RiscvAtomic, AnotherAddressHasNoReservation) {
    Bench b(machine);
    b.core.state.x[8] = data_base;
    b.core.state.x[18] = data_base + 4;
    b.put({lr(5, 8), sc(7, 5, 18), sc(9, 5, 8)});
    b.run();
    EXPECT_EQ(b.core.state.x[7], 1u);
    EXPECT_EQ(b.core.state.x[9], 1u);
}

// Runs five stores to external memory, which takes more than a hundred cycles for them, and one more instruction.
// Returns true if all have arrived when the core reaches its EBREAK.
bool arrived_before_the_end(const Machine &machine, std::uint32_t last) {
    constexpr std::uint32_t outside = 0x8e000000;
    Bench b(machine);
    b.core.state.x[8] = outside;
    b.core.state.x[18] = b.at(1).id() << 20 | data_base; // of a neighbour
    b.core.state.x[5] = 42;
    const std::uint32_t next = addi(8, 8, 64);
    b.put({sw(5, 8), next, sw(5, 8), next, sw(5, 8), next, sw(5, 8), next, sw(5, 8), last});
    b.run();
    const Place place = b.chip.locate(outside + 4 * 64);
    return place.memory->read<std::uint32_t>(place.offset) == 42;
}

TEST_P(RiscvAtomic, FenceAndReleaseWaitForStores) {
    constexpr std::uint32_t release = 1U << 25;
    constexpr std::uint32_t fence_of_reads = 0x0230000f;  // fence r,rw
    constexpr std::uint32_t fence_of_writes = 0x0110000f; // fence w,w
    EXPECT_TRUE(arrived_before_the_end(machine, fence));
    EXPECT_TRUE(arrived_before_the_end(machine, fence_of_writes));
    EXPECT_TRUE(arrived_before_the_end(machine, amoadd(6, 5, 18) | release));
    EXPECT_FALSE(arrived_before_the_end(machine, fence_of_reads));
    EXPECT_FALSE(arrived_before_the_end(machine, amoadd(6, 5, 18)));
}

// Returns the cycles of core 0 of sarc-4 for an instruction that uses x8, the address of a word of core 2.
std::uint64_t cycles_on_sarc(std::initializer_list<std::uint32_t> code) {
    Bench b(find_machine("sarc-4").value());
    b.core.state.x[8] = b.at(2).id() << 20 | data_base;
    b.put(code);
    return b.run();
}

// An access to another core crosses the crossbar, 30 cycles each way.
TEST(RiscvCrossbar, RemoteAccessesTakeOneWayOrTwo) {
    const std::uint64_t alone = cycles_on_sarc({nop});
    EXPECT_EQ(cycles_on_sarc({sw(5, 8)}), alone);
    EXPECT_NEAR(double(cycles_on_sarc({sw(5, 8), fence}) - alone), 31, 2);
    EXPECT_NEAR(double(cycles_on_sarc({lw(5, 8)}) - alone), 61, 2);
    EXPECT_NEAR(double(cycles_on_sarc({amoadd(5, 6, 8)}) - alone), 61, 2);
}

// ---- exceptions and interrupts ----

TEST(RiscvExceptions, StopTheCoreWithoutAHandler) {
    Bench b;
    b.core.state.x[8] = data_base + 2;
    b.put({nop, lw(5, 8)});
    b.run();
    EXPECT_EQ(b.core.stop.kind, StopKind::exception);
    EXPECT_EQ(b.core.stop.address, code_base + 4);
    const std::string text = describe(b.chip, b.ending, {});
    EXPECT_NE(text.find("unaligned load\n"), std::string::npos) << text;
    EXPECT_NE(text.find("lw t0,0(s0)"), std::string::npos) << text;
    EXPECT_NE(text.find("  s0 00008002"), std::string::npos) << text;
}

TEST(RiscvExceptions, EnterTheHandler) {
    Bench b;
    b.core.state.x[8] = data_base + 2;
    b.core.state.x[9] = 0x2000;
    b.put({csrrw(0, mtvec, 9), lw(5, 8)});
    b.put({csrrs(10, mcause, 0), csrrs(11, mepc, 0), csrrs(12, 0x343, 0)}, 0x2000);
    b.run();
    EXPECT_EQ(b.core.state.x[10], 4u);
    EXPECT_EQ(b.core.state.x[11], code_base + 4);
    EXPECT_EQ(b.core.state.x[12], data_base + 2);
}

TEST(RiscvExceptions, ExtensionsThatAMachineLacksAreIllegal) {
    Machine m = riscv_machine();
    m.riscv.extensions = {};
    Bench b(m);
    b.put({0x00007053}); // fadd.s
    b.run();
    EXPECT_EQ(b.core.stop.kind, StopKind::exception);
    Bench with;
    with.put({0x00007053});
    with.run();
    EXPECT_EQ(with.core.stop.kind, StopKind::breakpoint);
}

TEST(RiscvExceptions, MissingAndReadOnlyCsrsAreIllegal) {
    for (const std::uint32_t bits : {csrrw(5, 0x7c0, 6), csrrw(5, mhartid, 6), csrrs(5, 0x180, 0)}) {
        Bench b;
        b.put({bits});
        b.run();
        EXPECT_EQ(b.core.stop.kind, StopKind::exception) << std::hex << bits;
    }
}

// A program's code can lie where a null pointer points. skerry_data_begin says where its data begins.
TEST(RiscvMistakes, NullPointersAreFound) {
    for (const std::uint32_t bits : {lw(5, 8), sw(5, 8), amoadd(5, 6, 8)}) {
        for (const std::uint32_t address : {0x4U, 0x1ffcU, 0x2000U}) {
            Bench b;
            b.core.state.x[8] = address;
            b.core.refuse_data_below(0x2000);
            b.put({bits});
            b.run();
            EXPECT_EQ(b.core.stop.kind, address < 0x2000 ? StopKind::no_memory : StopKind::breakpoint)
                << std::hex << bits;
            if (address < 0x2000) {
                EXPECT_NE(describe(b.chip, b.ending, {}).find("where a program has no data (a null pointer?)"),
                          std::string::npos);
            }
        }
    }
}

TEST(RiscvMistakes, DivisionsByZeroAreFoundInTheProgramsOwnCode) {
    for (const std::uint32_t end : {0U, code_base, code_base + 4}) {
        Bench b;
        b.core.state.x[5] = 7;
        b.core.refuse_divisions_by_zero(end);
        b.put({div(5, 6, 7)});
        b.run();
        EXPECT_EQ(b.core.stop.kind, end > code_base ? StopKind::division : StopKind::breakpoint);
        EXPECT_EQ(b.core.state.x[5], end > code_base ? 7U : 0xffffffff);
        EXPECT_EQ(b.core.state.pc, end > code_base ? code_base : code_base + 4);
    }
}

// A program whose threads have stacks in any memory tells the core the limit of the current one.
TEST(RiscvMistakes, AStackBelowTheRegistersLimitIsFound) {
    for (const std::uint32_t least : {0U, 0x6000U, 0x6001U}) {
        Bench b;
        b.core.state.x[2] = 0x6000;
        b.core.state.x[8] = 0xf0020;
        b.core.state.x[9] = least;
        b.put({sw(9, 8), lw(10, 8), bne(8, 0, 4)});
        b.run();
        EXPECT_EQ(b.core.state.x[10], least);
        EXPECT_EQ(b.core.stop.kind, least > 0x6000 ? StopKind::stack : StopKind::breakpoint);
        if (least > 0x6000) {
            EXPECT_NE(describe(b.chip, b.ending, {}).find("0x6000, 1 bytes below the thread's stack"),
                      std::string::npos);
        }
    }
}

TEST(RiscvInterrupts, AnotherCoreWakesASleeper) {
    Bench b;
    b.core.state.x[9] = 0x2000;
    b.core.state.x[10] = 8; // MSIE, and MIE of MSTATUS
    b.put({csrrw(0, mtvec, 9), csrrw(0, mie, 10), csrrs(0, mstatus, 10), wfi, addi(20, 0, 1)});
    b.put({csrrs(11, mcause, 0), addi(21, 0, 5), csrrw(0, mip, 0), mret}, 0x2000);
    b.at(3).state.x[8] = b.at(0).id() << 20 | 0xf0000; // MSIP of the first core
    b.at(3).state.x[5] = 1;
    b.at(3).state.x[6] = 100;
    b.put({addi(6, 6, -1), bne(6, 0, -4), sw(5, 8)}, code_base, 3);
    b.put({nop}, code_base, 1);
    b.put({nop}, code_base, 2);
    b.run(4);
    EXPECT_EQ(b.core.state.x[11], 0x80000003u);
    EXPECT_EQ(b.core.state.x[21], 5u);
    EXPECT_EQ(b.core.state.x[20], 1u); // it went on behind WFI
    EXPECT_GT(b.core.counters.idle, 100u);
}

TEST(RiscvInterrupts, TheTimerInterrupts) {
    Bench b;
    b.core.state.x[9] = 0x2000;
    b.core.state.x[10] = 0x80; // MTIE
    b.core.state.x[11] = 8;
    b.core.state.x[12] = 500;
    b.core.state.x[8] = 0xf0008;  // MTIMECMP
    b.core.state.x[18] = 0xf000c; // its upper half
    b.put({csrrw(0, mtvec, 9), csrrw(0, mie, 10), sw(12, 8), sw(0, 18), csrrs(0, mstatus, 11), addi(6, 6, 1),
           bne(6, 0, -4)});
    b.put({csrrs(13, mcause, 0), csrrs(14, cycle, 0)}, 0x2000);
    b.run();
    EXPECT_EQ(b.core.state.x[13], 0x80000007u);
    EXPECT_GE(b.core.state.x[14], 500u);
    EXPECT_LE(b.core.state.x[14], 520u);
}

TEST(RiscvCsr, CountersAndNumbers) {
    Bench b;
    for (std::uint32_t k = 0; k < 3; k++) {
        b.put({csrrs(5, mhartid, 0), csrrs(6, instret, 0), csrrs(7, cycle, 0), csrrs(8, cycle, 0)}, code_base, k);
    }
    b.run(3);
    EXPECT_EQ(b.at(2).state.x[5], 2u);
    EXPECT_EQ(b.at(2).state.x[6], 1u);
    EXPECT_EQ(b.at(2).state.x[8] - b.at(2).state.x[7], 1u);
}

// A core reads its own place, and another core reads it too; a write has no effect.
TEST(RiscvRegisters, TheAddressOfTheMemory) {
    Bench b;
    for (std::uint32_t k = 0; k < 6; k++) b.at(k).state.x[8] = 0xf0018;
    b.at(4).state.x[8] += b.at(5).id() << 20;
    for (std::uint32_t k = 0; k < 6; k++) b.put({sw(0, 8), lw(5, 8, 0)}, code_base, k);
    b.run(6);
    EXPECT_EQ(b.at(0).state.x[5], b.at(0).id() << 20);
    EXPECT_EQ(b.at(4).state.x[5], b.at(5).id() << 20);
}

TEST(RiscvDebugger, NumbersOfRegisters) {
    Bench b;
    EXPECT_EQ(b.core.debug_registers().count(), 68u);
    EXPECT_EQ(b.core.debug_registers().pc, 32u);
    EXPECT_TRUE(b.core.write_numbered(10, 0x1234, 0));
    EXPECT_EQ(b.core.state.x[10], 0x1234u);
    EXPECT_TRUE(b.core.write_numbered(33, 0x123456789abcdef0, 0));
    EXPECT_EQ(b.core.read_numbered(33, 0), 0x123456789abcdef0u);
    EXPECT_FALSE(b.core.write_numbered(0, 1, 0));
    EXPECT_FALSE(b.core.read_numbered(68, 0));
    b.core.state.x[2] = 0x100;
    const auto touch = b.core.touch_of(lw(5, 2, 12));
    ASSERT_TRUE(touch.has_value());
    EXPECT_EQ(touch->address, 0x10cu);
    EXPECT_TRUE(touch->reads && !touch->writes && touch->on_stack);
    b.core.state.x[8] = 0x200; // the frame register: only what is below a frame pointer is in the frame
    ASSERT_TRUE(b.core.touch_of(lw(5, 8, -12)).has_value());
    EXPECT_TRUE(b.core.touch_of(lw(5, 8, -12))->on_stack);
    ASSERT_TRUE(b.core.touch_of(lw(5, 8, 12)).has_value());
    EXPECT_FALSE(b.core.touch_of(lw(5, 8, 12))->on_stack);
}

TEST(RiscvPolling, IsFound) {
    Bench b;
    b.core.state.x[8] = 0;
    b.core.state.x[18] = data_base;
    b.put({lw(5, 18), bne(5, 6, -4)});
    b.core.state.x[6] = 1;
    b.chip.start(1, code_base);
    const Ending ending = b.chip.run(100'000'000);
    EXPECT_EQ(ending.kind, EndKind::polling);
    EXPECT_NE(describe(b.chip, ending, {}).find("polls 0x00008000"), std::string::npos);
}

} // namespace
