// SPDX-License-Identifier: BSD-3-Clause
// Clusters, whose cores share a memory that no other cluster sees, and the instruction cache of their cores.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <vector>

#include "machine.hpp"

using namespace skerry::sim;

namespace {

// Returns four clusters of four cores each, the last of which is a manager. Keys of `more` are added.
Machine clusters(const std::string &more = "") {
    Machine m;
    EXPECT_EQ(parse_machine("name = \"clusters\"\nbased_on = \"smp-16\"\n"
                            "[cluster]\ncores = 4\nmanager_cores = 1\n" +
                                more,
                            "clusters.toml", m),
              "");
    return m;
}

struct Clusters : Bench {
    explicit Clusters(const std::string &more = "") : Bench(clusters(more)) {
    }
    // Writes code, and an EBREAK behind it, to the same address of each cluster's memory.
    void put_everywhere(const std::vector<std::uint32_t> &code) {
        for (std::uint32_t k = 0; k < 16; k += 4) {
            std::uint32_t to = shared_base;
            for (const std::uint32_t bits : code) set(k, std::exchange(to, to + 4), bits);
            set(k, to, ebreak);
        }
    }
    void set(std::uint32_t index, std::uint32_t address, std::uint32_t value) {
        const std::array<std::uint8_t, 4> bytes = {
            static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8),
            static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 24)};
        EXPECT_TRUE(chip.write(at(index), address, bytes));
    }
    std::uint32_t get(std::uint32_t index, std::uint32_t address) {
        std::array<std::uint8_t, 4> bytes{};
        EXPECT_TRUE(chip.read(at(index), address, bytes));
        return bytes[0] | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 | std::uint32_t{bytes[3]} << 24;
    }
    // Runs the first `cores` cores of the job until each has stopped. Returns the cycles of the first.
    std::uint64_t go(std::uint32_t cores) {
        chip.start(cores, shared_base);
        for (std::uint32_t k = 0; k < cores; k++) {
            while (at(chip.members()[k]).active()) ending = chip.run(10'000'000);
        }
        return core.counters.cycles();
    }
    // Runs `count` instructions without effect, `rounds` times. Returns the cycles for which the first core waited for
    // code.
    std::uint64_t missed(std::uint32_t count, std::uint32_t rounds, std::uint32_t cores = 1) {
        std::vector<std::uint32_t> code(count, nop);
        code.push_back(addi(6, 6, -1));
        code.push_back(bne(6, 0, -4 * static_cast<std::int32_t>(count + 1)));
        put_everywhere(code);
        for (std::uint32_t k = 0; k < cores; k++) at(k).state.x[6] = rounds;
        go(cores);
        return core.counters[Stall::remote_fetch];
    }
};

TEST(RiscvClusters, AJobUsesNoManagers) {
    const Clusters s;
    EXPECT_EQ(s.chip.members(), (std::vector<std::uint32_t>{0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14}));
}

TEST(RiscvClusters, EachHasItsOwnMemoryAtTheSameAddress) {
    Clusters s;
    s.put_everywhere({amoadd(7, 5, 8), addi(6, 6, -1), bne(6, 0, -8)});
    for (std::uint32_t k = 0; k < 16; k++) {
        s.at(k).state.x[5] = k;
        s.at(k).state.x[6] = 10;
        s.at(k).state.x[8] = words;
    }
    s.go(12);
    for (std::uint32_t k = 0; k < 16; k += 4) EXPECT_EQ(s.get(k, words), 10 * (3 * k + 3)) << k;
}

TEST(RiscvClusters, BanksOfAnotherClusterAreFree) {
    Clusters s;
    s.put_everywhere({sw(5, 8), sw(5, 8), sw(5, 8)});
    for (std::uint32_t k = 0; k < 16; k++) s.at(k).state.x[8] = words;
    s.chip.place({0, 4, 8, 12});
    s.go(4);
    for (std::uint32_t k = 0; k < 16; k += 4) EXPECT_EQ(s.at(k).counters[Stall::local_data], 0u) << k;
}

