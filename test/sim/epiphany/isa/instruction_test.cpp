// SPDX-License-Identifier: BSD-3-Clause
// What a pipeline asks about an instruction. That it is true is also tried out: execute() must neither read nor write a
// register that is not named.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "epiphany/isa/decode.hpp"
#include "epiphany/isa/semantics.hpp"
#include "plain_bus.hpp"
#include "rounds.hpp"

using namespace skerry::sim;

namespace {

constexpr std::uint64_t bits(std::initializer_list<unsigned> registers) {
    std::uint64_t set = 0;
    for (const unsigned r : registers) set |= std::uint64_t{1} << r;
    return set;
}

} // namespace

TEST(Instruction, RegistersReadAndWritten) {
    const Instruction ldrd = decode(0x8fe4); // ldrd r4,[r3,7]
    EXPECT_EQ(registers_read(ldrd), bits({3}));
    EXPECT_EQ(registers_written(ldrd), bits({4, 5}));
    const Instruction strd = decode(0x8ff4); // strd r4,[r3,7]
    EXPECT_EQ(registers_read(strd), bits({3, 4, 5}));
    EXPECT_EQ(registers_written(strd), 0U);
    const Instruction post = decode(0x2410254d); // ldr r9,[r9],-r2
    EXPECT_EQ(registers_read(post), bits({2, 9}));
    EXPECT_EQ(registers_written(post), bits({9}));
    const Instruction testset = decode(0x00200549); // testset r0,[r1,+r2]
    EXPECT_EQ(registers_read(testset), bits({0, 1, 2}));
    EXPECT_EQ(registers_written(testset), bits({0}));
    const Instruction bl = decode(0x02f0);
    EXPECT_EQ(registers_written(bl), bits({14}));
    const Instruction fmadd = decode(0x0537); // fmadd r0,r1,r2
    EXPECT_EQ(registers_read(fmadd), bits({0, 1, 2}));
    EXPECT_EQ(flags_read(decode(0x0200)), Flags::integer);  // beq
    EXPECT_EQ(flags_read(decode(0x02a0)), Flags::floating); // bbeq
    EXPECT_EQ(flags_read(decode(0x02e0)), Flags::none);     // b
    EXPECT_EQ(flags_read(fmadd), Flags::none);
}

TEST(Instruction, KindFollowsTheMode) {
    EXPECT_EQ(kind_of(Operation::float_multiply, false), Kind::floating);
    EXPECT_EQ(kind_of(Operation::float_multiply, true), Kind::integer_on_float);
    EXPECT_EQ(kind_of(Operation::float_to_integer, true), Kind::floating);
    EXPECT_EQ(kind_of(Operation::add, true), Kind::integer);
    EXPECT_EQ(kind_of(Operation::testset_word, false), Kind::load);
    EXPECT_EQ(facts_of(Operation::store_double_index).size, 8);
    EXPECT_EQ(facts_of(Operation::add).writes_flags, Flags::integer);
    EXPECT_EQ(facts_of(Operation::move_immediate).writes_flags, Flags::none);
}

TEST(Instruction, NothingElseIsReadOrWritten) {
    std::mt19937 random(3);
    for (unsigned k = 0; k < rounds(200000); k++) {
        auto word = static_cast<std::uint32_t>(random());
        if (k % 2) word = (word & ~0x03f00000U);
        const Instruction i = decode(word);
        State first;
        PlainBus bus;
        bus.memory.resize(64); // enough: addresses wrap around
        for (std::uint32_t &r : first.r) r = static_cast<std::uint32_t>(random()) & ~7U;
        State second = first;
        const std::uint64_t read = registers_read(i);
        const std::uint64_t written = registers_written(i);
        for (unsigned r = 0; r < 64; r++) {
            if (!(read >> r & 1)) second.r[r] = ~first.r[r];
        }
        const State before = second;
        PlainBus same = bus;
        ASSERT_EQ(execute(first, i, bus), execute(second, i, same));
        const bool conditional = i.operation == Operation::move && first.r[i.rd] != second.r[i.rd];
        for (unsigned r = 0; r < 64; r++) {
            const bool kept = second.r[r] == before.r[r];
            if (!(written >> r & 1)) {
                ASSERT_TRUE(kept) << facts_of(i.operation).name << " wrote r" << r;
            } else if (!conditional && !(second.status & status::cause)) {
                ASSERT_EQ(first.r[r], second.r[r]) << facts_of(i.operation).name << " read more than it says";
            }
        }
        ASSERT_EQ(first.status, second.status) << facts_of(i.operation).name;
        ASSERT_EQ(bus.memory, same.memory) << facts_of(i.operation).name;
    }
}
