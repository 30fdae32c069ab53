// SPDX-License-Identifier: BSD-3-Clause
// Which accesses race, and which words carry order: vector clocks, the history of a word's accesses, words of
// synchronisation, and the counters and queues of event units.
#include <gtest/gtest.h>

#include <vector>

#include "events/line_words.hpp"
#include "race/access_history.hpp"
#include "race/word_clocks.hpp"

using namespace skerry::sim;
using namespace skerry::sim::events;

namespace {

constexpr std::uint32_t cores = 3;
constexpr std::uint32_t word = 0x80800100;

VectorClock clock_of(std::uint32_t core, unsigned period) {
    VectorClock clock(cores);
    for (unsigned k = 0; k < period; k++) clock.advance(core);
    return clock;
}

TEST(VectorClock, AJoinTakesTheLaterPeriods) {
    VectorClock clock = clock_of(0, 3);
    EXPECT_TRUE(clock.join(clock_of(1, 2)));
    EXPECT_FALSE(clock.join(clock_of(1, 1)));
    EXPECT_EQ(clock[0], 3u);
    EXPECT_EQ(clock[1], 2u);
    EXPECT_EQ(clock[2], 0u);
    EXPECT_EQ(VectorClock()[7], 0u);
}

// -- the history of a word --------------------------------------------------------------------------------------------

class History : public ::testing::Test {
  protected:
    // Adds an access of a core that has seen `seen`, and returns the cores of the accesses that race with it.
    std::vector<std::uint32_t> add(std::uint32_t core, AccessKind kind, const VectorClock &seen,
                                   std::uint8_t bytes = 0xf) {
        std::vector<std::uint32_t> racing;
        PastAccess access;
        access.core = core;
        access.kind = kind;
        access.bytes = bytes;
        access.period = seen[core];
        history_.add(word, access, seen, [&](const PastAccess &earlier) { racing.push_back(earlier.core); });
        return racing;
    }
    AccessHistory history_;
};

using Cores = std::vector<std::uint32_t>;

TEST_F(History, AStoreRacesWithEveryAccessThatNothingOrders) {
    EXPECT_EQ(add(0, AccessKind::load, clock_of(0, 1)), Cores{});
    EXPECT_EQ(add(1, AccessKind::load, clock_of(1, 1)), Cores{});
    EXPECT_EQ(add(2, AccessKind::store, clock_of(2, 1)), (Cores{0, 1}));
    EXPECT_EQ(add(0, AccessKind::atomic, clock_of(0, 1)), Cores{2});
    EXPECT_EQ(add(1, AccessKind::load, clock_of(1, 1)), Cores{2});
}

TEST_F(History, AtomicAccessesAndLoadsDoNotRace) {
    EXPECT_EQ(add(0, AccessKind::atomic, clock_of(0, 1)), Cores{});
    EXPECT_EQ(add(1, AccessKind::atomic, clock_of(1, 1)), Cores{});
    EXPECT_EQ(add(2, AccessKind::load, clock_of(2, 1)), Cores{});
}

TEST_F(History, AnOrderedAccessDoesNotRace) {
    EXPECT_EQ(add(0, AccessKind::store, clock_of(0, 2)), Cores{});
    VectorClock later = clock_of(1, 1);
    later.join(clock_of(0, 2));
    EXPECT_EQ(add(1, AccessKind::store, later), Cores{});
    // Core 2 knows the period of core 0, but not the later access of core 1.
    VectorClock other = clock_of(2, 1);
    other.join(clock_of(0, 2));
    EXPECT_EQ(add(2, AccessKind::load, other), Cores{1});
}

TEST_F(History, AccessesToOtherBytesDoNotRace) {
    EXPECT_EQ(add(0, AccessKind::store, clock_of(0, 1), 0x1), Cores{});
    EXPECT_EQ(add(1, AccessKind::store, clock_of(1, 1), 0xe), Cores{});
    EXPECT_EQ(add(2, AccessKind::load, clock_of(2, 1), 0xc), Cores{1});
}

TEST_F(History, ALoadDoesNotReplaceAStore) {
    EXPECT_EQ(add(0, AccessKind::store, clock_of(0, 1)), Cores{});
    EXPECT_EQ(add(0, AccessKind::load, clock_of(0, 1)), Cores{});
    EXPECT_EQ(add(1, AccessKind::load, clock_of(1, 1)), Cores{0});
}

// -- words and event units --------------------------------------------------------------------------------------------

class Words : public ::testing::Test {
  protected:
    static Machine machine() {
        Machine m;
        m.kind = CoreKind::riscv;
        m.rows = 1;
        m.columns = cores;
        m.first_row = 32;
        m.first_column = 8;
        m.events.lines = 64;
        return m;
    }
    std::uint32_t line(std::uint32_t core, std::uint32_t index, std::uint32_t at = 0) const {
        return map_.machine().core_id(core) << 20 | (events::lines_base + index * events::line_bytes + 4 * at);
    }
    void set_tag(std::uint32_t core, std::uint32_t index, LineKind kind) {
        const std::uint32_t address = map_.machine().core_id(core) << 20 | (events::tags_base + 4 * index);
        words_.store(address, 4, static_cast<std::uint32_t>(kind), VectorClock());
    }
    // Returns the period of core 0 that a core knows after it has loaded a word.
    std::uint32_t known(std::uint32_t address, unsigned size = 4) const {
        VectorClock clock(cores);
        words_.acquire(address, size, clock);
        return clock[0];
    }
    AddressMap map_{machine()};
    WordClocks words_{map_};
};

TEST_F(Words, ALoadAcquiresWhatWasReleased) {
    words_.store(word + 2, 1, 0, clock_of(0, 4));
    EXPECT_EQ(known(word), 4u);
    EXPECT_EQ(known(word + 4), 0u);
    EXPECT_EQ(known(word - 4, 8), 4u);
    words_.release(word, clock_of(0, 2)); // a word's clock only grows
    EXPECT_EQ(known(word), 4u);
}

TEST_F(Words, ACounterNotifiesMemoryAndOtherCounters) {
    set_tag(1, 5, LineKind::counter);
    set_tag(2, 6, LineKind::counter);
    words_.store(line(1, 5, 3), 4, line(2, 6), VectorClock());
    words_.store(line(2, 6, 6), 4, word, VectorClock());
    EXPECT_EQ(known(word), 0u);
    words_.store(line(1, 5, 7), 4, 1, clock_of(0, 2)); // sets the value, and adds nothing
    EXPECT_EQ(known(word), 0u);
    words_.store(line(1, 5), 4, 1, clock_of(0, 3));
    EXPECT_EQ(known(word), 3u);
}

TEST_F(Words, CountersThatNotifyEachOtherInACircle) {
    for (std::uint32_t k = 0; k < 8; k++) set_tag(1, k, LineKind::counter);
    for (std::uint32_t k = 0; k < 8; k++) {
        for (std::uint32_t n = 0; n < 4; n++) words_.store(line(1, k, 3 + n), 4, line(1, (k + n) % 8), VectorClock());
    }
    words_.store(line(1, 3), 4, 1, clock_of(0, 3));
    for (std::uint32_t k = 0; k < 8; k++) EXPECT_EQ(known(line(1, k)), 3u);
}

TEST_F(Words, AnItemOrdersItsSenderBeforeItsReader) {
    set_tag(0, 0, LineKind::command);
    set_tag(1, 2, LineKind::command);
    set_tag(2, 8, LineKind::multiple_reader);
    words_.store(line(1, 2, 0), 4, line(2, 8), VectorClock());
    words_.store(line(1, 2, 1), 4, word, VectorClock());
    words_.store(line(1, 2, 2), 4, 4 | 2 << 8, clock_of(1, 1)); // the request comes first
    words_.store(line(0, 0, 0), 4, line(2, 8), VectorClock());
    words_.store(line(0, 0, 2), 4, 32 | 1 << 8, clock_of(0, 5));
    EXPECT_EQ(known(word), 5u);
    EXPECT_EQ(known(word + 28), 5u);
    EXPECT_EQ(known(word + 32), 0u);
    words_.store(line(1, 2, 1), 4, word + 64, VectorClock());
    words_.store(line(1, 2, 2), 4, 4 | 2 << 8, clock_of(1, 1)); // the item comes first
    EXPECT_EQ(known(word + 64), 5u);
}

TEST_F(Words, AMessageCarriesOrderToMemory) {
    set_tag(0, 0, LineKind::command);
    words_.store(line(0, 0, 0), 4, word, VectorClock());
    words_.store(line(0, 0, 2), 4, 8, clock_of(0, 2));
    EXPECT_EQ(known(word + 4), 2u);
    EXPECT_EQ(known(word + 8), 0u);
}

// A copy is none of the stores that carry order by themselves: the detector releases it to its counter.
TEST_F(Words, ACopyIsKnownByItsCommand) {
    constexpr std::uint32_t go = copy_kind << 8 | 64 << copy_bytes_shift;
    EXPECT_EQ(words_.copy_of(line(0, 0, command_go), go), std::nullopt); // not a command line yet
    set_tag(0, 0, LineKind::command);
    set_tag(0, 3, LineKind::counter);
    words_.store(line(0, 0, command_address), 4, word, VectorClock());
    words_.store(line(0, 0, command_return), 4, 0x200, VectorClock()); // an offset in the own memory
    words_.store(line(0, 0, command_counter), 4, offset_in_core(line(0, 3)), VectorClock());
    EXPECT_EQ(words_.copy_of(line(0, 0, command_go), 4), std::nullopt); // a message
    EXPECT_EQ(words_.copy_of(line(0, 0, command_address), go), std::nullopt);
    const auto copy = words_.copy_of(line(0, 0, command_go), go);
    ASSERT_TRUE(copy.has_value());
    EXPECT_EQ(copy->destination, word);
    EXPECT_EQ(copy->source, (line(0, 0) & ~(core_space - 1)) | 0x200);
    EXPECT_EQ(copy->bytes, 64u);
    EXPECT_EQ(copy->counter, line(0, 3));
    words_.store(line(0, 0, command_go), 4, go, clock_of(0, 2));
    EXPECT_EQ(known(word), 0u);
    EXPECT_EQ(known(line(0, 3)), 0u);
    words_.store(line(0, 3, counter_notify), 4, word + 64, VectorClock());
    words_.copied(copy->counter, clock_of(0, 4));
    EXPECT_EQ(known(line(0, 3)), 4u);
    EXPECT_EQ(known(word + 64), 4u);
}

TEST(VectorClock, HasElementsBehindTheCores) {
    VectorClock clock = clock_of(0, 3);
    clock.set(cores + 2, 7);
    EXPECT_EQ(clock[cores + 2], 7u);
    EXPECT_EQ(clock[cores + 1], 0u);
    VectorClock other = clock_of(1, 2);
    EXPECT_TRUE(other.join(clock));
    EXPECT_EQ(other[cores + 2], 7u);
    EXPECT_EQ(other[1], 2u);
}

TEST_F(Words, OtherMemoryHasNoLines) {
    const std::uint32_t external = 0x8e000000 | events::tags_base;
    words_.store(external, 1, 3, clock_of(0, 2));
    EXPECT_EQ(known(external), 2u);
}

} // namespace
