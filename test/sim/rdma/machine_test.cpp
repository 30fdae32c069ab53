// SPDX-License-Identifier: BSD-3-Clause
// Copies on whole machines: programs of cores start them by stores to command lines.
#include <gtest/gtest.h>

#include "chip/describe.hpp"
#include "events/line_words.hpp"
#include "riscv/machine.hpp"

using namespace skerry::sim;

namespace {

constexpr std::uint32_t counter_line = 4;
constexpr std::uint32_t external = 0x8e000000;
constexpr std::uint32_t far_base = 0x9000; // in another core's memory

constexpr std::uint32_t line_at(std::uint32_t line, std::uint32_t word = 0) {
    return events::lines_base + line * events::line_bytes + 4 * word;
}
constexpr std::uint32_t go_copy(std::uint32_t bytes) {
    return events::copy_kind << 8 | bytes << events::copy_bytes_shift;
}

struct Sarc : Bench {
    explicit Sarc(const char *name = "sarc-4") : Sarc(find_machine(name).value()) {
    }
    explicit Sarc(const Machine &machine) : Bench(machine) {
    }
    std::uint32_t global(std::uint32_t k, std::uint32_t offset) {
        return at(k).id() << 20 | offset;
    }
    void store(std::uint32_t k, std::uint32_t offset, std::uint32_t value) {
        ASSERT_EQ(at(k).write_register(offset, 4, value, 0), Access::done);
    }
    void tag(std::uint32_t k, std::uint32_t line, LineKind kind) {
        store(k, events::tags_base + 4 * line, static_cast<std::uint32_t>(kind));
    }
    std::uint32_t load(std::uint32_t k, std::uint32_t offset) {
        std::uint64_t value = 0;
        EXPECT_TRUE(at(k).read_register(offset, 4, value, 0));
        return static_cast<std::uint32_t>(value);
    }
    // Prepares a copy of core k, by the command line 0, that a store of x5 to x10 starts. x8 is the address of the counter,
    // which has minus the number of bytes.
    void copy(std::uint32_t k, std::uint32_t to, std::uint32_t from, std::uint32_t bytes) {
        tag(k, 0, LineKind::command);
        tag(k, counter_line, LineKind::counter);
        store(k, line_at(counter_line, 7), 0U - bytes);
        store(k, line_at(0, events::command_address), to);
        store(k, line_at(0, events::command_return), from);
        store(k, line_at(0, events::command_counter), line_at(counter_line));
        at(k).state.x[5] = go_copy(bytes);
        at(k).state.x[8] = line_at(counter_line);
        at(k).state.x[10] = line_at(0, events::command_go);
    }
    void fill(Memory &memory, std::uint32_t offset, std::uint32_t bytes) {
        for (std::uint32_t k = 0; k < bytes; k += 4) memory.write(offset + k, value_of(k));
    }
    bool is_filled(const Memory &memory, std::uint32_t offset, std::uint32_t bytes) {
        for (std::uint32_t k = 0; k < bytes; k += 4) {
            if (memory.read<std::uint32_t>(offset + k) != value_of(k)) return false;
        }
        return true;
    }
    static std::uint32_t value_of(std::uint32_t k) {
        return 0x1000000 + 7 * k;
    }
};

// Starts the copy, and polls its counter.
constexpr std::initializer_list<std::uint32_t> start_and_wait = {sw(5, 10), lw(7, 8), bne(7, 0, -4)};

// 10 cycles until the first word moves, 30 one way, one cycle for each further double word, and 30 back.
TEST(CopyMachine, APutTakesTheInputs) {
    for (const std::uint32_t bytes : {8U, 32U, 256U, 4096U}) {
        Sarc s;
        s.fill(s.at(0).memory, data_base, bytes);
        s.copy(0, s.global(1, far_base), data_base, bytes);
        s.put(start_and_wait);
        EXPECT_NEAR(static_cast<double>(s.run()), 10 + 30 + bytes / 8.0 - 1 + 30, 8) << bytes;
        EXPECT_TRUE(s.is_filled(s.at(1).memory, far_base, bytes));
        EXPECT_EQ(s.word(far_base + bytes, 1), 0u);
        EXPECT_EQ(s.load(0, line_at(0, events::command_outstanding)), 0u);
        EXPECT_EQ(s.chip.copied_bytes(0), bytes);
    }
}

TEST(CopyMachine, AGetTakesTheInputs) {
    for (const std::uint32_t bytes : {8U, 32U, 256U, 4096U}) {
        Sarc s;
        s.fill(s.at(1).memory, far_base, bytes);
        s.copy(0, s.global(0, data_base), s.global(1, far_base), bytes);
        s.put(start_and_wait);
        EXPECT_NEAR(static_cast<double>(s.run()), 10 + 60 + bytes / 8.0 - 1, 10) << bytes;
        EXPECT_TRUE(s.is_filled(s.at(0).memory, data_base, bytes));
    }
}

// Three cores that get from one memory share its one answer a cycle.
TEST(CopyMachine, CoresShareAMemory) {
    Sarc s;
    s.fill(s.at(0).memory, far_base, 2048);
    for (std::uint32_t k = 1; k < 4; k++) {
        s.copy(k, data_base, s.global(0, far_base), 2048);
        s.put(start_and_wait, code_base, k);
    }
    s.put({}, code_base, 0);
    s.run(4);
    for (std::uint32_t k = 1; k < 4; k++) {
        EXPECT_TRUE(s.is_filled(s.at(k).memory, data_base, 2048)) << k;
        EXPECT_LT(s.at(k).counters.cycles(), 70u + 3 * 256 + 40) << k;
    }
    EXPECT_GT(s.at(3).counters.cycles(), 3u * 256);
}

TEST(CopyMachine, ExternalMemoryIsAsSlowAsItsLink) {
    const Machine machine = find_machine("sarc-4").value();
    constexpr std::uint32_t bytes = 1024;
    Sarc get;
    get.fill(*get.chip.map().locate(external).memory, 0, bytes);
    get.copy(0, data_base, external, bytes);
    get.put(start_and_wait);
    const auto cycles = static_cast<double>(get.run());
    EXPECT_TRUE(get.is_filled(get.at(0).memory, data_base, bytes));
    EXPECT_NEAR(cycles, 10 + 60 + machine.link.memory_cycles + bytes / 8.0 * machine.link.inward_cycles, 60);
    Sarc put;
    put.fill(put.at(0).memory, data_base, bytes);
    put.copy(0, external, data_base, bytes);
    put.put(start_and_wait);
    EXPECT_NEAR(static_cast<double>(put.run()), 10 + 60 + bytes / 8.0 * machine.link.outward_cycles, 60);
    EXPECT_TRUE(put.is_filled(*put.chip.map().locate(external).memory, 0, bytes));
}

// While its unit copies, a core computes as fast as without. Code and data lie in other banks than the copied words.
TEST(CopyMachine, TheCoreComputesMeanwhile) {
    const auto cycles = [](bool copies) {
        Sarc s;
        s.fill(s.at(1).memory, far_base, 4096);
        s.copy(0, data_base, s.global(1, far_base), 4096);
        s.at(0).state.x[12] = 400;
        s.put({copies ? sw(5, 10) : addi(0, 0, 0), addi(12, 12, -1), bne(12, 0, -4)});
        const std::uint64_t result = s.run();
        EXPECT_EQ(s.is_filled(s.at(0).memory, data_base, 4096), copies);
        return result;
    };
    EXPECT_EQ(cycles(true), cycles(false));
}

TEST(CopyMachine, ACopyWithinTheOwnMemory) {
    Sarc s;
    s.fill(s.at(0).memory, data_base, 256);
    s.copy(0, s.global(0, 0xc000), data_base, 256); // another bank
    s.put(start_and_wait);
    EXPECT_NEAR(static_cast<double>(s.run()), 10 + 32, 8);
    EXPECT_TRUE(s.is_filled(s.at(0).memory, 0xc000, 256));
}

// A get does not overtake the stores of its core to the same memory.
TEST(CopyMachine, AGetSeesEarlierStores) {
    Sarc s;
    s.copy(0, data_base, s.global(1, far_base), 8);
    s.at(0).state.x[6] = 5;
    s.at(0).state.x[9] = s.global(1, far_base);
    s.put({sw(6, 9), sw(5, 10), lw(7, 8), bne(7, 0, -4)});
    s.run();
    EXPECT_EQ(s.word(data_base), 5u);
}

// The counter tells another core by itself that a copy is complete.
TEST(CopyMachine, ACounterNotifiesAtTheEndOfACopy) {
    Sarc s;
    s.fill(s.at(0).memory, data_base, 512);
    s.copy(0, s.global(1, far_base), data_base, 512);
    s.store(0, line_at(counter_line, events::counter_word), 1);
    s.store(0, line_at(counter_line, events::counter_notify), s.global(1, line_at(9)));
    s.at(1).state.x[8] = line_at(9);
    s.put({sw(5, 10)});
    s.put({lw(7, 8), bne(7, 5, -4)}, code_base, 1);
    s.at(1).state.x[5] = 1;
    s.run(2);
    EXPECT_TRUE(s.is_filled(s.at(1).memory, far_base, 512));
    EXPECT_NEAR(static_cast<double>(s.at(1).counters.cycles()), 10 + 30 + 64 + 30 + 31, 12);
}

// A core that starts more copies than fit waits, and the copies go on.
TEST(CopyMachine, MoreCopiesThanPlaces) {
    Sarc s;
    s.fill(s.at(0).memory, data_base, 256);
    s.copy(0, s.global(1, far_base), data_base, 256);
    s.store(0, line_at(counter_line, events::counter_set), 0U - 20 * 256);
    s.at(0).state.x[12] = 20;
    s.put({sw(5, 10), addi(12, 12, -1), bne(12, 0, -8), lw(7, 8), bne(7, 0, -4)});
    EXPECT_NEAR(static_cast<double>(s.run()), 10 + 20 * 32 + 60, 80);
}

TEST(CopyMachine, WrongCopiesStopTheirCore) {
    const auto stop_of = [](std::uint32_t to, std::uint32_t from, std::uint32_t go, std::uint32_t counter) {
        Sarc s;
        s.copy(0, to, from, 8);
        s.store(0, line_at(0, events::command_counter), counter);
        s.at(0).state.x[5] = go;
        s.put({sw(5, 10), lw(6, 8)});
        s.run();
        return s.core.stop.kind;
    };
    Sarc s;
    const std::uint32_t there = s.global(1, far_base), counter = line_at(counter_line);
    EXPECT_EQ(stop_of(there, data_base, go_copy(8), counter), StopKind::breakpoint);
    EXPECT_EQ(stop_of(there, data_base, go_copy(8), 0), StopKind::breakpoint);
    EXPECT_EQ(stop_of(there, data_base, go_copy(0), counter), StopKind::bad_register);
    EXPECT_EQ(stop_of(there, data_base, go_copy(6), counter), StopKind::bad_register);
    EXPECT_EQ(stop_of(there, data_base, go_copy(8) | 4, counter), StopKind::bad_register);
    EXPECT_EQ(stop_of(there + 2, data_base, go_copy(8), counter), StopKind::bad_register);
    EXPECT_EQ(stop_of(there, data_base + 1, go_copy(8), counter), StopKind::bad_register);
    EXPECT_EQ(stop_of(there, data_base, go_copy(8), line_at(5)), StopKind::bad_register);    // a plain line
    EXPECT_EQ(stop_of(there, data_base, go_copy(8), line_at(4, 1)), StopKind::bad_register); // not its value
    EXPECT_EQ(stop_of(there, s.global(2, 0), go_copy(8), counter), StopKind::bad_register);  // neither is near
    EXPECT_EQ(stop_of(there, 0xfffc, go_copy(8), counter), StopKind::bad_register);          // beyond the memory
    EXPECT_EQ(stop_of(s.global(1, 0xfffc), data_base, go_copy(8), counter), StopKind::bad_register);
    EXPECT_EQ(stop_of(s.global(1, counter), data_base, go_copy(8), counter), StopKind::bad_register); // a line
    EXPECT_EQ(stop_of(0x10000000, data_base, go_copy(8), counter), StopKind::bad_register);
}

TEST(CopyMachine, AChangedCounterStopsTheCore) {
    Sarc s;
    s.copy(0, s.global(1, far_base), data_base, 8);
    s.at(0).state.x[11] = events::tags_base + 4 * counter_line;
    s.at(0).state.x[12] = 200;
    s.put({sw(5, 10), sw(0, 11), addi(12, 12, -1), bne(12, 0, -4)});
    s.run();
    EXPECT_EQ(s.core.stop.kind, StopKind::no_memory);
    EXPECT_EQ(s.core.stop.address, s.global(0, line_at(counter_line)));
}

// Cores that wait for a copy that never comes: the run ends with a report. While a copy is under way, it does not.
TEST(CopyMachine, ACounterThatNobodyCompletesIsADeadlock) {
    Sarc s;
    s.copy(0, s.global(1, far_base), data_base, 8);
    s.put({lw(7, 8), bne(7, 0, -4)});
    s.chip.start(1, code_base);
    EXPECT_EQ(s.chip.run(50'000'000).kind, EndKind::polling);
}

TEST(CopyMachine, MachinesWithoutCopyUnitsRefuseCopies) {
    Machine machine = find_machine("sarc-4").value();
    EXPECT_EQ(Sarc(machine).load(0, 0xf001c), 128u | 8U << 16);
    machine.copies.copies = 0;
    Sarc s(machine);
    EXPECT_EQ(s.load(0, 0xf001c), 128u);
    s.copy(0, s.global(1, far_base), data_base, 8);
    s.put({sw(5, 10)});
    s.run();
    EXPECT_EQ(s.core.stop.kind, StopKind::bad_register);
}

} // namespace
