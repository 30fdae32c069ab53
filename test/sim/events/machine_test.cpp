// SPDX-License-Identifier: BSD-3-Clause
// Counters, queues and command buffers of whole machines: programs of cores reach them by loads and stores.
#include <gtest/gtest.h>

#include "chip/describe.hpp"
#include "riscv/machine.hpp"

using namespace skerry::sim;

namespace {

constexpr std::uint32_t line_at(std::uint32_t line, std::uint32_t word = 0) {
    return events::lines_base + line * events::line_bytes + 4 * word;
}

struct Sarc : Bench {
    explicit Sarc(const char *name = "sarc-4") : Bench(find_machine(name).value()) {
    }
    std::uint32_t global(std::uint32_t k, std::uint32_t offset) {
        return at(k).id() << 20 | offset;
    }
    void store(std::uint32_t k, std::uint32_t offset, std::uint32_t value) {
        ASSERT_EQ(at(k).write_register(offset, 4, value, 0), Access::done);
    }
    void tag(std::uint32_t k, std::uint32_t line, LineKind kind, std::uint32_t items = 0) {
        store(k, events::tags_base + 4 * line, static_cast<std::uint32_t>(kind) | items << 8);
    }
    std::uint32_t load(std::uint32_t k, std::uint32_t offset) {
        std::uint64_t value = 0;
        EXPECT_TRUE(at(k).read_register(offset, 4, value, 0));
        return static_cast<std::uint32_t>(value);
    }
    // A command buffer of core k in lines 0 and 1 for messages of one word to an address.
    void command(std::uint32_t k, std::uint32_t address, std::uint32_t word, std::uint32_t return_address = 0) {
        tag(k, 0, LineKind::command);
        store(k, line_at(0), address);
        store(k, line_at(0, 1), return_address);
        store(k, line_at(1), word);
        at(k).state.x[10] = line_at(0, 2);
    }
};

// The barrier of Tendulkar et al. (2011): each core sends a message to a counter, which notifies all of them. Their
// 79, 87, 94 and 100 cycles are the inputs of the machine, except for some cycles of the program.
TEST(EventMachine, ABarrierByACounterTakesTheInputs) {
    constexpr std::array paper = {79, 87, 94, 100};
    for (std::uint32_t cores = 1; cores <= 4; cores++) {
        Sarc s;
        s.tag(0, 4, LineKind::counter);
        s.store(0, line_at(4, 7), 0U - cores);
        s.store(0, line_at(4, 2), 1);
        for (std::uint32_t k = 0; k < cores; k++) {
            s.store(0, line_at(4, 3 + k), s.global(k, line_at(8)));
            s.command(k, s.global(0, line_at(4)), 1);
            s.at(k).state.x[5] = 4; // a message of four bytes
            s.at(k).state.x[8] = line_at(8);
            s.at(k).state.x[9] = 1;
            s.put({sw(5, 10), lw(7, 8), bne(7, 9, -4)}, code_base, k);
        }
        s.run(cores);
        std::uint64_t longest = 0;
        for (std::uint32_t k = 0; k < cores; k++) {
            EXPECT_EQ(s.load(k, line_at(8)), 1u);
            longest = std::max(longest, s.at(k).counters.cycles());
        }
        EXPECT_NEAR(static_cast<double>(longest), paper[cores - 1], 8) << cores;
        RecordProperty(std::to_string(cores), std::to_string(longest));
    }
}

TEST(EventMachine, AStoreToACounterOfAnotherCoreAdds) {
    Sarc s;
    s.tag(1, 4, LineKind::counter);
    s.at(0).state.x[5] = 3;
    s.at(0).state.x[8] = s.global(1, line_at(4));
    s.put({sw(5, 8), sw(5, 8), lw(6, 8)});
    s.run();
    EXPECT_EQ(s.core.state.x[6], 6u); // the load does not overtake the stores
    EXPECT_EQ(s.load(1, line_at(4)), 6u);
}

TEST(EventMachine, AMessageDoesNotOvertakeStoresAndAFenceWaitsForIt) {
    Sarc s;
    s.tag(1, 4, LineKind::counter);
    s.command(0, s.global(1, data_base), 77);
    s.at(0).state.x[5] = 4;
    s.at(0).state.x[6] = 5;
    s.at(0).state.x[8] = s.global(1, data_base);
    s.put({sw(6, 8), sw(5, 10), fence});
    EXPECT_NEAR(static_cast<double>(s.run()), 1 + 10 + 30, 6);
    EXPECT_EQ(s.word(data_base, 1), 77u);
}

// fence w,w waits for stores, but not for messages.
TEST(EventMachine, AFenceOfWritesDoesNotWaitForMessages) {
    constexpr std::uint32_t fence_of_writes = 0x0110000f;
    const auto cycles = [](std::initializer_list<std::uint32_t> code) {
        Sarc s;
        s.command(0, s.global(1, data_base), 77);
        s.at(0).state.x[5] = 4;
        s.at(0).state.x[8] = s.global(1, data_base + 64);
        s.put(code);
        const auto result = static_cast<double>(s.run());
        EXPECT_EQ(s.chip.run().kind, EndKind::deadlock); // the message arrives
        EXPECT_EQ(s.word(data_base, 1), 77u);
        return result;
    };
    EXPECT_LT(cycles({sw(5, 10), fence_of_writes}), 6);
    EXPECT_NEAR(cycles({sw(5, 10), sw(5, 8), fence_of_writes}), 2 + 30, 6);
    EXPECT_NEAR(cycles({sw(5, 8), sw(5, 10), fence}), 2 + 10 + 30, 6);
}

TEST(EventMachine, AMessageOfALineArrivesAtOnce) {
    Sarc s;
    s.command(0, s.global(1, data_base), 100);
    for (std::uint32_t k = 1; k < 8; k++) s.store(0, line_at(1, k), 100 + k);
    s.at(0).state.x[5] = 32;
    s.put({sw(5, 10), fence});
    s.run();
    for (std::uint32_t k = 0; k < 8; k++) EXPECT_EQ(s.word(data_base + 4 * k, 1), 100 + k);
}

// A lock: a queue with one token. 73 cycles to take it are 10 to start and 30 each way.
TEST(EventMachine, AQueueWithATokenIsALock) {
    Sarc s;
    s.tag(0, 4, LineKind::multiple_reader, 4);
    for (std::uint32_t k = 0; k < 4; k++) {
        s.command(k, s.global(0, line_at(4)), 1, s.global(k, line_at(12)));
        s.at(k).state.x[5] = 4 | 2 << 8; // dequeue
        s.at(k).state.x[6] = 4 | 1 << 8; // enqueue
        s.at(k).state.x[8] = line_at(12);
        s.at(k).state.x[9] = 1;
        s.at(k).state.x[11] = s.global(0, data_base);
        // Takes the token, adds 1 to a word by a load and a store, and gives the token back, 100 times.
        s.at(k).state.x[12] = 100;
        s.put({sw(0, 8), sw(5, 10), lw(7, 8), bne(7, 9, -4), lw(13, 11), addi(13, 13, 1), sw(13, 11), fence, sw(6, 10),
               addi(12, 12, -1), bne(12, 0, -40)},
              code_base, k);
    }
    s.put({sw(6, 10)}, 0x2000, 0); // the first token
    s.chip.start(1, 0x2000);
    while (s.at(0).active()) s.chip.run(1'000'000);
    s.run(4);
    EXPECT_EQ(s.chip.run().kind, EndKind::deadlock); // the last message arrives
    EXPECT_EQ(s.word(data_base), 400u);
    EXPECT_EQ(s.load(0, line_at(4)), 1u);
}

TEST(EventMachine, TakingAFreeLockTakesTheInputs) {
    Sarc s;
    s.tag(0, 4, LineKind::multiple_reader, 4);
    s.command(1, s.global(0, line_at(4)), 1, s.global(1, line_at(12)));
    s.at(1).state.x[5] = 4 | 2 << 8;
    s.at(1).state.x[6] = 4 | 1 << 8;
    s.at(1).state.x[8] = line_at(12);
    s.at(1).state.x[9] = 1;
    s.put({sw(6, 10), fence, sw(5, 10), lw(7, 8), bne(7, 9, -4)}, code_base, 1);
    s.put({}, code_base, 0);
    s.run(2);
    EXPECT_NEAR(static_cast<double>(s.at(1).counters.cycles()), 20 + 30 + 73, 8);
}

TEST(EventMachine, WrongStoresStopTheirCore) {
    const auto stop_of = [](std::uint32_t to, LineKind kind, std::uint32_t items, std::uint32_t line = 4) {
        Sarc s;
        s.tag(to, 4, kind, items);
        s.core.state.x[5] = 1;
        s.core.state.x[8] = s.global(to, line_at(line));
        s.put({sw(5, 8), fence});
        s.run();
        return s.core.stop.kind;
    };
    EXPECT_EQ(stop_of(1, LineKind::counter, 0), StopKind::breakpoint);
    EXPECT_EQ(stop_of(1, LineKind::single_reader, 2), StopKind::no_memory);
    EXPECT_EQ(stop_of(1, LineKind::multiple_reader, 2), StopKind::no_memory);
    EXPECT_EQ(stop_of(1, LineKind::single_reader, 2, 5), StopKind::no_memory);
    EXPECT_EQ(stop_of(1, LineKind::command, 0), StopKind::no_memory);
    EXPECT_EQ(stop_of(0, LineKind::multiple_reader, 2), StopKind::bad_register);
    EXPECT_EQ(stop_of(1, LineKind::counter, 0, 128), StopKind::no_memory); // behind the last line
}

TEST(EventMachine, AMessageOfTheWrongKindStopsItsSender) {
    Sarc s;
    s.command(0, s.global(1, line_at(4)), 1);
    s.at(0).state.x[5] = 4 | 1 << 8; // an enqueue to a plain line
    s.put({sw(5, 10), fence});
    s.run();
    EXPECT_EQ(s.core.stop.kind, StopKind::no_memory);
    EXPECT_EQ(s.core.stop.address, s.global(1, line_at(4)));
}

TEST(EventMachine, ANotificationToExternalMemoryStopsTheCore) {
    Sarc s;
    s.tag(0, 4, LineKind::counter);
    s.store(0, line_at(4, 7), 0U - 1);
    s.store(0, line_at(4, 3), 0x8e000000);
    s.core.state.x[5] = 1;
    s.core.state.x[8] = line_at(4);
    s.put({sw(5, 8), lw(6, 8), bne(6, 5, -4)});
    s.run();
    EXPECT_EQ(s.core.stop.kind, StopKind::no_memory);
    EXPECT_EQ(s.core.stop.address, 0x8e000000u);
}

// A core that waits for a queue into which nobody enqueues: the run ends with a report.
TEST(EventMachine, AnEmptyQueueIsADeadlockThatIsReported) {
    Sarc s;
    s.tag(0, 4, LineKind::multiple_reader, 4);
    s.command(0, s.global(0, line_at(4)), 1, s.global(0, line_at(12)));
    s.core.state.x[5] = 4 | 2 << 8;
    s.core.state.x[8] = line_at(12);
    s.put({sw(5, 10), lw(7, 8), bne(7, 5, -4)});
    s.chip.start(1, code_base);
    EXPECT_EQ(s.chip.run(50'000'000).kind, EndKind::polling);
}

TEST(EventMachine, MachinesWithoutEventsHaveNoLines) {
    Sarc s("riscv-16");
    s.core.state.x[8] = line_at(0);
    s.put({lw(5, 8)});
    s.run();
    EXPECT_EQ(s.core.stop.kind, StopKind::no_memory);
}

} // namespace
