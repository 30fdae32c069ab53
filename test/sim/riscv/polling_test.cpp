// SPDX-License-Identifier: BSD-3-Clause
// Cores that repeat themselves for ever although they write memory, and cores that only seem to (chip/poll_watch.hpp).
#include <gtest/gtest.h>

#include "machine.hpp"

using namespace skerry::sim;

namespace {

constexpr std::uint64_t long_enough = 40'000'000;
constexpr std::uint32_t xor_of(std::uint32_t rd, std::uint32_t rs1, std::uint32_t rs2) {
    return register_operation(0x00004033, rd, rs1, rs2);
}
constexpr std::uint32_t srli(std::uint32_t rd, std::uint32_t rs1, std::uint32_t bits) {
    return 0x5013 | rd << 7 | rs1 << 15 | bits << 20;
}
constexpr std::uint32_t andi(std::uint32_t rd, std::uint32_t rs1, std::uint32_t value) {
    return 0x7013 | rd << 7 | rs1 << 15 | value << 20;
}

// A search: counts from 0 to 255 in a word of memory, begins again, and polls another word in each step until it is not 0.
// Registers: x8 the counted word, x9 the polled word.
struct Search : Bench {
    void search(std::uint32_t which, std::uint32_t counted, std::uint32_t polled) {
        put({lw(5, 8), addi(5, 5, 1), andi(5, 5, 255), sw(5, 8), addi(5, 0, 0), lw(6, 9), bne(6, 7, -24)}, code_base,
            which);
        at(which).state.x[8] = counted;
        at(which).state.x[9] = polled;
        at(which).state.x[7] = 1;
    }
    EndKind run_all(std::uint32_t cores) {
        chip.start(cores, code_base);
        return chip.run(long_enough).kind;
    }
    std::uint32_t global(std::uint32_t which, std::uint32_t offset) {
        return at(which).id() << 20 | offset;
    }
};

TEST(RiscvSearching, IsFoundInSpiteOfACounterThatBeginsAgain) {
    Search s;
    s.search(0, data_base, data_base + 64);
    EXPECT_EQ(s.run_all(1), EndKind::polling);
}

TEST(RiscvSearching, IsFoundOnManyCoresThatPollOthers) {
    Search s;
    for (std::uint32_t k = 0; k < 16; k++) s.search(k, data_base + 8 * k, s.global((k + 1) % 16, data_base + 512));
    EXPECT_EQ(s.run_all(16), EndKind::polling);
    EXPECT_LT(s.chip.now(), 10'000'000u);
}

// The registers return in each step, but the word does not.
TEST(RiscvSearching, ACounterInMemoryThatGoesOnEnds) {
    Search s;
    s.put({lw(5, 8), addi(5, 5, 1), sw(5, 8), srli(6, 5, 22), addi(5, 0, 0), bne(6, 7, -20)});
    s.core.state.x[8] = data_base;
    s.core.state.x[7] = 1;
    EXPECT_EQ(s.run_all(1), EndKind::stopped);
    EXPECT_EQ(s.core.stop.kind, StopKind::breakpoint);
    EXPECT_EQ(s.word(data_base), 1U << 22);
}

// A core polls a word that another core changes, until it has one of 256 values. The other core returns to the same state again
// and again, and so does this one until it happens to see the value.
TEST(RiscvSearching, AWordThatAnotherCoreReadsIsNotPrivate) {
    for (std::uint32_t delay = 1'000'000; delay < 1'000'400; delay += 40) {
        Search s;
        s.search(0, data_base, data_base + 64);
        s.put({addi(10, 10, -1), bne(10, 0, -4), lw(5, 8), srli(6, 5, 3), bne(5, 7, -8), sw(7, 18)}, code_base, 1);
        s.at(1).state.x[7] = 255;
        s.at(1).state.x[8] = s.global(0, data_base);
        s.at(1).state.x[10] = delay / 3;
        s.at(1).state.x[18] = s.global(0, data_base + 64);
        s.core.state.x[7] = 255;
        EXPECT_EQ(s.run_all(2), EndKind::stopped);
        EXPECT_EQ(s.chip.run(long_enough).kind, EndKind::stopped);
        EXPECT_EQ(s.core.stop.kind, StopKind::breakpoint);
    }
}

// A counter in another core's memory is written by posted stores, so it does not count as private.
TEST(RiscvSearching, AWordOfAnotherCoresMemoryIsNotPrivate) {
    Search s;
    s.search(0, s.global(1, data_base), data_base + 64);
    s.put({nop, bne(6, 0, 0)}, code_base, 1);
    EXPECT_EQ(s.run_all(1), EndKind::max_cycles);
}

// Code that changes itself and changes back.
TEST(RiscvSearching, CodeIsNotPrivate) {
    Search s;
    s.put({lw(5, 8), xor_of(5, 5, 6), sw(5, 8), addi(5, 0, 0), nop, lw(10, 9), bne(10, 7, -24)});
    s.core.state.x[6] = addi(12, 12, 1) ^ nop;
    s.core.state.x[7] = 1;
    s.core.state.x[8] = code_base + 16;
    s.core.state.x[9] = data_base;
    EXPECT_EQ(s.run_all(1), EndKind::max_cycles);
}

// The same search in the memory that the cores of smp-16 share.
TEST(RiscvSearching, IsFoundInSharedMemory) {
    Search s;
    Bench b(find_machine("smp-16").value());
    std::uint32_t to = shared_base;
    for (const std::uint32_t bits :
         {lw(5, 8), addi(5, 5, 1), andi(5, 5, 255), sw(5, 8), addi(5, 0, 0), lw(6, 9), bne(6, 7, -24)}) {
        const Place place = b.chip.locate(std::exchange(to, to + 4));
        place.memory->write(place.offset, bits);
    }
    for (std::uint32_t k = 0; k < 16; k++) {
        b.at(k).state.x[7] = 1;
        b.at(k).state.x[8] = words + 4 * k;
        b.at(k).state.x[9] = words + 1024;
    }
    b.chip.start(16, shared_base);
    EXPECT_EQ(b.chip.run(long_enough).kind, EndKind::polling);
}

// A core counts in a register, so it is no deadlock. A comparison with the snapshot ends although the core issues no instruction
// in two of four cycles, whichever they are.
TEST(RiscvSearching, AComparisonEndsInWhateverCyclesInstructionsAreIssued) {
    for (std::uint32_t nops = 0; nops < 4; nops++) {
        Search s;
        for (std::uint32_t i = 0; i < nops; i++) s.core.memory.write(code_base + 4 * i, nop);
        s.put({addi(5, 5, 1), bne(5, 0, -4)}, code_base + 4 * nops); // 4 cycles
        s.chip.start(1, code_base);
        EXPECT_EQ(s.chip.run(1 << 21).kind, EndKind::max_cycles);
        EXPECT_FALSE(s.chip.poll_watch().on()) << nops << " instructions before the loop";
    }
}

} // namespace
