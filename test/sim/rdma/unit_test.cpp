// SPDX-License-Identifier: BSD-3-Clause
// When the words and acknowledgements of a copy move, and a ledger of random copies: each byte is copied once, and nothing
// else is written.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "wire.hpp"

using namespace skerry::sim;

namespace {

constexpr std::uint64_t first_word = 10; // cycles after begin()

TEST(CopyUnit, APutMovesADoubleWordACycleAndIsAcknowledgedByLines) {
    CopyWire w(2, copies_under_way(2));
    const std::uint64_t at = w.now + first_word;
    ASSERT_TRUE(w.begin(0, {CopyWire::global(1, 0x1000), CopyWire::global(0, 0x2000), 96}));
    ASSERT_TRUE(w.drain());
    ASSERT_EQ(w.acknowledged.size(), 3u);
    for (unsigned line = 0; line < 3; line++) {
        const std::uint64_t sent = at + 4 * line + 3;
        EXPECT_EQ(w.acknowledged[line].bytes, 32u);
        EXPECT_EQ(w.acknowledged[line].cycle, sent + CopyWire::latency + 30) << line;
    }
    EXPECT_EQ(w.finished.size(), 1u);
    EXPECT_EQ(w.words, 12u);
}

TEST(CopyUnit, AGetIsCompleteAWayThereAndBackLater) {
    CopyWire w(2, copies_under_way(2));
    const std::uint64_t at = w.now + first_word;
    ASSERT_TRUE(w.begin(0, {CopyWire::global(0, 0x1000), CopyWire::global(1, 0x2000), 64}));
    ASSERT_TRUE(w.drain());
    ASSERT_EQ(w.acknowledged.size(), 2u);
    EXPECT_EQ(w.acknowledged[0].cycle, at + 3 + 2 * CopyWire::latency);
    EXPECT_EQ(w.acknowledged[1].cycle, at + 7 + 2 * CopyWire::latency);
}

// Words are as wide as both addresses allow. Lines are those of the destination.
TEST(CopyUnit, WordsAndLinesDependOnTheAddresses) {
    const auto words = [](std::uint32_t to, std::uint32_t from, std::uint32_t bytes, std::size_t lines) {
        CopyWire w(2, copies_under_way(1));
        EXPECT_TRUE(w.begin(0, {CopyWire::global(1, to), CopyWire::global(0, from), bytes}));
        EXPECT_TRUE(w.drain());
        EXPECT_EQ(w.acknowledged.size(), lines);
        return w.words;
    };
    EXPECT_EQ(words(0x100, 0x200, 32, 1), 4u);
    EXPECT_EQ(words(0x104, 0x204, 32, 2), 5u); // 4 + 3 * 8 + 4
    EXPECT_EQ(words(0x104, 0x200, 32, 2), 8u); // 8 * 4
    EXPECT_EQ(words(0x11c, 0x21c, 4, 1), 1u);
    EXPECT_EQ(words(0x118, 0x218, 12, 2), 2u); // 8 + 4
}

TEST(CopyUnit, CopiesGoOnWhileAcknowledgementsAreUnderWay) {
    CopyWire w(2, copies_under_way(4));
    for (std::uint32_t k = 0; k < 4; k++) {
        ASSERT_TRUE(w.begin(0, {CopyWire::global(1, 0x1000 + 64 * k), CopyWire::global(0, 0x2000), 64}));
    }
    EXPECT_FALSE(w.begin(0, {CopyWire::global(1, 0x2000), CopyWire::global(0, 0x2000), 64}));
    const std::uint64_t at = w.now + first_word;
    ASSERT_TRUE(w.drain());
    EXPECT_EQ(w.acknowledged.back().cycle, at + 31 + CopyWire::latency + 30);
    EXPECT_TRUE(w.begin(0, {CopyWire::global(1, 0x2000), CopyWire::global(0, 0x2000), 64}));
}

TEST(CopyUnit, RequestsAreLimited) {
    CopyConfiguration c = copies_under_way(2);
    c.reads = 5;
    CopyWire w(2, c);
    ASSERT_TRUE(w.begin(0, {CopyWire::global(0, 0), CopyWire::global(1, 0), 400}));
    ASSERT_TRUE(w.drain());
    EXPECT_EQ(w.most_reads, 5u);
}

TEST(CopyUnit, AUnitWithoutCopiesIsNotVisited) {
    CopyWire w(1, copies_under_way(2));
    EXPECT_EQ(w.unit(0).ready_at(), CopyUnit::never);
    ASSERT_TRUE(w.begin(0, {CopyWire::global(0, 0), CopyWire::global(0, 64), 32}));
    EXPECT_EQ(w.unit(0).ready_at(), w.now + first_word);
    ASSERT_TRUE(w.drain());
    EXPECT_EQ(w.unit(0).ready_at(), CopyUnit::never);
}

// Random copies between some units and a memory without a unit. Each destination is used once, so the expected contents of
// all memories are known.
class Ledger {
  public:
    explicit Ledger(unsigned seed) : engine_(seed), units_(1 + random_() % 5), wire_(units_, configuration()) {
        busy_percent_ = random_() % 60;
        wire_.is_busy = [this] { return random_() % 100 < busy_percent_; };
        for (auto &memory : wire_.memories) {
            for (std::uint8_t &byte : memory) byte = static_cast<std::uint8_t>(random_());
        }
        expected_ = wire_.memories;
        free_.assign(units_ + 1, CopyWire::memory_bytes / 2); // sources are below, destinations above
    }
    void run() {
        for (unsigned cycle = 0; cycle < 3000; cycle++) {
            if (random_() % 100 < 20) begin(random_() % units_);
            wire_.step();
        }
        ASSERT_TRUE(wire_.drain());
        EXPECT_EQ(wire_.memories, expected_);
        EXPECT_EQ(wire_.finished.size(), begun_);
        std::map<std::uint32_t, std::uint64_t> counted;
        for (const CopyWire::Acknowledged &a : wire_.acknowledged) {
            EXPECT_LE(a.bytes, 32u);
            counted[a.unit] += a.bytes;
        }
        for (std::uint32_t k = 0; k < units_; k++) {
            EXPECT_EQ(counted[k], bytes_[k]) << k;
            EXPECT_EQ(wire_.unit(k).bytes(), bytes_[k]) << k;
        }
        EXPECT_EQ(wire_.reads, 0u);
    }
    std::size_t begun() const {
        return begun_;
    }