TEST(RiscvClusters, AMemoryHasAnAddressThatNoOtherClusterHas) {
    constexpr std::uint32_t global = 0xa0000000;
    Clusters s("global_address = 0xa0000000\n");
    const std::uint32_t bytes = s.chip.machine().shared.size;
    s.put_everywhere({amoadd(7, 5, 8), amoadd(7, 5, 9)});
    for (std::uint32_t k = 0; k < 16; k += 4) {
        s.at(k).state.x[5] = k + 1;
        s.at(k).state.x[8] = words;
        s.at(k).state.x[9] = global + k / 4 * bytes + words - shared_base;
    }
    s.at(12).state.x[9] -= bytes; // the address of the cluster before
    s.chip.place({0, 4, 8, 12});
    s.go(4);
    for (std::uint32_t k = 0; k < 12; k += 4) {
        EXPECT_EQ(s.get(k, words), 2 * (k + 1)) << k;
        EXPECT_EQ(s.get(k, s.at(k).state.x[9]), 2 * (k + 1)) << k;
    }
    EXPECT_EQ(s.get(12, words), 13u);
    EXPECT_EQ(s.at(12).stop.kind, StopKind::no_memory);
}

TEST(RiscvClusters, ACoreWakesACoreOfAnotherCluster) {
    Clusters s;
    s.put_everywhere({sw(5, 8), csrrs(0, 0x304, 6), wfi}); // 0x304 is MIE
    s.chip.place({0, 4});
    for (const std::uint32_t k : {0U, 4U}) {
        s.at(k).state.x[5] = 1;
        s.at(k).state.x[6] = 1 << 3;
        s.at(k).state.x[8] = (s.at(4 - k).id() << 20) + 0xf0000; // the register MSIP of the other core
    }
    s.go(2); // does not end if a core is not woken
    EXPECT_EQ(s.ending.kind, EndKind::stopped);
}

// -- the instruction cache --------------------------------------------------------------------------------------------

const std::string cache = "[instruction_cache]\nsize_bytes = 256\nline_bytes = 32\nways = 2\nmiss_cycles = 3\n";
constexpr std::uint32_t miss = 32 / 8 + 3; // cycles of a miss while no other core uses the banks

TEST(RiscvInstructionCache, WithoutOneAFetchTakesNoTime) {
    EXPECT_EQ(Clusters().missed(100, 3), 0u);
}

TEST(RiscvInstructionCache, EachLineIsReadOnce) {
    EXPECT_EQ(Clusters(cache).missed(13, 1), 2 * miss); // with ADDI, BNE and EBREAK two lines of 8 instructions
    EXPECT_EQ(Clusters(cache).missed(13, 50), 2 * miss);
    EXPECT_EQ(Clusters(cache).missed(61, 50), 8 * miss); // the whole cache
}

// The code has one line more than the cache. This line and two others share a set of two lines, of which each use
// replaces the one that is needed next.
TEST(RiscvInstructionCache, TheLineThatWasNotUsedLongestIsReplaced) {
    EXPECT_EQ(Clusters(cache).missed(69, 1), 9 * miss);
    EXPECT_EQ(Clusters(cache).missed(69, 11), (9 + 10 * 3) * miss);
}

TEST(RiscvInstructionCache, MissesTakeTurnsAtTheBanks) {
    // Three cores begin at the same bank; each reads the line's double words one behind the other.
    const std::uint64_t together = Clusters(cache).missed(5, 1, 3);
    EXPECT_EQ(together, miss);
    Clusters s(cache);
    s.missed(5, 1, 3);
    EXPECT_EQ(s.at(1).counters[Stall::remote_fetch], miss + 1);
    EXPECT_EQ(s.at(2).counters[Stall::remote_fetch], miss + 2);
}

TEST(RiscvInstructionCache, CodeThatChangesIsSeen) {
    Clusters s(cache);
    s.put_everywhere({sw(5, 8), nop, nop, addi(7, 7, 1)});
    s.at(0).state.x[5] = addi(7, 7, 64);
    s.at(0).state.x[8] = shared_base + 12;
    s.go(1);
    EXPECT_EQ(s.at(0).state.x[7], 64u);
}

} // namespace
