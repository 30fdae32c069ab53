// SPDX-License-Identifier: BSD-3-Clause
// What cores do to each other over the network, and what lies behind its edge.
#include <gtest/gtest.h>

#include "traffic_fixture.hpp"
#include "chip/describe.hpp"

using namespace skerry::sim;

namespace {

const LinkConfiguration &epiphany_link() {
    static const LinkConfiguration link = find_machine("epiphany-iii")->link;
    return link;
}

TEST(Traffic, AStoreArrivesAndItsCoreDoesNotWait) {
    Crowd c;
    auto &r = c.put(0, "store_one");
    r[1] = c.global(15, data_at);
    r[2] = 0x1234;
    ASSERT_TRUE(c.run(1));
    EXPECT_EQ(c.word(15, data_at), 0x1234u);
    EXPECT_EQ(c.core(0).counters[Stall::network], 0u);
    EXPECT_EQ(c.core(0).counters[Stall::remote_load], 0u);
}

TEST(Traffic, FartherTakesLonger) {
    const auto stalled = [](std::uint32_t to) {
        Crowd c;
        auto &r = c.put(0, "read_sum");
        r[1] = c.global(to, data_at);
        r[5] = 1;
        c.core(to).memory.write<std::uint32_t>(data_at, 77);
        EXPECT_TRUE(c.run(1));
        EXPECT_EQ(r[4], 77u);
        return c.core(0).counters[Stall::remote_load];
    };
    EXPECT_LT(stalled(1), stalled(3));
    EXPECT_LT(stalled(3), stalled(15));
    EXPECT_EQ(stalled(3), stalled(12));
}

// The write mesh is full of others' writes to the same core, which still does not let a read pass.
TEST(Traffic, AReadFindsWhatItsCoreWroteBefore) {
    for (std::uint32_t flooding = 0; flooding < 12; flooding++) {
        Crowd c;
        auto &r = c.put(0, "store_load");
        r[1] = c.global(15, data_at + 0x400);
        r[2] = 0x5a5a0000 + flooding;
        for (std::uint32_t k = 1; k <= flooding; k++) c.put(k, "flood")[1] = c.global(15, data_at);
        c.begin(1 + flooding);
        const Ending ending = c.chip.run(10'000);
        ASSERT_EQ(ending.kind, EndKind::stopped);
        ASSERT_EQ(ending.core, 0u);
        EXPECT_EQ(r[4], r[2]) << flooding;
    }
}

TEST(Traffic, AReadOvertakesWritesWhereTheMachineLetsIt) {
    Machine machine = *find_machine("epiphany-iii");
    machine.network_part.reads_wait_for_writes = false;
    unsigned overtook = 0;
    for (std::uint32_t flooding = 0; flooding < 12; flooding++) {
        Crowd c(machine);
        auto &r = c.put(0, "store_load");
        r[1] = c.global(15, data_at + 0x400);
        r[2] = 0x5a5a0000 + flooding;
        for (std::uint32_t k = 1; k <= flooding; k++) c.put(k, "flood")[1] = c.global(15, data_at);
        c.begin(1 + flooding);
        ASSERT_EQ(c.chip.run(10'000).kind, EndKind::stopped);
        overtook += r[4] != r[2];
    }
    EXPECT_GT(overtook, 0u);
}

TEST(Traffic, AReadFindsWhatItsCoreWroteOutside) {
    Crowd c;
    for (std::uint32_t k = 1; k < 16; k++) c.put(k, "flood")[1] = outside + k * 0x100;
    auto &r = c.put(0, "store_load");
    r[1] = outside;
    r[2] = 0x77;
    c.begin(16);
    ASSERT_EQ(c.chip.run(100'000).kind, EndKind::stopped);
    EXPECT_EQ(r[4], 0x77u);
    EXPECT_GT(c.core(1).counters[Stall::network], 0u);
}

TEST(Traffic, TestsetHappensAtItsTarget) {
    Crowd c;
    for (std::uint32_t k = 0; k < 16; k++) {
        auto &r = c.put(k, "locked_count");
        r[1] = c.global(6, data_at);
        r[2] = c.global(6, data_at + 8);
        r[5] = 10;
    }
    ASSERT_TRUE(c.run(16));
    EXPECT_EQ(c.word(6, data_at + 8), 160u);
    EXPECT_EQ(c.word(6, data_at), 0u);
}

TEST(Traffic, AFullNetworkHoldsCoresUpAndLosesNothing) {
    Crowd c;
    for (std::uint32_t k = 0; k < 15; k++) {
        auto &r = c.put(k, "stream");
        r[1] = c.global(15, data_at + k * 0x200);
        r[2] = 100 + k;
        r[5] = 8;
    }
    c.put(15, "wait_here");
    c.begin(16);
    for (std::uint32_t ended = 0; ended < 15; ended++) ASSERT_EQ(c.chip.run(100'000).kind, EndKind::stopped);
    c.chip.run(c.chip.now() + 1'000);
    std::uint64_t stalled = 0;
    for (std::uint32_t k = 0; k < 15; k++) {
        stalled += c.core(k).counters[Stall::network];
        for (std::uint32_t at = 0; at < 0x200; at += 8) ASSERT_EQ(c.word(15, data_at + k * 0x200 + at), 100 + k);
    }
    EXPECT_GT(stalled, 1000u);
    EXPECT_GE(c.chip.now(), 15u * 64);                     // one a cycle comes in
    EXPECT_EQ(c.core(15).counters[Stall::local_data], 0u); // another bank than its code's
}

// Neither the core nor the network can keep the other away from a bank.
TEST(Traffic, BanksAreShared) {
    const auto cycles = [](std::uint32_t bank) {
        Crowd c;
        for (std::uint32_t k = 1; k < 4; k++) c.put(k, "flood")[1] = c.global(0, bank * 0x2000 + 0x1000);
        auto &r = c.put(0, "stream"); // to its own memory
        r[1] = 0x2100;
        r[5] = 50;
        c.begin(4);
        EXPECT_EQ(c.chip.run(100'000).kind, EndKind::stopped);
        const std::size_t in = c.chip.network().link(Mesh::on_chip_write, 0, Port::local);
        EXPECT_GT(c.chip.network().counters()[in].transactions, c.chip.now() / 3) << bank;
        return c.chip.now();
    };
    const std::uint64_t undisturbed = cycles(3);
    EXPECT_GT(cycles(1), undisturbed + 100); // its data
    EXPECT_LT(cycles(1), undisturbed * 3);
}

// A core that stores as fast as it can does not keep its memory from answering others.
TEST(Traffic, RepliesGetTheirTurn) {
    Crowd c;
    c.put(5, "flood")[1] = c.global(15, data_at);
    for (std::uint32_t k : {0U, 1U, 2U, 3U, 4U}) c.put(k, "wait_here");
    auto &r = c.put(0, "read_sum");
    r[1] = c.global(5, data_at);
    r[5] = 100;
    c.begin(6);
    ASSERT_EQ(c.chip.run(10'000).kind, EndKind::stopped);
    EXPECT_GT(c.core(5).counters[Stall::network], 0u);
}

TEST(Traffic, RegistersAreReachedToo) {
    Crowd c;
    auto &r = c.put(0, "store_load");
    r[1] = c.global(9, general_registers_base + 4 * 33);
    r[2] = 0x99;
    ASSERT_TRUE(c.run(1));
    EXPECT_EQ(c.core(9).state.r[33], 0x99u);
    EXPECT_EQ(r[4], 0x99u);
}

TEST(Traffic, AnInterruptFromAnotherCoreWakes) {
    Crowd c;
    c.put(1, "sleep");
    c.put(1, "store_one", 0x200); // the handler
    c.core(1).memory.write(4 * static_cast<std::uint32_t>(Interrupt::user), (0x200U - 36) / 2 << 8 | 0xe8);
    c.core(1).state.r[1] = data_at;
    c.core(1).state.r[2] = 5;
    auto &r = c.put(0, "store_load");
    r[1] = c.global(1, address_of(SpecialRegister::interrupt_latch_set));
    r[2] = bit_of(Interrupt::user);
    ASSERT_TRUE(c.run(2));
    EXPECT_EQ(c.word(1, data_at), 5u);
}

// A core that waits for the network to take its store takes an interrupt meanwhile, and the store is not lost.
TEST(Traffic, InterruptsDoNotWaitForRoom) {
    Crowd c;
    for (std::uint32_t k = 2; k < 16; k++) c.put(k, "flood")[1] = outside + 0x1000 * k;
    auto &waiting = c.put(1, "stream");
    waiting[1] = outside;
    waiting[5] = 100;
    c.put(1, "count_interrupt", 0x200);
    c.core(1).memory.write(4 * static_cast<std::uint32_t>(Interrupt::user), (0x200U - 36) / 2 << 8 | 0xe8);
    auto &r = c.put(0, "store_load");
    r[1] = c.global(1, address_of(SpecialRegister::interrupt_latch_set));
    r[2] = bit_of(Interrupt::user);
    c.begin(16);
    c.core(1).state.status &= ~status::interrupts_disabled;
    ASSERT_EQ(c.chip.run(20'000).kind, EndKind::stopped);
    EXPECT_EQ(c.core(0).stop.kind, StopKind::breakpoint); // it has read ILATST, behind its write
    c.chip.run(c.chip.now() + 20);
    EXPECT_EQ(waiting[20], 1u);
    EXPECT_EQ(c.core(1).waiting(), Waiting::room);
    EXPECT_LT(waiting[1] - outside, 20u * 8); // long before its stores are through
}

TEST(Traffic, AnAccessToNowhereStopsAtOnce) {
    for (const std::uint32_t where : {0x8080c000U, 0x90000000U, 0x808f0000U - 8, 0x808f0902U}) {
        Crowd c;
        auto &r = c.put(1, "store_load");
        r[1] = where & ~3U;
        c.put(0, "wait_here");
        c.begin(2);
        EXPECT_EQ(c.chip.run(1'000).kind, EndKind::stopped);
        EXPECT_EQ(c.core(1).stop.kind, StopKind::no_memory) << where;
        EXPECT_EQ(c.core(1).stop.address, where & ~3U);
    }
}

// A chip whose core 0 multicasts one word to all cores with an index that is a multiple of 3.
struct Multicast : Crowd {
    static constexpr std::uint32_t group = 0x007;

    explicit Multicast(std::uint32_t offset = data_at) {
        for (std::uint32_t k = 0; k < 16; k++) {
            auto &r = put(k, k == 0 ? "multicast" : "wait_here");
            r[1] = k % 3 == 0 ? group : 0;
            if (k % 3 == 0) join(k);
        }
        auto &r = core(0).state.r;
        r[2] = 0xcafe;
        r[4] = group << 20 | offset;
        r[6] = 3U << 12;
    }
    void join(std::uint32_t k) {
        core(k).write_register(address_of(SpecialRegister::mesh_multicast), 4, group, chip.now());
    }
    std::string why(const Ending &ending) {
        const std::string said = describe(chip, ending, ElfImage{});
        return said.substr(0, said.find('\n'));
    }
};

TEST(Traffic, MulticastReachesTheGroup) {
    Multicast c;
    c.begin(16);
    ASSERT_EQ(c.chip.run(10'000).kind, EndKind::stopped);
    c.chip.run(c.chip.now() + 100);
    for (std::uint32_t k = 0; k < 16; k++) EXPECT_EQ(c.word(k, data_at), k % 3 == 0 ? 0xcafeu : 0u) << k;
}

TEST(Traffic, AMulticastToProtectedMemoryStopsItsCore) {
    Multicast c;
    c.core(6).memory.protect(data_at, 4);
    c.begin(16);
    const Ending ending = c.chip.run(10'000);
    EXPECT_EQ(c.core(0).stop.kind, StopKind::no_memory);
    EXPECT_EQ(c.why(ending),
              "core (32,8) 0x808: store of 4 bytes at 0x00702000, which is code and must not be written");
    c.chip.run(c.chip.now() + 100);
    for (std::uint32_t k = 0; k < 16; k++) EXPECT_EQ(c.word(k, data_at), 0u) << k;
}

TEST(Traffic, AMulticastToProtectedVectorsStopsItsCore) {
    Multicast c(0);
    c.core(6).memory.protect(0, 4);
    c.begin(16);
    EXPECT_EQ(c.why(c.chip.run(10'000)),
              "core (32,8) 0x808: store of 4 bytes at 0x00700000, which is in the table of interrupt vectors "
              "(a null pointer?) and must not be written");
}

TEST(Traffic, AMulticastMayPassProtectedMemory) {
    Multicast c;
    c.core(5).memory.protect(data_at, 4);
    c.begin(16);
    c.chip.run(10'000);
    EXPECT_EQ(c.core(0).stop.kind, StopKind::breakpoint);
    c.chip.run(c.chip.now() + 100);
    for (std::uint32_t k = 0; k < 16; k++) EXPECT_EQ(c.word(k, data_at), k % 3 == 0 ? 0xcafeu : 0u) << k;
}

// Core 14 joins the group while the store travels.
TEST(Traffic, ALateReceiverOfAMulticastIsProtectedToo) {
    Multicast c;
    c.put(0, "wait_here", code_at + 16); // in place of BKPT
    c.core(14).memory.protect(data_at, 4);
    c.begin(16);
    while (c.chip.network().idle()) c.chip.run(c.chip.now() + 1);
    c.join(14);
    const Ending ending = c.chip.run(c.chip.now() + 1000);
    EXPECT_EQ(ending.kind, EndKind::stopped);
    EXPECT_EQ(ending.core, 0u);
    EXPECT_EQ(c.why(ending),
              "core (32,8) 0x808: store of 4 bytes at 0x00702000, which is code and must not be written");
    c.chip.run(c.chip.now() + 100);
    EXPECT_EQ(c.word(14, data_at), 0u);
    EXPECT_EQ(c.word(15, data_at), 0xcafeu);
}

// All cores of a row repeat a multicast that changes no memory, and their number lets a multicast of the first core
// travel for thousands of cycles. The first core's last multicast changes a word.
TEST(Traffic, AMulticastUnderWayIsNoDeadlock) {
    constexpr std::uint32_t cores = 12;
    constexpr std::uint32_t target = Multicast::group << 20 | data_at;
    constexpr std::uint16_t back_to_the_store = 0xfee0; // a branch by -4 bytes
    constexpr std::uint64_t first_look = 1 << 20;       // PollWatch::first_interval
    Machine machine = *find_machine("epiphany-iii");
    machine.rows = 1;
    machine.columns = cores;
    machine.network_part.link_position[static_cast<unsigned>(Port::east)] = 0;
    Crowd c(machine);
    const auto set = [&](std::uint32_t k, SpecialRegister which, std::uint32_t value) {
        c.core(k).write_register(address_of(which), 4, value, c.chip.now());
    };
    c.put(0, "wait_here");
    c.begin(1);
    c.chip.run(first_look - 40'000);
    for (std::uint32_t k = 0; k < cores; k++) {
        c.put(k, "flood")[1] = target;
        c.core(k).memory.write(code_at + 4, back_to_the_store);
        set(k, SpecialRegister::config, 3U << 12);
    }
    set(cores - 1, SpecialRegister::mesh_multicast, Multicast::group);
    c.begin(cores);
    c.chip.run(first_look - 2500);
    c.put(0, "store_one", 0x200);
    c.put(0, "wait_here", 0x204); // in place of BKPT
    c.core(0).state.r[1] = target + 8;
    c.core(0).state.r[2] = 1;
    set(0, SpecialRegister::pc, 0x200);
    c.chip.run(first_look);
    EXPECT_EQ(c.chip.run(first_look + 4000).kind, EndKind::max_cycles);
    EXPECT_EQ(c.word(cores - 1, data_at + 8), 0u); // the multicast has been under way all the time
    c.chip.run(first_look + 10'000);
    EXPECT_EQ(c.word(cores - 1, data_at + 8), 1u);
}

// Real programs to and fro between all cores and external memory: all of them come to an end, everything that was
// written is found again, and twice the same.
TEST(Traffic, RandomTrafficOfAllCoresEnds) {
    std::uint64_t cycles = 0;
    for (unsigned repetition = 0; repetition < 2; repetition++) {
        Crowd c;
        for (std::uint32_t k = 0; k < 16; k++) {
            auto &r = c.put(k, "scatter");
            r[1] = data_at + 16 * k;
            r[5] = 400;
            r[7] = 32U << 26;
            r[8] = 8U << 20;
            r[9] = outside;
            r[10] = 12345 + 77 * k;
        }
        ASSERT_TRUE(c.run(16));
        for (std::uint32_t k = 0; k < 16; k++) EXPECT_EQ(c.core(k).state.r[11], 0u) << k;
        if (repetition != 0) {
            EXPECT_EQ(c.chip.now(), cycles);
        }
        cycles = c.chip.now();
    }
}

TEST(Traffic, ThousandCoresToo) {
    Crowd c(*find_machine("epiphany-1024"));
    for (std::uint32_t k = 0; k < 1024; k++) {
        auto &r = c.put(k, "stream");
        r[1] = c.global((k * 421 + 17) % 1024, data_at);
        r[2] = k;
        r[5] = 2;
    }
    ASSERT_TRUE(c.run(1024));
    for (std::uint32_t k = 0; k < 1024; k++) EXPECT_EQ(c.word((k * 421 + 17) % 1024, data_at + 0x78), k);
}

// ---- off the chip ----

TEST(OffChip, ALoneReadTakesTheWholeWay) {
    Crowd c;
    auto &r = c.put(11, "read_sum");
    for (std::uint32_t k = 0; k < 11; k++) c.put(k, "store_one")[1] = data_at;
    r[1] = outside + 8;
    r[5] = 1;
    const Place place = c.chip.locate(outside + 8);
    place.memory->write<std::uint32_t>(place.offset, 4711);
    ASSERT_TRUE(c.run(12));
    EXPECT_EQ(r[4], 4711u);
    const std::uint64_t stalled = c.core(11).counters[Stall::remote_load];
    EXPECT_GE(stalled, epiphany_link().outward_cycles + epiphany_link().memory_cycles);
    EXPECT_LE(stalled, epiphany_link().outward_cycles + epiphany_link().memory_cycles + 25); // beside the link
}

TEST(OffChip, WritesBurstUnlessTheyAreMixed) {
    const auto cycles = [](std::uint32_t cores) {
        Crowd c;
        for (std::uint32_t k = 0; k < cores; k++) {
            auto &r = c.put(k, "stream");
            r[1] = outside + 0x1000 * k;
            r[2] = k;
            r[5] = 16;
        }
        EXPECT_TRUE(c.run(cores));
        EXPECT_EQ(c.chip.link().statistics().writes, 128u * cores);
        for (std::uint32_t k = 0; k < cores; k++) EXPECT_EQ(c.outside_word(0x1000 * k + 0x3f8), k);
        return c.chip.now();
    };
    const std::uint64_t alone = cycles(1);
    EXPECT_NEAR(static_cast<double>(alone), 128.0 * epiphany_link().burst_cycles, 40);
    EXPECT_GT(cycles(2), 2 * 128 * (epiphany_link().outward_cycles - 1));
}

TEST(OffChip, TheFirstWritesAreFast) {
    Crowd c;
    auto &r = c.put(0, "stream");
    r[1] = outside;
    r[5] = 1;
    ASSERT_TRUE(c.run(1));
    EXPECT_LT(c.core(0).counters[Stall::network], 2 * epiphany_link().burst_cycles); // of the eight
}

// Shares by place in the mesh come from the arbiters alone: four rows meet in the last column.
TEST(OffChip, ReadersFarFromTheLinkGetLess) {
    Crowd c;
    std::vector<Readers> readers;
    readers.reserve(16);
    for (std::uint32_t k = 0; k < 16; k++) readers.emplace_back(c.chip, k, outside + 64 * k, 9);
    c.put(0, "wait_here");
    c.begin(1);
    for (std::uint64_t cycle = 0; cycle < 60'000; cycle++) {
        c.chip.run(cycle + 1);
        for (Readers &reader : readers) reader.offer(c.chip.now());
    }
    std::uint64_t all = 0;
    for (const Readers &reader : readers) all += reader.replies;
    EXPECT_NEAR(static_cast<double>(all), 60'000.0 / epiphany_link().inward_cycles, 40);
    const auto share = [&](std::uint32_t k) {
        return static_cast<double>(readers[k].replies) / static_cast<double>(all);
    };
    EXPECT_GT(share(11), 0.2); // beside the link
    EXPECT_LT(share(8), share(11) / 3);
    EXPECT_LT(share(0), share(3));
    for (std::uint32_t k = 0; k < 16; k++) EXPECT_GT(readers[k].replies, 10u) << k;
}

} // namespace