  private:
    unsigned random_() {
        return static_cast<unsigned>(engine_());
    }
    CopyConfiguration configuration() {
        CopyConfiguration c;
        c.copies = 1 + random_() % 6;
        c.reads = 1 + random_() % 70;
        c.acknowledge = random_() % 40;
        return c;
    }
    void begin(std::uint32_t k) {
        std::uint32_t from = random_() % (units_ + 1), to = k;
        if (random_() % 2 == 0) std::swap(from, to);
        Copy copy;
        copy.bytes = 4 * (1 + random_() % (random_() % 4 == 0 ? 100 : 20));
        const std::uint32_t source = 4 * (random_() % (CopyWire::memory_bytes / 8 - 100));
        const std::uint32_t destination = free_[to] + 4 * (random_() % 9);
        if (destination + copy.bytes > CopyWire::memory_bytes) return;
        copy.source = CopyWire::global(from, source);
        copy.destination = CopyWire::global(to, destination);
        if (!wire_.begin(k, copy, 1 + random_() % 20)) return;
        free_[to] = destination + copy.bytes;
        std::copy_n(expected_[from].begin() + source, copy.bytes, expected_[to].begin() + destination);
        bytes_[k] += copy.bytes;
        begun_++;
    }

    std::mt19937 engine_;
    std::uint32_t units_;
    CopyWire wire_;
    unsigned busy_percent_ = 0;
    std::vector<std::vector<std::uint8_t>> expected_;
    std::vector<std::uint32_t> free_;
    std::map<std::uint32_t, std::uint64_t> bytes_;
    std::size_t begun_ = 0;
};

TEST(CopyLedger, EveryByteIsCopiedOnce) {
    std::size_t begun = 0;
    for (unsigned seed = 0; seed < 200; seed++) {
        SCOPED_TRACE(seed);
        Ledger ledger(seed);
        ledger.run();
        if (HasFailure()) return;
        begun += ledger.begun();
    }
    EXPECT_GT(begun, 10'000u);
}

} // namespace
