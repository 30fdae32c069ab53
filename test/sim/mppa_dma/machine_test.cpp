// SPDX-License-Identifier: BSD-3-Clause
// Programs of simulated cores that use their DMA unit, on the machine mppa: the cycles of software and hardware together.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

#include "chip/describe.hpp"
#include "mppa_dma/registers.hpp"
#include "programs.hpp"
#include "riscv/machine.hpp"

using namespace skerry::sim;

namespace mppa_machine { // the tests are compiled as one file
namespace {

constexpr std::uint32_t cluster_cores = 17;
constexpr std::uint32_t lists = shared_base + 0x8000; // of stores that cores execute first
constexpr std::uint32_t source = shared_base + 0x10000;
constexpr std::uint32_t target = shared_base + 0x80000;
constexpr std::uint32_t tag = 7, local_tag = 9, header = 3; // of node 1, of node 0, and of node 0 to the former

constexpr std::uint32_t address_of(std::uint32_t offset) {
    return mppa::registers_base + offset;
}
constexpr std::uint32_t tag_at(std::uint32_t number, std::uint32_t word) {
    return address_of(mppa::tags_base + number * mppa::tag_bytes + word);
}
constexpr std::uint32_t beq(std::uint32_t rs1, std::uint32_t rs2, std::int32_t distance) {
    return bne(rs1, rs2, distance) & ~0x1000U;
}
// A store of rs2 with a displacement from 0 to 2047.
constexpr std::uint32_t sw_at(std::uint32_t rs2, std::uint32_t rs1, std::uint32_t displacement) {
    return sw(rs2, rs1) | (displacement & 0x1f) << 7 | displacement >> 5 << 25;
}

constexpr std::uint32_t sltu(std::uint32_t rd, std::uint32_t rs1, std::uint32_t rs2) {
    return register_operation(0x3033, rd, rs1, rs2);
}
constexpr std::uint32_t read_cycle(std::uint32_t rd) {
    return csrrs(rd, 0xc00, 0);
}

struct Store {
    std::uint32_t address, value;
};

// Core 0 of cluster 0 and core 0 of cluster 1, whose routers are neighbours. Each first executes a list of stores, which
// sets up its unit, and then its code.
struct Mppa : Bench {
    Mppa() : Bench(find_machine("mppa").value()) {
        chip.place({0, cluster_cores});
        fill();
        setup[0] = {{address_of(mppa::headers_base + header * mppa::header_bytes + mppa::header_route), route_east},
                    {address_of(mppa::headers_base + header * mppa::header_bytes + mppa::header_target),
                     mppa::header_valid | tag},
                    {tag_at(local_tag, mppa::tag_address), target},
                    {tag_at(local_tag, mppa::tag_size), 8}};
        std::uint32_t place = address_of(mppa::program_base);
        for (const mppa::MicroInstruction &i : programs::linear) {
            const std::uint64_t bits = mppa::encode(i);
            setup[0].push_back({place, static_cast<std::uint32_t>(bits)});
            setup[0].push_back({place + 4, static_cast<std::uint32_t>(bits >> 32)});
            place += 8;
        }
        setup[1] = {{tag_at(tag, mppa::tag_address), target}, {tag_at(tag, mppa::tag_size), 0x80000}};
    }
    // Sets what a core executes: its list, then `code`.
    void program(std::uint32_t which, const std::vector<std::uint32_t> &code) {
        // x20: the list, which ends with address 0. Then the core waits for cycle x21, when the other one has done its list.
        std::vector<std::uint32_t> all = {lw(22, 20, 0),  beq(22, 0, 20),   lw(23, 20, 4),
                                          sw(23, 22),     addi(20, 20, 8),  beq(0, 0, -20),
                                          read_cycle(22), sltu(23, 22, 21), bne(23, 0, -8)};
        all.insert(all.end(), code.begin(), code.end());
        all.push_back(ebreak);
        std::uint32_t to = shared_base;
        for (const std::uint32_t bits : all) write(which, std::exchange(to, to + 4), bits);
        std::uint32_t list = lists;
        for (const Store &s : setup[which]) {
            write(which, list, s.address);
            write(which, list + 4, s.value);
            list += 8;
        }
        write(which, list, 0);
        RiscvCore &c = on(which);
        c.state.x[20] = lists;
        c.state.x[21] = 20'000;
    }
    RiscvCore &on(std::uint32_t which) {
        return Bench::at(which * cluster_cores);
    }
    void write(std::uint32_t which, std::uint32_t address, std::uint32_t value) {
        std::array<std::uint8_t, 4> bytes{};
        std::memcpy(bytes.data(), &value, 4);
        EXPECT_TRUE(chip.write(on(which), address, bytes));
    }
    std::vector<std::uint8_t> bytes(std::uint32_t which, std::uint32_t address, std::uint32_t count) {
        std::vector<std::uint8_t> all(count);
        EXPECT_TRUE(chip.read(on(which), address, all));
        return all;
    }
    void fill() {
        std::vector<std::uint8_t> all(0x40000);
        for (std::uint32_t k = 0; k < all.size(); k++) all[k] = static_cast<std::uint8_t>(k * 7 + (k >> 8) + 1);
        EXPECT_TRUE(chip.write(on(0), source, all));
    }
    // Runs both cores. Returns false if the run did not end with both at their EBREAKs.
    bool go() {
        chip.start(2, shared_base);
        do ending = chip.run(10'000'000);
        while (ending.kind == EndKind::stopped && (on(0).active() || on(1).active()));
        return on(0).stop.kind == StopKind::breakpoint && on(1).stop.kind == StopKind::breakpoint;
    }
    // Returns the cycles from the time that core 0 has read into x24 to the one of core 1.
    std::uint32_t cycles() {
        return on(1).state.x[24] - on(0).state.x[24];
    }
    // Sets x5 to x9, the parameters of the program `linear`, and x10 to x12.
    void set_put(std::uint32_t count) {
        auto &x = on(0).state.x;
        x[5] = source;
        x[6] = count / 8;
        x[7] = count % 8;
        x[8] = 0;
        x[9] = local_tag;
        x[10] = address_of(mppa::parameters_base);
        x[11] = address_of(mppa::micro_start + 4 * mppa::any_micro_core);
        x[12] = header << mppa::start_header_shift;
    }
    std::vector<Store> setup[2];
    static constexpr std::uint32_t route_east = static_cast<std::uint32_t>(dnoc::Direction::east);
};

// Starts a put by a micro-core, and reads the cycle at the store that starts it.
const std::vector<std::uint32_t> start_put = {sw_at(5, 10, 0),  sw_at(6, 10, 4), sw_at(7, 10, 8), sw_at(8, 10, 12),
                                              sw_at(9, 10, 16), read_cycle(24),  sw(12, 11)};
// Waits until the word at x13 is not 0, and reads the cycle.
const std::vector<std::uint32_t> poll = {lw(7, 13), beq(7, 0, -4), read_cycle(24)};

std::uint32_t cycles_of_put(std::uint32_t count) {
    Mppa m;
    m.set_put(count);
    m.program(0, start_put);
    m.program(1, poll);
    m.on(1).state.x[13] = tag_at(tag, mppa::tag_transfers);
    EXPECT_TRUE(m.go()) << m.chip.nodes().failure();
    EXPECT_EQ(m.bytes(1, target, count), m.bytes(0, source, count));
    EXPECT_EQ(m.bytes(1, target + count, 1)[0], 0);
    return m.cycles();
}

// 100 cycles of hardware (Hascoet et al. 2017), and the time until a core that polls the counter has seen it.
TEST(MppaMachine, APutByAMicroCore) {
    EXPECT_NEAR(cycles_of_put(8), 100, 20);
    EXPECT_NEAR(cycles_of_put(1000), 100 + 1000 / 3.76, 60);
}

TEST(MppaMachine, TheSlopeIs376BytesACycle) {
    const double small = cycles_of_put(4096), large = cycles_of_put(65536);
    EXPECT_NEAR((65536 - 4096) / (large - small), 3.76, 0.0376);
    EXPECT_LE(large, 100 + 65536 / 3.76 + 100);
}

// 8 bytes in two stores. The other core polls them in its memory.
TEST(MppaMachine, APacketOfACore) {
    Mppa m;
    auto &x = m.on(0).state.x;
    x[5] = 0x1234;
    x[6] = 0x5678;
    x[10] = address_of(mppa::push_base);
    x[11] = address_of(mppa::send_base + header * mppa::send_stride);
    m.program(0, {read_cycle(24), sw_at(5, 10, 0), sw_at(6, 11, 4)});
    m.program(1, poll);
    m.on(1).state.x[13] = target;
    ASSERT_TRUE(m.go()) << m.chip.nodes().failure();
    EXPECT_EQ(m.bytes(1, target, 8), (std::vector<std::uint8_t>{0x34, 0x12, 0, 0, 0x78, 0x56, 0, 0}));
    EXPECT_LE(m.cycles(), 45u);
}

// Packets one after the other: the shaper sends 8 bytes in 4 cycles, and a core that is faster waits.
TEST(MppaMachine, ACoreSendsManyPackets) {
    Mppa m;
    auto &x = m.on(0).state.x;
    x[6] = 200;
    x[10] = address_of(mppa::push_base);
    x[11] = address_of(mppa::send_end_base + header * mppa::send_stride);
    x[13] = address_of(mppa::push_offset);
    m.program(0, {sw(8, 13), sw_at(6, 10, 0), sw_at(6, 11, 4), addi(8, 8, 8), addi(6, 6, -1), bne(6, 0, -20)});
    m.program(1, {lw(7, 13), bne(7, 14, -4), read_cycle(24)});
    m.on(1).state.x[13] = tag_at(tag, mppa::tag_transfers);
    m.on(1).state.x[14] = 200;
    ASSERT_TRUE(m.go()) << m.chip.nodes().failure();
    const std::vector<std::uint8_t> all = m.bytes(1, target, 1600);
    for (std::uint32_t k = 0; k < 200; k++) {
        EXPECT_EQ(all[8 * k], 200 - k) << k;
        EXPECT_EQ(all[8 * k + 4], 200 - k) << k;
    }
}

// A core sleeps until three transfers have arrived.
TEST(MppaMachine, TheEventWakesACore) {
    Mppa m;
    m.setup[1].insert(m.setup[1].end(), {{tag_at(tag, mppa::tag_remaining), 3}, {tag_at(tag, mppa::tag_notify), 1}});
    m.set_put(4096);
    std::vector<std::uint32_t> three = start_put;
    three.push_back(sw(12, 11));
    three.push_back(sw(12, 11));
    m.program(0, three);
    m.program(1, {csrrw(0, 0x304, 25), wfi, read_cycle(24), lw(7, 13)});
    m.on(1).state.x[13] = tag_at(tag, mppa::tag_transfers);
    m.on(1).state.x[25] = 1U << 16; // the interrupt by a message
    ASSERT_TRUE(m.go()) << m.chip.nodes().failure();
    EXPECT_EQ(m.on(1).state.x[7], 3u);
    EXPECT_NEAR(m.cycles(), 3 * 4096 / 3.76, 150);
    EXPECT_GE(m.on(1).counters.idle, 3000u);
}

TEST(MppaMachine, AMistakeEndsTheRun) {
    Mppa m;
    m.setup[1].clear();
    m.set_put(8);
    m.program(0, start_put);
    m.program(1, poll);
    m.on(1).state.x[13] = target;
    EXPECT_FALSE(m.go());
    EXPECT_EQ(m.ending.kind, EndKind::nodes);
    EXPECT_EQ(m.chip.nodes().failure(), "node 1, DMA: a packet from node 0 arrived for Rx tag 7, which nobody owns");
}

} // namespace
} // namespace mppa_machine
