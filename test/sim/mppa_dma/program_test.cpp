// SPDX-License-Identifier: BSD-3-Clause
// Programs of micro-cores: five as users would write them, wrong ones, and a ledger of random jobs and packets.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "programs.hpp"
#include "wire.hpp"

using namespace skerry::sim;

namespace {

using mppa::Action;
using mppa::Change;
using mppa::Count;
using mppa::MicroInstruction;

constexpr std::uint32_t base = DmaWire::memory_base;
constexpr std::uint32_t window = 0x80000; // bytes, at `base` of each node, for tag 7
constexpr std::uint32_t source = base + 0x80000;
constexpr std::uint32_t local_tag = 9;

// Nodes whose header k leads to tag 7 of node k.
struct Nodes : DmaWire {
    explicit Nodes(std::uint32_t nodes = 2, const MppaDmaConfiguration &configuration = {})
        : DmaWire(nodes, configuration) {
        for (std::uint32_t node = 0; node < nodes; node++) {
            for (std::uint32_t k = 0; k < nodes; k++) header(node, k, k, 7);
            tag(node, 7, base, window);
            tag(node, local_tag, base, 8);
            for (std::uint32_t k = 0; k < window; k++) memory(node, source)[k] = value_of(node, k);
        }
    }
    static std::uint8_t value_of(std::uint32_t node, std::uint32_t k) {
        return static_cast<std::uint8_t>(k * 7 + (k >> 8) * 13 + node * 101 + 1);
    }
    // Returns true if bytes of a window are those of node 0's source.
    bool has(std::uint32_t node, std::uint32_t offset, std::uint32_t from, std::uint32_t bytes) {
        return std::memcmp(memory(node, base + offset), memory(0, source + from), bytes) == 0;
    }
    std::uint32_t count_not_zero(std::uint32_t node) {
        return static_cast<std::uint32_t>(window - std::count(memory(node), memory(node) + window, 0));
    }
};

constexpr std::uint32_t low = 8; // the first bytes of the window belong to no test

// -- programs ---------------------------------------------------------------------------------------------------------

TEST(MicroPrograms, LinearSendsAnyBytes) {
    for (const std::uint32_t bytes : {0U, 1U, 8U, 15U, 128U, 129U, 1000U, 65536U}) {
        for (const std::uint32_t shift : {0U, 3U}) {
            Nodes n;
            n.program(0, 0, programs::linear);
            ASSERT_EQ(n.start(0, 0, 1, {source + shift, bytes / 8, bytes % 8, low + 5, local_tag}), Access::done);
            ASSERT_TRUE(n.drain());
            ASSERT_TRUE(n.faults.empty()) << n.faults[0];
            EXPECT_TRUE(n.has(1, low + 5, shift, bytes));
            EXPECT_EQ(*n.memory(1, base + low + 4), 0);
            EXPECT_EQ(*n.memory(1, base + low + 5 + bytes), 0);
            EXPECT_EQ(n.transfers(1, 7), 1u);
            EXPECT_EQ(n.transfers(0, local_tag), 1u);
            EXPECT_EQ(n.sent.size(), std::max(1U, (bytes + 127) / 128));
        }
    }
}

// A core that sees the count may send a packet that must arrive behind those of the job.
TEST(MicroPrograms, ALocalCountComesBehindThePacketsThatWaitForTheirShaper) {
    Nodes n;
    n.store(0, mppa::shapers_base + mppa::shaper_rate, 64);
    n.store(0, mppa::shapers_base + mppa::shaper_burst, 34);
    n.program(0, 0, programs::linear);
    ASSERT_EQ(n.start(0, 0, 1, {source, 256 / 8, 0, low, local_tag}), Access::done);
    while (n.transfers(0, local_tag) == 0 && n.now < 10'000) n.step();
    EXPECT_EQ(n.sent.size(), 2u);
    EXPECT_GT(n.now, 500u); // the second packet waited for half of a bucket
}

TEST(MicroPrograms, StridedCopiesATile) {
    constexpr std::uint32_t row = 40, rows = 24, from_stride = 256, to_stride = 56;
    Nodes n;
    n.program(0, 0, programs::strided);
    ASSERT_EQ(n.start(0, 0, 1, {source + 16, row / 8, rows, from_stride - row, low, to_stride, local_tag}),
              Access::done);
    ASSERT_TRUE(n.drain());
    ASSERT_TRUE(n.faults.empty()) << n.faults[0];
    for (std::uint32_t k = 0; k < rows; k++) EXPECT_TRUE(n.has(1, low + k * to_stride, 16 + k * from_stride, row)) << k;
    for (std::uint32_t k = 0; k < to_stride - row; k++) EXPECT_EQ(n.memory(1, base + low + row)[k], 0) << k;
    EXPECT_EQ(n.sent.size(), rows);
    EXPECT_EQ(n.transfers(1, 7), 1u);
}

TEST(MicroPrograms, GatherFollowsAList) {
    constexpr std::uint32_t items = 50, list = source + 0x40000;
    Nodes n;
    for (std::uint32_t k = 0; k < items; k++) {
        const std::uint32_t from = source + k * 7919 % 0x3fe0;
        std::memcpy(n.memory(0, list + 4 * k), &from, 4);
    }
    // The programs are written for instruction 0. This one is moved, as one of several in the store.
    std::vector<MicroInstruction> moved(programs::gather.begin(), programs::gather.end());
    for (MicroInstruction &i : moved) i.target = static_cast<std::uint8_t>(i.target + 10);
    n.program(0, 10, moved);
    ASSERT_EQ(n.start(0, 10, 1, {list, items, low, local_tag}), Access::done);
    ASSERT_TRUE(n.drain());
    ASSERT_TRUE(n.faults.empty()) << n.faults[0];
    for (std::uint32_t k = 0; k < items; k++) EXPECT_TRUE(n.has(1, low + 32 * k, k * 7919 % 0x3fe0, 32)) << k;
    EXPECT_EQ(n.sent.size(), (items * 32 + 127) / 128);
}

TEST(MicroPrograms, ScatterFollowsAList) {
    constexpr std::uint32_t items = 64, list = source + 0x40000;
    Nodes n;
    for (std::uint32_t k = 0; k < items; k++) {
        const std::uint32_t to = low + k * 37 % items * 24;
        std::memcpy(n.memory(0, list + 4 * k), &to, 4);
    }
    n.program(0, 0, programs::scatter);
    ASSERT_EQ(n.start(0, 0, 1, {source, items, list, local_tag}), Access::done);
    ASSERT_TRUE(n.drain());
    ASSERT_TRUE(n.faults.empty()) << n.faults[0];
    for (std::uint32_t k = 0; k < items; k++) EXPECT_TRUE(n.has(1, low + k * 37 % items * 24, 8 * k, 8)) << k;
    EXPECT_LE(n.count_not_zero(1), 8 * items);
}

TEST(MicroPrograms, BroadcastReadsOnce) {
    constexpr std::uint32_t packets = 20;
    Nodes n(4);
    unsigned accesses = 0;
    n.program(0, 0, programs::broadcast);
    ASSERT_EQ(n.start(0, 0, 1, {source, packets, low, 1, 2, 3, local_tag}), Access::done);
    n.is_busy = [&] { return accesses++, false; };
    ASSERT_TRUE(n.drain());
    ASSERT_TRUE(n.faults.empty()) << n.faults[0];
    for (std::uint32_t node = 1; node < 4; node++) {
        EXPECT_TRUE(n.has(node, low, 0, packets * 128)) << node;
        EXPECT_EQ(n.transfers(node, 7), 1u);
    }
    const unsigned reads = packets * 16, sends = 3 * packets + 3, writes = 3 * packets * 16;
    EXPECT_EQ(accesses, reads + sends + writes);
}

// A fence waits for the local end: a packet that is sent after it must not pass the job's packets. The limit of the shaper
// delays the second packet.
TEST(MicroPrograms, ALocalEndIsBehindThePackets) {
    Nodes n;
    n.store(0, mppa::shapers_base + mppa::shaper_rate, 8);
    n.store(0, mppa::shapers_base + mppa::shaper_burst, 34);
    n.program(0, 0, programs::linear);
    ASSERT_EQ(n.start(0, 0, 1, {source, 32, 0, low, local_tag}), Access::done);
    while (n.sent.size() < 2 && n.now < 100'000) {
        EXPECT_EQ(n.transfers(0, local_tag), 0u);
        n.step();
    }
    ASSERT_EQ(n.sent.size(), 2u);
    EXPECT_GE(n.sent[1].cycle - n.sent[0].cycle, 34U * 1024 / 8 - 1);
    ASSERT_TRUE(n.drain());
    EXPECT_EQ(n.transfers(0, local_tag), 1u);
}

TEST(MicroPrograms, ANodeCanSendToItself) {
    Nodes n(1);
    n.program(0, 0, programs::linear);
    ASSERT_EQ(n.start(0, 0, 0, {source, 100, 0, low, local_tag}), Access::done);
    ASSERT_TRUE(n.drain());
    EXPECT_TRUE(n.has(0, low, 0, 800));
}

// Packets of other sizes: shaper_payload 1 to 62 flits.
TEST(MicroPrograms, ThePayloadIsConfigured) {
    for (const std::uint32_t flits : {1U, 3U, 32U, 62U}) {
        Nodes n;
        n.store(0, mppa::shapers_base + mppa::shaper_payload, flits);
        n.program(0, 0, programs::linear);
        ASSERT_EQ(n.start(0, 0, 1, {source, 125, 3, low, local_tag}), Access::done);
        ASSERT_TRUE(n.drain());
        EXPECT_TRUE(n.has(1, low, 0, 1003)) << flits;
        EXPECT_EQ(n.sent.size(), (1003 + 4 * flits - 1) / (4 * flits));
    }
}

// -- time -------------------------------------------------------------------------------------------------------------

std::uint64_t cycles_of_put(std::uint32_t bytes) {
    Nodes n;
    n.program(0, 0, programs::linear);
    const std::uint64_t from = n.now;
    EXPECT_EQ(n.start(0, 0, 1, {source, bytes / 8, 0, low, local_tag}), Access::done);
    while (n.transfers(1, 7) == 0 && n.now < 1'000'000) n.step();
    EXPECT_TRUE(n.has(1, low, 0, bytes));
    return n.now - 1 - from;
}

TEST(MicroTime, APutOf8BytesTakesTheInputs) {
    const unsigned before_read = DmaWire::inputs.start + 2; // two instructions
    EXPECT_EQ(cycles_of_put(8), before_read + DmaWire::inputs.read + DmaWire::inputs.send + 4 + DmaWire::latency +
                                    DmaWire::inputs.receive);
}

TEST(MicroTime, TheSlopeIsThatOfTheLink) {
    const auto small = static_cast<double>(cycles_of_put(8192));
    const auto large = static_cast<double>(cycles_of_put(65536));
    EXPECT_NEAR((65536 - 8192) / (large - small), 4 * 32 / 34.0, 0.005);
}

// Two micro-cores of a node share its link, and take turns.
TEST(MicroTime, MicroCoresShareTheLink) {
    Nodes n(3);
    n.program(0, 0, programs::linear);
    ASSERT_EQ(n.start(0, 0, 1, {source, 1024, 0, low, local_tag}), Access::done);
    ASSERT_EQ(n.start(0, 0, 2, {source, 1024, 0, low, local_tag}), Access::done);
    ASSERT_TRUE(n.drain());
    unsigned alternations = 0;
    for (std::size_t k = 1; k < n.sent.size(); k++) {
        alternations += n.sent[k].packet.route != n.sent[k - 1].packet.route;
    }
    EXPECT_GE(alternations, 120u);
    EXPECT_NEAR(static_cast<double>(n.sent.back().cycle - n.sent.front().cycle), 127 * 34, 40);
}

// -- jobs -------------------------------------------------------------------------------------------------------------

TEST(MicroJobs, AFullQueueRefuses) {
    MppaDmaConfiguration few;
    few.jobs = 2;
    Nodes n(2, few);
    n.program(0, 0, programs::linear);
    const auto start = [&](std::uint32_t k, std::uint32_t micro_core) {
        return n.start(0, 0, 1, {source + 8 * k, 1, 0, low + 8 * k, local_tag}, micro_core);
    };
    EXPECT_EQ(start(0, 4), Access::done);
    EXPECT_EQ(start(1, 4), Access::done);
    EXPECT_EQ(start(2, 4), Access::again);
    EXPECT_EQ(n.load(0, mppa::micro_jobs + 4 * 4), 2u);
    for (std::uint32_t k = 2; k < 16; k++) EXPECT_EQ(start(k, mppa::any_micro_core), Access::done);
    EXPECT_EQ(start(16, mppa::any_micro_core), Access::again);
    for (std::uint32_t k = 0; k < mppa::micro_cores; k++) EXPECT_EQ(n.load(0, mppa::micro_jobs + 4 * k), 2u) << k;
    while (start(16, mppa::any_micro_core) == Access::again) n.step();
    ASSERT_TRUE(n.drain());
    EXPECT_TRUE(n.has(1, low, 0, 17 * 8));
    EXPECT_EQ(n.transfers(1, 7), 17u);
    EXPECT_EQ(n.transfers(0, local_tag), 17u);
    EXPECT_EQ(n.load(0, mppa::micro_finished + 4 * 4), 2u);
    EXPECT_EQ(n.unit(0).counters().jobs, 17u);
}

// A core can store the parameters of its next job at once, and another core's parameters are others.
TEST(MicroJobs, ParametersAreCopied) {
    Nodes n;
    n.program(0, 0, programs::linear);
    for (std::uint32_t core = 0; core < 3; core++) {
        for (std::uint32_t k = 0; k < 4; k++) {
            const std::uint32_t at = 64 * (4 * core + k);
            ASSERT_EQ(n.start(0, 0, 1, {source + at, 8, 0, low + at, local_tag}, core, core), Access::done);
        }
    }
    ASSERT_TRUE(n.drain());
    EXPECT_TRUE(n.has(1, low, 0, 64 * 12));
}

// -- mistakes ---------------------------------------------------------------------------------------------------------

std::string fault_of(std::vector<MicroInstruction> program, std::initializer_list<std::uint32_t> parameters = {},
                     std::uint32_t header = 1) {
    Nodes n;
    n.program(0, 20, program);
    EXPECT_EQ(n.start(0, 20, header, parameters, 3), Access::done);
    EXPECT_TRUE(n.drain());
    EXPECT_TRUE(n.faults.size() == 1 && n.unit(0).ready_at() == MppaDma::never);
    return n.faults.empty() ? "" : n.faults[0];
}

TEST(MicroMistakes, HaveOneLine) {
    const MicroInstruction set{.change = Change::set, .parameter = 0};
    EXPECT_EQ(fault_of({set, {.action = Action::read_8}}, {0x1000}),
              "node 0, DMA: micro-core 3, instruction 21: read of 8 bytes at 0x1000, where no memory is");
    EXPECT_EQ(fault_of({set, {.action = Action::load}}, {0x40000002}),
              "node 0, DMA: micro-core 3, instruction 21: load from 0x40000002, which is no multiple of 4");
    EXPECT_EQ(fault_of({set, {.action = Action::load}}, {0x1000}),
              "node 0, DMA: micro-core 3, instruction 21: read of 4 bytes at 0x1000, where no memory is");
    EXPECT_EQ(fault_of({{.action = static_cast<Action>(13)}}),
              "node 0, DMA: micro-core 3, instruction 20: the bits are no instruction");
    EXPECT_EQ(fault_of({{.count = static_cast<Count>(6)}}),
              "node 0, DMA: micro-core 3, instruction 20: the bits are no instruction");
    EXPECT_EQ(fault_of({}),
              "node 0, DMA: micro-core 3, instruction 128: the program goes on behind the last instruction");
    EXPECT_EQ(
        fault_of({{.count = Count::jump, .target = 20}}),
        "node 0, DMA: micro-core 3, instruction 20: the program has executed 65536 instructions that moved nothing");
    EXPECT_EQ(fault_of({{.action = Action::header, .parameter = 2}}, {0, 0, 128}),
              "node 0, DMA: micro-core 3, instruction 20: the parameter is 128, and only numbers below 128 exist");
    EXPECT_EQ(fault_of({{.action = Action::local, .parameter = 1}}, {0, 256}),
              "node 0, DMA: micro-core 3, instruction 20: the parameter is 256, and only numbers below 256 exist");
    EXPECT_EQ(fault_of({{.action = Action::local, .parameter = 1}}, {0, 10}),
              "node 0, DMA: a packet from node 0 arrived for Rx tag 10, which nobody owns");
    EXPECT_EQ(fault_of({{.action = Action::again}}),
              "node 0, DMA: micro-core 3, instruction 20: no packet was sent that could be sent again");
    EXPECT_EQ(fault_of({{.action = Action::end}}, {}, 77), "node 0, DMA: a packet with header 77, which was not set");
}

TEST(MicroMistakes, AStartMustNameAnInstruction) {
    Nodes n;
    EXPECT_EQ(n.store(0, mppa::micro_start, 128), Access::fault);
    EXPECT_EQ(n.faults.back(), "node 0, DMA: a micro-core was started by 0x80: no such instruction or header");
    EXPECT_EQ(n.store(0, mppa::micro_start, 128 << mppa::start_header_shift), Access::fault);
}

TEST(MicroInstructions, AreDecodedAsTheyWereEncoded) {
    std::mt19937 random(1);
    for (unsigned k = 0; k < 1000; k++) {
        const std::uint64_t bits = (std::uint64_t{random()} << 32 | random()) & ~(1ULL << 12 | 1ULL << 31);
        MicroInstruction i;
        if (mppa::decode(bits, i)) {
            EXPECT_EQ(mppa::encode(i), bits);
        }
        EXPECT_FALSE(mppa::decode(bits | 1ULL << 12, i));
        EXPECT_FALSE(mppa::decode(bits | 1ULL << 31, i));
    }
}

// -- ledger -----------------------------------------------------------------------------------------------------------

// Random jobs and packets of all nodes, while memories and the network are busy in random cycles. Each node's windows are
// divided between the senders, and a copy of all memories is changed as each transfer says.
TEST(MicroLedger, EachByteArrivesOnceAndNothingElseIsWritten) {
    for (unsigned seed = 1; seed <= 8; seed++) {
        std::mt19937 random(seed);
        const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
        constexpr std::uint32_t nodes = 4, share = window / nodes;
        MppaDmaConfiguration c;
        c.jobs = 1 + below(4);
        Nodes n(nodes, c);
        for (std::uint32_t node = 0; node < nodes; node++) {
            n.program(node, 0, programs::linear);
            n.store(node, mppa::shapers_base + mppa::shaper_payload, 1 + below(62));
        }
        std::vector<std::vector<std::uint8_t>> expected;
        std::vector<std::uint8_t> sources;
        for (std::uint32_t k = 0; k < nodes; k++) {
            sources.insert(sources.end(), n.memory(k, source), n.memory(k, source) + window);
        }
        for (std::uint32_t k = 0; k < nodes; k++) expected.emplace_back(n.memory(k), n.memory(k) + window);
        std::vector<std::uint32_t> ends(nodes), locals(nodes), next(nodes * nodes);
        n.is_busy = [&] { return below(4) == 0; };
        for (unsigned k = 0; k < 300; k++) {
            const std::uint32_t from = below(nodes), to = below(nodes), core = below(DmaWire::cores);
            const bool is_job = below(2) == 0;
            const std::uint32_t bytes = is_job ? below(600) : 4 * (1 + below(16));
            std::uint32_t &place = next[to * nodes + from];
            if (place + bytes > share) continue;
            const std::uint32_t offset = from * share + place, read = below(window - bytes);
            place += bytes;
            if (is_job) {
                const std::uint32_t micro_core = below(9);
                while (n.start(from, 0, to, {source + read, bytes / 8, bytes % 8, offset, local_tag}, micro_core,
                               core) == Access::again) {
                    n.step();
                }
                std::memcpy(expected[to].data() + offset, n.memory(from, source + read), bytes);
                locals[from]++;
            } else {
                n.store(from, mppa::push_offset, offset, 4, core);
                for (std::uint32_t at = 0; at < bytes; at += 4) {
                    const std::uint32_t value = static_cast<std::uint32_t>(random());
                    const std::uint32_t last =
                        at + 4 == bytes ? mppa::send_end_base + to * mppa::send_stride : mppa::push_base;
                    ASSERT_TRUE(n.store_in_time(from, last + at, value, 4, core));
                    std::memcpy(expected[to].data() + offset + at, &value, 4);
                }
            }
            ends[to]++;
            for (std::uint32_t pause = below(8); pause > 0; pause--) n.step();
        }
        ASSERT_TRUE(n.drain());
        ASSERT_TRUE(n.faults.empty()) << n.faults[0];
        for (std::uint32_t k = 0; k < nodes; k++) {
            EXPECT_EQ(std::memcmp(n.memory(k), expected[k].data(), window), 0) << "seed " << seed << ", node " << k;
            EXPECT_EQ(n.transfers(k, 7), ends[k]);
            EXPECT_EQ(n.transfers(k, local_tag), locals[k]);
            EXPECT_TRUE(
                std::equal(sources.begin() + k * window, sources.begin() + (k + 1) * window, n.memory(k, source)))
                << k;
        }
    }
}

} // namespace
