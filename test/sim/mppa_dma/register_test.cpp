// SPDX-License-Identifier: BSD-3-Clause
// Packets that cores send by stores, Rx tags, and packet shapers.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string_view>
#include <vector>

#include "wire.hpp"

using namespace skerry::sim;

namespace {

constexpr std::uint32_t send_at(std::uint32_t header, std::uint32_t position = 0) {
    return mppa::send_base + header * mppa::send_stride + position;
}
constexpr std::uint32_t send_end_at(std::uint32_t header, std::uint32_t position = 0) {
    return mppa::send_end_base + header * mppa::send_stride + position;
}
constexpr std::uint32_t shaper_at(std::uint32_t shaper, std::uint32_t word) {
    return mppa::shapers_base + shaper * mppa::shaper_bytes + word;
}

// Two nodes. Header 3 of node 0 leads to tag 7 of node 1, whose window is 4 KB at `base`.
struct Pair : DmaWire {
    explicit Pair(const MppaDmaConfiguration &configuration = {}) : DmaWire(2, configuration) {
        header(0, 3, 1, 7);
        tag(1, 7, DmaWire::memory_base, 4096);
    }
    std::uint64_t word(std::uint32_t offset) {
        std::uint64_t value = 0;
        std::memcpy(&value, memory(1, DmaWire::memory_base + offset), 8);
        return value;
    }
    std::string fault() {
        drain();
        return faults.size() == 1 ? faults[0] : std::to_string(faults.size()) + " faults";
    }
};

TEST(MppaRegisters, AProgramFindsOutAboutItsNode) {
    DmaWire w(3);
    EXPECT_EQ(w.load(2, mppa::node_number), 2u);
    EXPECT_EQ(w.load(2, mppa::node_count), 3u);
    EXPECT_EQ(w.load(2, mppa::cluster_count), 3u);
}

TEST(MppaRegisters, KeepWhatWasStored) {
    DmaWire w(1);
    const std::uint32_t places[] = {mppa::headers_base + 5 * mppa::header_bytes + mppa::header_target,
                                    mppa::headers_base + 127 * mppa::header_bytes + mppa::header_route,
                                    mppa::push_offset,
                                    shaper_at(7, mppa::shaper_burst),
                                    DmaWire::tag_at(255, mppa::tag_address),
                                    DmaWire::tag_at(0, mppa::tag_notify),
                                    DmaWire::tag_at(4, mppa::tag_position),
                                    mppa::program_base + 8 * 127 + 4,
                                    mppa::program_base,
                                    mppa::parameters_base + 4 * 15};
    std::uint32_t value = 0x1230000;
    for (const std::uint32_t place : places) EXPECT_EQ(w.store(0, place, ++value), Access::done) << place;
    value = 0x1230000;
    for (const std::uint32_t place : places) EXPECT_EQ(w.load(0, place), ++value) << place;
}

TEST(MppaRegisters, AnAccessToNoRegisterIsAFault) {
    DmaWire w(1);
    EXPECT_EQ(w.store(0, 0xc000, 1), Access::fault);
    EXPECT_EQ(w.faults.back(), "node 0, DMA: store of 4 bytes at 0x6000c000, where no such register is");
    EXPECT_EQ(w.store(0, mppa::push_offset, 1, 2), Access::fault);
    std::uint64_t value = 0;
    EXPECT_EQ(w.unit(0).load(0, send_at(0), 4, value, w.now), Access::fault);
    EXPECT_EQ(w.faults.back(), "node 0, DMA: load of 4 bytes at 0x60004000, where no such register is");
    EXPECT_EQ(w.store(0, mppa::node_number, 1), Access::fault);
}

// -- packets of cores -------------------------------------------------------------------------------------------------

TEST(MppaPush, TheLastStoreSendsThePacket) {
    Pair p;
    p.store(0, mppa::push_offset, 64);
    p.store(0, mppa::push_base, 0x11111111);
    EXPECT_FALSE(p.unit(0).busy());
    const std::uint64_t at = p.now;
    p.store(0, send_end_at(3, 4), 0x22222222);
    ASSERT_TRUE(p.drain());
    EXPECT_EQ(p.word(64), 0x2222222211111111u);
    EXPECT_EQ(p.transfers(1, 7), 1u);
    ASSERT_EQ(p.sent.size(), 1u);
    EXPECT_EQ(p.sent[0].cycle, at + DmaWire::inputs.send);
    EXPECT_EQ(p.sent[0].packet.flits(), 4u);
    EXPECT_EQ(p.now - 1, at + DmaWire::inputs.send + 4 + DmaWire::latency + DmaWire::inputs.receive);
}

TEST(MppaPush, StoresOfAllSizes) {
    Pair p;
    p.store(0, send_at(3), 0x8877665544332211, 8);
    ASSERT_TRUE(p.drain());
    EXPECT_EQ(p.word(0), 0x8877665544332211u);
    p.store(0, mppa::push_offset, 17);
    p.store(0, send_at(3), 0xab, 1);
    ASSERT_TRUE(p.drain());
    EXPECT_EQ(*p.memory(1, DmaWire::memory_base + 17), 0xab);
    EXPECT_EQ(*p.memory(1, DmaWire::memory_base + 18), 0);
    EXPECT_EQ(p.transfers(1, 7), 0u);
    p.store(0, mppa::push_offset, 32);
    p.store(0, send_at(3, 2), 0xcdef, 2); // the buffer has kept 0xab and 0x22
    ASSERT_TRUE(p.drain());
    EXPECT_EQ(p.word(32), 0xcdef22abu);
}

TEST(MppaPush, AnEndCanTravelAlone) {
    Pair p;
    p.store(0, mppa::end_base + 4 * 3, 0);
    ASSERT_TRUE(p.drain());
    EXPECT_EQ(p.transfers(1, 7), 1u);
    EXPECT_EQ(p.sent[0].packet.flits(), 2u);
    EXPECT_EQ(p.word(0), 0u);
}

// Each core has a buffer and an offset of its own. A core whose last packet waits must wait too.
TEST(MppaPush, CoresDoNotDisturbEachOther) {
    Pair p;
    for (std::uint32_t core = 0; core < DmaWire::cores; core++) {
        p.store(0, mppa::push_offset, 8 * core, 4, core);
        p.store(0, mppa::push_base, core + 1, 4, core);
    }
    for (std::uint32_t core = 0; core < DmaWire::cores; core++) {
        EXPECT_EQ(p.store(0, send_end_at(3, 4), 2 * core, 4, core), Access::done);
        EXPECT_EQ(p.store(0, send_end_at(3, 4), 2 * core, 4, core), Access::again);
    }
    ASSERT_TRUE(p.drain());
    for (std::uint32_t core = 0; core < DmaWire::cores; core++) {
        EXPECT_EQ(p.word(8 * core), (std::uint64_t{2 * core} << 32 | (core + 1))) << core;
    }
    EXPECT_EQ(p.transfers(1, 7), DmaWire::cores);
}

TEST(MppaPush, WrongPacketsAreFaults) {
    {
        Pair p;
        EXPECT_EQ(p.store(0, send_at(9), 0), Access::fault);
        EXPECT_EQ(p.fault(), "node 0, DMA: a packet with header 9, which was not set");
    }
    {
        Pair p;
        p.header(0, 5, 0xfff, 1);
        EXPECT_EQ(p.store(0, send_at(5), 0), Access::fault);
        EXPECT_EQ(p.fault(), "node 0, DMA: header 5 has the route 0xfff, which leaves the network");
    }
    {
        Pair p;
        p.header(0, 5, 1, 8);
        p.store(0, send_at(5), 0);
        EXPECT_EQ(p.fault(), "node 1, DMA: a packet from node 0 arrived for Rx tag 8, which nobody owns");
    }
    {
        Pair p;
        p.store(0, mppa::push_offset, 4093);
        p.store(0, send_at(3), 0);
        EXPECT_EQ(p.fault(),
                  "node 1, DMA: a packet from node 0 for Rx tag 7 has 4 bytes for offset 4093, and the window "
                  "has 4096 bytes");
    }
    {
        Pair p;
        p.tag(1, 7, DmaWire::memory_base + DmaWire::memory_bytes - 8, 64);
        p.store(0, mppa::push_offset, 8);
        p.store(0, send_at(3), 0);
        EXPECT_EQ(p.fault(),
                  "node 1, DMA: Rx tag 7: a window of 4 bytes at 0x40100000, where no memory is that can be written");
    }
    {
        Pair p;
        EXPECT_EQ(p.store(1, DmaWire::tag_at(7, mppa::tag_mode), 12), Access::fault);
        EXPECT_EQ(p.fault(), "node 1, DMA: Rx tag 7: the mode 0xc does not exist");
    }
    {
        Pair p;
        p.tag(1, 7, DmaWire::memory_base, 8, mppa::mode_chosen);
        p.store(0, mppa::push_offset, mppa::no_offset);
        p.store(0, mppa::push_base, 0);
        p.store(0, mppa::push_base + 4, 0);
        p.store(0, send_at(3, 8), 0);
        EXPECT_EQ(p.fault(), "node 1, DMA: a packet from node 0 for Rx tag 7 has 12 bytes for offset 0, and the window "
                             "has 8 bytes");
    }
}

// -- Rx tags ----------------------------------------------------------------------------------------------------------

TEST(MppaTags, PacketsAreAppended) {
    Pair p;
    p.tag(1, 7, DmaWire::memory_base, 24, mppa::mode_append);
    for (std::uint32_t k = 1; k <= 3; k++) ASSERT_TRUE(p.store_in_time(0, send_at(3), k, 8));
    ASSERT_TRUE(p.drain());
    EXPECT_TRUE(p.faults.empty());
    for (std::uint32_t k = 1; k <= 3; k++) EXPECT_EQ(p.word(8 * (k - 1)), k);
    EXPECT_EQ(p.load(1, DmaWire::tag_at(7, mppa::tag_position)), 24u);
    p.store(0, send_at(3), 4, 8);
    EXPECT_EQ(p.fault(),
              "node 1, DMA: a packet from node 0 for Rx tag 7 has 8 bytes for offset 24, and the window has 24 bytes");
}

// Many senders, one queue: each packet has a slot of its own, in the order of the arrival.
TEST(MppaTags, ARingHasSlots) {
    Pair p;
    p.tag(1, 7, DmaWire::memory_base, 4 * 32, mppa::mode_ring, 32);
    for (std::uint32_t k = 0; k < 6; k++) {
        ASSERT_TRUE(p.store_in_time(0, send_end_at(3), 100 + k, k % 2 == 0 ? 8 : 4, k % 3));
    }
    ASSERT_TRUE(p.drain());
    EXPECT_EQ(p.word(0), 104u);
    EXPECT_EQ(p.word(32), 105u);
    EXPECT_EQ(p.word(64), 102u);
    EXPECT_EQ(p.word(96), 103u);
    EXPECT_EQ(p.load(1, DmaWire::tag_at(7, mppa::tag_position)), 64u);
    EXPECT_EQ(p.transfers(1, 7), 6u);
}

// Without slots a packet that does not fit behind the last one is at the begin.
TEST(MppaTags, ARingDoesNotSplitPackets) {
    Pair p;
    p.tag(1, 7, DmaWire::memory_base, 20, mppa::mode_ring);
    for (std::uint32_t k = 1; k <= 3; k++) ASSERT_TRUE(p.store_in_time(0, send_at(3), k, 8));
    ASSERT_TRUE(p.drain());
    EXPECT_EQ(p.word(0), 3u);
    EXPECT_EQ(p.word(8), 2u);
    EXPECT_EQ(p.word(16), 0u);
}

// Random packets at offsets and behind each other, in windows of any size and place: each byte, the position and the items are
// those of a model that writes byte by byte.
TEST(MppaTags, APacketChoosesItsPlace) {
    std::mt19937 generator(17);
    const auto random = [&generator] { return static_cast<std::uint32_t>(generator()); };
    for (unsigned round = 0; round < 60; round++) {
        Pair p;
        const std::uint32_t base = random() % 9, size = 64 + random() % 100;
        std::uint32_t position = random() % size, items = 0;
        p.tag(1, 7, DmaWire::memory_base + base, size, mppa::mode_chosen);
        p.store(1, DmaWire::tag_at(7, mppa::tag_position), position);
        std::vector<std::uint8_t> expected(size + 32);
        std::uint8_t next = 0;
        for (unsigned k = 0; k < 20; k++) {
            const std::uint32_t bytes = 1 + random() % 64;
            const bool is_behind = random() % 2 == 0;
            std::uint32_t at = is_behind ? position : random() % (size - bytes + 1);
            p.store(0, mppa::push_offset, is_behind ? mppa::no_offset : at);
            for (std::uint32_t i = 0; i < bytes; i++) {
                const std::uint32_t place = i + 1 == bytes ? send_at(3, i) : mppa::push_base + i;
                ASSERT_TRUE(p.store_in_time(0, place, ++next, 1));
                expected[base + at] = next;
                at = at + 1 == size && is_behind ? 0 : at + 1;
            }
            if (is_behind) position = at;
            items += bytes;
        }
        ASSERT_TRUE(p.drain());
        EXPECT_TRUE(p.faults.empty());
        EXPECT_EQ(std::memcmp(expected.data(), p.memory(1), expected.size()), 0) << "round " << round;
        EXPECT_EQ(p.load(1, DmaWire::tag_at(7, mppa::tag_position)), position);
        EXPECT_EQ(p.load(1, mppa::items_take_base + 4 * 7), items);
        EXPECT_EQ(p.load(1, mppa::items_base + 4 * 7), 0u);
        EXPECT_EQ(p.transfers(1, 7), 0u);
    }
}

// Sends packets of 8 bytes, each third one with an end of transfer. Returns after which packets tag 7 has counted.
std::vector<unsigned> counted(std::uint32_t what, std::uint32_t items, std::uint32_t reload) {
    Pair p;
    std::vector<unsigned> after;
    p.tag(1, 7, DmaWire::memory_base, 4096, mppa::mode_offset | what << mppa::count_shift);
    p.store(1, mppa::items_base + 4 * 7, items);
    p.store(1, mppa::items_reload_base + 4 * 7, reload);
    for (unsigned k = 1; k <= 12; k++) {
        EXPECT_TRUE(p.store_in_time(0, k % 3 == 0 ? send_end_at(3) : send_at(3), k, 8));
        EXPECT_TRUE(p.drain());
        if (p.transfers(1, 7) > after.size()) after.push_back(k);
    }
    return after;
}

TEST(MppaTags, ItemsAreBytesOrTransfers) {
    using Packets = std::vector<unsigned>;
    EXPECT_EQ(counted(mppa::count_ends, 5, 5), (Packets{3, 6, 9, 12}));
    EXPECT_EQ(counted(mppa::count_bytes, 16, 0), (Packets{2}));
    EXPECT_EQ(counted(mppa::count_bytes, 17, 32), (Packets{3, 7, 11}));
    EXPECT_EQ(counted(mppa::count_bytes, 0, 8), (Packets{}));
    EXPECT_EQ(counted(mppa::count_down, 1, 2), (Packets{3, 9}));
    EXPECT_EQ(counted(mppa::count_down, 3, 0), (Packets{9}));
}

TEST(MppaTags, APacketMustFitIntoItsSlot) {
    Pair p;
    p.tag(1, 7, DmaWire::memory_base, 64, mppa::mode_append, 16);
    for (std::uint32_t k = 0; k < 20; k += 4) p.store(0, mppa::push_base + k, k);
    p.store(0, send_at(3, 16), 0);
    EXPECT_EQ(p.fault(), "node 1, DMA: a packet from node 0 for Rx tag 7 has 20 bytes, and a slot has 16");
}

// The counter counts modulo 2^16. Differences stay right, and bit 16 says that the count has wrapped.
TEST(MppaTags, TheCounterWraps) {
    Pair p;
    p.store(1, DmaWire::tag_at(7, mppa::tag_transfers), 0xfffe);
    const auto end = [&](unsigned times) {
        for (; times > 0; times--) ASSERT_TRUE(p.store_in_time(0, mppa::end_base + 4 * 3, 0));
        ASSERT_TRUE(p.drain());
    };
    end(1);
    EXPECT_EQ(p.transfers(1, 7), 0xffffu);
    end(1);
    EXPECT_EQ(p.transfers(1, 7), mppa::transfers_wrapped);
    end(3);
    EXPECT_EQ(p.transfers(1, 7), mppa::transfers_wrapped | 3);
    EXPECT_EQ(static_cast<std::uint16_t>(p.transfers(1, 7) - 0xfffe), 5u);
    EXPECT_EQ(p.load(1, mppa::take_base + 4 * 7), mppa::transfers_wrapped | 3);
    EXPECT_EQ(p.load(1, mppa::take_base + 4 * 7), 0u);
    end(1);
    EXPECT_EQ(p.transfers(1, 7), 1u);
}

TEST(MppaTags, TheEventComesWithTheLastTransfer) {
    Pair p;
    p.store(1, DmaWire::tag_at(7, mppa::tag_remaining), 2);
    p.store(1, DmaWire::tag_at(7, mppa::tag_reload), 3);
    p.store(1, DmaWire::tag_at(7, mppa::tag_notify), 0x10003);
    std::vector<unsigned> after;
    for (unsigned k = 1; k <= 8; k++) {
        ASSERT_TRUE(p.store_in_time(0, send_end_at(3), k, 8));
        ASSERT_TRUE(p.drain());
        if (p.notified.size() > after.size()) after.push_back(k);
        for (const auto &n : p.notified) EXPECT_EQ(n.cores, 0x10003u);
    }
    EXPECT_EQ(after, (std::vector<unsigned>{2, 5, 8}));
    EXPECT_EQ(p.notified[0].node, 1u);
}

// A core that sees the count, or the event, finds the bytes in memory.
TEST(MppaTags, ATransferEndsBehindItsBytes) {
    Pair p;
    unsigned refusals = 0;
    p.store(1, DmaWire::tag_at(7, mppa::tag_remaining), 1);
    p.store(1, DmaWire::tag_at(7, mppa::tag_notify), 1);
    p.store(0, send_end_at(3), 0x123456789, 8);
    p.is_busy = [&] { return ++refusals < 300; };
    while (p.transfers(1, 7) == 0) {
        EXPECT_TRUE(p.notified.empty());
        p.step();
    }
    EXPECT_EQ(p.word(0), 0x123456789u);
    EXPECT_EQ(p.notified.size(), 1u);
    EXPECT_GE(refusals, 300u);
}

// -- shapers ----------------------------------------------------------------------------------------------------------

// 64 flits in 1024 cycles: a packet of 4 flits in 64 cycles, after the burst.
TEST(MppaShapers, ALimitHoldsOnAverage) {
    Pair p;
    p.header(0, 3, 1, 7, 2);
    p.store(0, shaper_at(2, mppa::shaper_rate), 64);
    p.store(0, shaper_at(2, mppa::shaper_burst), 8);
    for (unsigned k = 0; k < 40; k++) ASSERT_TRUE(p.store_in_time(0, send_at(3), k, 8));
    ASSERT_TRUE(p.drain());
    ASSERT_EQ(p.sent.size(), 40u);
    EXPECT_EQ(p.sent[1].cycle - p.sent[0].cycle, DmaWire::inputs.send + 1u); // both are in the burst
    EXPECT_EQ(p.sent[39].cycle - p.sent[2].cycle, 37 * 64u);
    EXPECT_EQ(p.load(0, shaper_at(2, mppa::shaper_sent)), 40u);
}

TEST(MppaShapers, ALimitDoesNotDelayOtherShapers) {
    Pair p;
    p.header(0, 4, 1, 7, 1);
    p.store(0, shaper_at(0, mppa::shaper_rate), 1);
    p.store(0, shaper_at(0, mppa::shaper_burst), 4);
    ASSERT_TRUE(p.store_in_time(0, send_at(3), 1, 8, 0)); // takes the burst
    ASSERT_TRUE(p.store_in_time(0, send_at(3), 2, 8, 0)); // waits for 4096 cycles
    const std::uint64_t at = p.now;
    ASSERT_EQ(p.store(0, send_at(4), 3, 8, 1), Access::done);
    ASSERT_TRUE(p.drain());
    ASSERT_EQ(p.sent.size(), 3u);
    EXPECT_LE(p.sent[1].cycle, at + DmaWire::inputs.send + 4);
    EXPECT_EQ(p.sent[1].packet.payload[0], 3);
    EXPECT_NEAR(static_cast<double>(p.sent[2].cycle - p.sent[0].cycle), 4096, 1);
    EXPECT_LT(p.runs, 40u); // a unit that waits for its limit is not visited
}

TEST(MppaShapers, WrongValuesAreFaults) {
    const auto fault_of = [](std::uint32_t word, std::uint32_t value) {
        Pair p;
        EXPECT_EQ(p.store(0, shaper_at(1, word), value), Access::fault);
        return p.fault();
    };
    EXPECT_EQ(fault_of(mppa::shaper_rate, 1025),
              "node 0, DMA: shaper 1: a rate of 1025 flits in 1024 cycles; at most 1024");
    EXPECT_EQ(fault_of(mppa::shaper_payload, 63), "node 0, DMA: shaper 1: packets of 63 flits; 1 to 62 are possible");
    EXPECT_EQ(fault_of(mppa::shaper_payload, 0), "node 0, DMA: shaper 1: packets of 0 flits; 1 to 62 are possible");
    EXPECT_EQ(fault_of(mppa::shaper_sent, 0), "node 0, DMA: store of 4 bytes at 0x6000301c, where no such register is");
    Pair p;
    p.store(0, shaper_at(0, mppa::shaper_rate), 64);
    p.store(0, shaper_at(0, mppa::shaper_burst), 3);
    p.store(0, send_at(3), 0, 8);
    EXPECT_EQ(p.fault(), "node 0, DMA: shaper 0: a packet of 4 flits, and the burst is 3: it can never be sent");
}

} // namespace
