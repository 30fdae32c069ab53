// SPDX-License-Identifier: BSD-3-Clause
// The memory that all cores of smp-16 share: results, cycles, and turns.
#include <gtest/gtest.h>

#include <algorithm>

#include "chip/describe.hpp"
#include "machine.hpp"

using namespace skerry::sim;

namespace {

struct Smp : Bench {
    Smp() : Bench(find_machine("smp-16").value()) {
    }
    void put_shared(std::initializer_list<std::uint32_t> code) {
        std::uint32_t to = shared_base;
        for (const std::uint32_t bits : code) write(std::exchange(to, to + 4), bits);
        write(to, ebreak);
    }
    void write(std::uint32_t address, std::uint32_t value) {
        const Place place = chip.locate(address);
        place.memory->write(place.offset, value);
    }
    std::uint32_t read(std::uint32_t address) {
        const Place place = chip.locate(address);
        return place.memory->read<std::uint32_t>(place.offset);
    }
    void go(std::uint32_t cores) {
        chip.start(cores, shared_base);
        for (std::uint32_t k = 0; k < cores; k++) {
            while (at(k).active()) ending = chip.run(10'000'000);
        }
    }
};

TEST(RiscvShared, AllCoresRunOneProgramAndCountInOneWord) {
    Smp s;
    s.put_shared({amoadd(7, 5, 8), addi(6, 6, -1), bne(6, 0, -8)});
    for (std::uint32_t k = 0; k < 16; k++) {
        s.at(k).state.x[5] = k;
        s.at(k).state.x[6] = 100;
        s.at(k).state.x[8] = words;
    }
    s.go(16);
    EXPECT_EQ(s.read(words), 100u * (15 * 16 / 2));
}

TEST(RiscvShared, WaitingCoresTakeTurns) {
    Smp s;
    s.put_shared({amoadd(7, 5, 8), addi(6, 6, -1), bne(6, 0, -8)});
    for (std::uint32_t k = 0; k < 16; k++) {
        s.at(k).state.x[6] = 500;
        s.at(k).state.x[8] = words;
    }
    s.go(16);
    std::vector<std::uint64_t> cycles;
    for (std::uint32_t k = 0; k < 16; k++) cycles.push_back(s.at(k).counters.cycles());
    const auto [least, most] = std::ranges::minmax(cycles);
    EXPECT_LT(most, least + least / 10) << least;
    EXPECT_GE(most, 16u * 500); // one bank, one access a cycle
}

TEST(RiscvShared, StoresAreSeenByOthersAtOnce) {
    Smp s;
    s.put_shared({sw(5, 8), lw(6, 18), bne(6, 7, -4)}); // each tells the other and waits for it
    s.at(0).state.x[8] = s.at(1).state.x[18] = words;
    s.at(1).state.x[8] = s.at(0).state.x[18] = words + 64;
    s.at(0).state.x[5] = s.at(1).state.x[7] = 11;
    s.at(1).state.x[5] = s.at(0).state.x[7] = 22;
    s.go(2);
    EXPECT_EQ(s.read(words), 11u);
    EXPECT_EQ(s.read(words + 64), 22u);
    EXPECT_LT(s.at(0).counters.cycles(), 40u);
}

TEST(RiscvShared, ALoadTakesTheExtraCycles) {
    Smp s;
    s.put_shared({lw(5, 8), lw(5, 8), sw(5, 8)});
    s.at(0).state.x[8] = words;
    s.go(1);
    EXPECT_EQ(s.at(0).counters[Stall::remote_load], 2u * s.chip.machine().shared.extra_cycles);
}

TEST(RiscvShared, OtherBanksAreFree) {
    Smp s;
    s.put_shared({sw(5, 8), sw(5, 8), sw(5, 8), sw(5, 8)});
    for (std::uint32_t k = 0; k < 2; k++) s.at(k).state.x[8] = words + 8 * k;
    s.go(2);
    EXPECT_EQ(s.at(1).counters[Stall::local_data], 0u);
    Smp same;
    same.put_shared({sw(5, 8), sw(5, 8), sw(5, 8), sw(5, 8)});
    for (std::uint32_t k = 0; k < 2; k++) same.at(k).state.x[8] = words + 128;
    same.go(2);
    EXPECT_GT(same.at(0).counters[Stall::local_data] + same.at(1).counters[Stall::local_data], 0u);
}

// -- the memory of mutexes of sarc-4 ----------------------------------------------------------------------------------

// Lets `cores` cores add 1 to a word 100 times. Returns the cycles of the slowest core.
std::uint64_t add_to_mutexes(std::uint32_t cores) {
    Bench s(find_machine("sarc-4").value());
    const std::uint32_t word = s.chip.machine().mutexes.base;
    for (std::uint32_t k = 0; k < cores; k++) {
        s.at(k).state.x[5] = 1;
        s.at(k).state.x[6] = 100;
        s.at(k).state.x[8] = word;
        s.put({amoadd(7, 5, 8), addi(6, 6, -1), bne(6, 0, -8)}, code_base, k);
    }
    s.run(cores);
    EXPECT_EQ(s.chip.locate(word).memory->read<std::uint32_t>(0), 100 * cores);
    std::uint64_t most = 0;
    for (std::uint32_t k = 0; k < cores; k++) most = std::max(most, s.at(k).counters.cycles());
    return most;
}

TEST(RiscvMutexes, OneAccessIsServedAtATime) {
    const SharedMemoryConfiguration mutexes = find_machine("sarc-4").value().mutexes;
    const std::uint64_t alone = add_to_mutexes(1), together = add_to_mutexes(4);
    EXPECT_GE(alone, 100u * mutexes.extra_cycles);
    EXPECT_LT(alone, 100u * (mutexes.extra_cycles + 10));
    EXPECT_GE(together, 400u * mutexes.service);
    EXPECT_LT(together, 400u * mutexes.service + alone);
}

TEST(RiscvMutexes, AStoreWaitsOnlyForTheServer) {
    Bench s(find_machine("sarc-4").value());
    const SharedMemoryConfiguration &mutexes = s.chip.machine().mutexes;
    s.core.state.x[8] = mutexes.base;
    s.put({sw(8, 8), sw(8, 8), sw(8, 8)});
    EXPECT_NEAR(static_cast<double>(s.run()), 2.0 * mutexes.service, 4);
}

TEST(RiscvShared, AnAccessBehindItsEndIsReported) {
    Smp s;
    s.put_shared({lw(5, 8)});
    s.at(0).state.x[8] = shared_base + s.chip.machine().shared.size;
    s.chip.start(1, shared_base);
    const std::string text = describe(s.chip, s.chip.run(1000), {});
    EXPECT_NE(text.find("load of 4 bytes at 0x44000000, where no memory is"), std::string::npos) << text;
}

} // namespace
