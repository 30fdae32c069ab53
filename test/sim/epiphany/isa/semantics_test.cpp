// SPDX-License-Identifier: BSD-3-Clause
// Every instruction's meaning, by values worked out by hand from binutils' description; the FPU's arithmetic has
// float_test.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "epiphany/isa/decode.hpp"
#include "epiphany/isa/semantics.hpp"
#include "machine.hpp"

using namespace skerry::sim;

namespace {

constexpr std::uint32_t Z = status::zero, N = status::negative, C = status::carry, V = status::overflow;
constexpr std::uint32_t VS = status::overflow_sticky;
constexpr std::uint32_t BZ = status::float_zero, BN = status::float_negative, BV = status::float_overflow;

struct Alu {
    Op op;
    std::uint32_t rn, rm, result, flags;
};

} // namespace

TEST(Semantics, IntegerArithmeticAndFlags) {
    const Alu cases[] = {
        {Op::add, 2, 3, 5, 0},
        {Op::add, 0xffffffff, 1, 0, Z | C},
        {Op::add, 0x7fffffff, 1, 0x80000000, N | V | VS},
        {Op::add, 0x80000000, 0x80000000, 0, Z | C | V | VS},
        {Op::add, 0x80000000, 0x7fffffff, 0xffffffff, N},
        {Op::subtract, 5, 3, 2, C},
        {Op::subtract, 3, 5, 0xfffffffe, N},
        {Op::subtract, 7, 7, 0, Z | C},
        {Op::subtract, 0x80000000, 1, 0x7fffffff, C | V | VS},
        {Op::subtract, 0, 0x80000000, 0x80000000, N | V | VS},
        {Op::subtract, 0, 0, 0, Z | C},
        {Op::bit_and, 0xf0f0, 0xff00, 0xf000, 0},
        {Op::bit_and, 0xf0, 0x0f, 0, Z},
        {Op::bit_or, 0x80000000, 1, 0x80000001, N},
        {Op::exclusive_or, 0xff, 0xff, 0, Z},
        {Op::exclusive_or, 0xf0000000, 0x0f, 0xf000000f, N},
        {Op::shift_left, 1, 31, 0x80000000, N},
        {Op::shift_left, 1, 32, 1, 0}, // five bits of the count matter
        {Op::shift_left, 3, 31 + 64, 0x80000000, N},
        {Op::shift_right, 0x80000000, 31, 1, 0},
        {Op::shift_right, 1, 1, 0, Z},
        {Op::shift_right_signed, 0x80000000, 31, 0xffffffff, N},
        {Op::shift_right_signed, 0x40000000, 30, 1, 0},
        {Op::bit_reverse, 0x00008000, 0, 0x00010000, 0},
        {Op::bit_reverse, 1, 0, 0x80000000, N},
        {Op::bit_reverse, 0, 0, 0, Z},
    };
    for (const Alu &c : cases) {
        Machine m;
        m.s.status = Z | N | C | V | BZ; // all that is not set below must be cleared, but for the FPU's
        m.s.r[20] = c.rn;
        m.s.r[21] = c.rm;
        EXPECT_EQ(m.run(c.op, 63, 20, 21), Outcome::done);
        EXPECT_EQ(m.s.r[63], c.result) << facts_of(c.op).name << ' ' << c.rn << ' ' << c.rm;
        EXPECT_EQ(m.s.status, c.flags | BZ) << facts_of(c.op).name << ' ' << c.rn << ' ' << c.rm;
        EXPECT_EQ(m.s.pc, 0x104U);
    }
}

TEST(Semantics, Immediates) {
    const Alu cases[] = {
        {Op::add_immediate, 10, 0xffffffff, 9, C},
        {Op::subtract_immediate, 10, 0xfffffc00, 1034, 0},
        {Op::shift_left_immediate, 1, 4, 16, 0},
        {Op::shift_right_immediate, 0x80000000, 31, 1, 0},
        {Op::shift_right_signed_immediate, 0x80000000, 4, 0xf8000000, N},
        {Op::shift_left_immediate, 0x80000001, 0, 0x80000001, N},
        {Op::move_immediate, 0, 0xffff, 0xffff, 0},
    };
    for (const Alu &c : cases) {
        Machine m;
        m.s.r[1] = c.rn;
        EXPECT_EQ(m.run(c.op, 2, 1, 0, static_cast<std::int32_t>(c.rm)), Outcome::done);
        EXPECT_EQ(m.s.r[2], c.result) << facts_of(c.op).name;
        EXPECT_EQ(m.s.status, c.flags) << facts_of(c.op).name;
    }
    Machine m;
    m.s.r[2] = 0x12345678;
    m.run(Op::move_high, 2, 0, 0, 0xabcd);
    EXPECT_EQ(m.s.r[2], 0xabcd5678U);
}

TEST(Semantics, OverflowSticksAndMovesKeepFlags) {
    Machine m;
    m.s.r[1] = 0x7fffffff;
    m.run(Op::add_immediate, 2, 1, 0, 1);
    m.run(Op::add_immediate, 2, 0, 0, 1);
    EXPECT_EQ(m.s.status, VS);
    m.s.status = Z | N;
    m.run(Op::move_immediate, 2, 0, 0, 5);
    m.run(Op::move, 2, 1);
    EXPECT_EQ(m.s.status, Z | N);
}

// Rows of flags under which each condition holds, out of those named: none, Z, N, C, V, N and V, Z and C, BZ, BN, BZ
// and BN.
TEST(Semantics, Conditions) {
    const std::uint32_t flags[] = {0, Z, N, C, V, N | V, Z | C, BZ, BN, BZ | BN};
    const char *const expected[] = {
        "-*----*---", // eq
        "*-****-***", // ne
        "---*------", // gtu
        "---*--*---", // gteu
        "***-******", // lteu
        "***-**-***", // ltu
        "*--*-*-***", // gt
        "**-*-*****", // gte
        "--*-*-----", // lt
        "-**-*-*---", // lte
        "-------*-*", // beq
        "*******-*-", // bne
        "--------*-", // blt
        "-------***", // blte
        "**********", // always
        "**********", // link
    };
    for (unsigned c = 0; c < 16; c++) {
        for (unsigned k = 0; k < 10; k++) {
            const bool wanted = expected[c][k] == '*';
            EXPECT_EQ(holds(static_cast<Condition>(c), flags[k]), wanted) << "condition " << c << ", flags " << k;
            Machine m;
            m.s.status = flags[k];
            m.s.r[3] = 7;
            Instruction move;
            move.operation = Op::move;
            move.condition = static_cast<Condition>(c);
            move.rd = 4;
            move.rn = 3;
            m.run(move);
            EXPECT_EQ(m.s.r[4], wanted ? 7U : 0U);
            EXPECT_EQ(m.s.pc, 0x102U);
            Instruction branch;
            branch.operation = Op::branch;
            branch.condition = static_cast<Condition>(c);
            branch.immediate = -0x40;
            EXPECT_EQ(m.run(branch), wanted ? Outcome::jumped : Outcome::done);
            EXPECT_EQ(m.s.pc, wanted ? 0xc2U : 0x104U);
        }
    }
}

TEST(Semantics, ConditionsAfterComparisons) {
    const std::uint32_t values[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
    for (const std::uint32_t a : values) {
        for (const std::uint32_t b : values) {
            Machine m;
            m.s.r[1] = a;
            m.s.r[2] = b;
            m.run(Op::subtract, 3, 1, 2);
            const auto x = static_cast<std::int32_t>(a);
            const auto y = static_cast<std::int32_t>(b);
            EXPECT_EQ(holds(Condition::equal, m.s.status), a == b);
            EXPECT_EQ(holds(Condition::higher, m.s.status), a > b);
            EXPECT_EQ(holds(Condition::higher_or_same, m.s.status), a >= b);
            EXPECT_EQ(holds(Condition::lower, m.s.status), a < b);
            EXPECT_EQ(holds(Condition::lower_or_same, m.s.status), a <= b);
            EXPECT_EQ(holds(Condition::greater, m.s.status), x > y);
            EXPECT_EQ(holds(Condition::greater_or_equal, m.s.status), x >= y);
            EXPECT_EQ(holds(Condition::less, m.s.status), x < y);
            EXPECT_EQ(holds(Condition::less_or_equal, m.s.status), x <= y);
        }
    }
}

TEST(Semantics, JumpsAndLinks) {
    Machine m;
    Instruction bl = decode(0x02f0); // bl .+4
    EXPECT_EQ(m.run(bl), Outcome::jumped);
    EXPECT_EQ(m.s.pc, 0x104U);
    EXPECT_EQ(m.s.r[14], 0x102U);
    m.s.r[14] = 0x200;
    EXPECT_EQ(m.run(decode(0x0402155f)), Outcome::jumped); // jalr sp
    EXPECT_EQ(m.s.pc, 0U);
    EXPECT_EQ(m.s.r[14], 0x108U);
    m.s.r[14] = 0x300;
    EXPECT_EQ(m.run(decode(0x0402195f)), Outcome::jumped); // jalr lr: to where lr was
    EXPECT_EQ(m.s.pc, 0x300U);
    EXPECT_EQ(m.s.r[14], 4U);
    EXPECT_EQ(m.run(decode(0x0402194f)), Outcome::jumped); // rts
    EXPECT_EQ(m.s.pc, 4U);
    m.s.r[3] = 0x80900010;
    EXPECT_EQ(m.run(decode(0x0d42)), Outcome::jumped); // jr r3
    EXPECT_EQ(m.s.pc, 0x80900010U);
}

TEST(Semantics, LoadsAndTheirAddresses) {
    Machine m;
    m.put(0x200, 0x8899aabb);
    m.put(0x204, 0x11223344);
    m.s.r[1] = 0x1f8;
    m.s.r[2] = 8;
    m.run(Op::load_word_displacement, 10, 1, 0, 8);
    EXPECT_EQ(m.s.r[10], 0x8899aabbU);
    m.run(Op::load_half_displacement, 10, 1, 0, 10);
    EXPECT_EQ(m.s.r[10], 0x8899U); // zero extended
    m.run(Op::load_byte_displacement, 10, 1, 0, 9);
    EXPECT_EQ(m.s.r[10], 0xaaU);
    m.run(Op::load_double_index, 10, 1, 2);
    EXPECT_EQ(m.s.r[10], 0x8899aabbU);
    EXPECT_EQ(m.s.r[11], 0x11223344U);
    m.run(Op::load_word_postmodify_displacement, 12, 1, 0, -16);
    EXPECT_EQ(m.s.r[1], 0x1e8U);
    m.s.r[1] = 0x204;
    m.run(Op::load_half_postmodify_index, 2, 1, 2); // the offset is read before the load writes it
    EXPECT_EQ(m.s.r[2], 0x3344U);
    EXPECT_EQ(m.s.r[1], 0x20cU);
    Instruction minus = decode(0x2410254d); // ldr r9,[r9],-r2
    m.s.r[2] = 4;
    m.s.r[9] = 0x204;
    m.run(minus);
    EXPECT_EQ(m.s.r[9], 0x200U); // the base wins over what was loaded
}

TEST(Semantics, Stores) {
    Machine m;
    m.s.r[1] = 0x200;
    m.s.r[2] = 4;
    m.s.r[4] = 0x11223344;
    m.s.r[5] = 0x55667788;
    m.run(Op::store_double_displacement, 4, 1, 0, 8);
    EXPECT_EQ(m.word(0x208), 0x11223344U);
    EXPECT_EQ(m.word(0x20c), 0x55667788U);
    m.run(Op::store_byte_index, 4, 1, 2);
    EXPECT_EQ(m.word(0x204), 0x44U);
    m.run(Op::store_half_postmodify_displacement, 5, 1, 0, 2);
    EXPECT_EQ(m.word(0x200), 0x7788U);
    EXPECT_EQ(m.s.r[1], 0x202U);
    m.s.r[1] = 0x210;
    m.run(Op::store_word_postmodify_index, 1, 1, 2); // stores the base as it was
    EXPECT_EQ(m.word(0x210), 0x210U);
    EXPECT_EQ(m.s.r[1], 0x214U);
}

TEST(Semantics, TestsetWritesOnlyOverZero) {
    Machine m;
    m.s.r[1] = 0x200;
    m.s.r[3] = 77;
    EXPECT_EQ(m.run(Op::testset_word, 3, 1, 2), Outcome::done);
    EXPECT_EQ(m.s.r[3], 0U);
    EXPECT_EQ(m.word(0x200), 77U);
    m.s.r[3] = 88;
    m.run(Op::testset_word, 3, 1, 2);
    EXPECT_EQ(m.s.r[3], 77U);
    EXPECT_EQ(m.word(0x200), 77U);
    m.s.r[3] = 0x1234;
    m.s.r[2] = 3;
    m.run(Op::testset_byte, 3, 1, 2);
    EXPECT_EQ(m.s.r[3], 0U);
    EXPECT_EQ(m.word(0x200), 0x34000000U + 77);
    m.s.r[2] = 2;
    m.run(Op::testset_half, 3, 1, 2);
    EXPECT_EQ(m.s.r[3], 0x3400U);
}

TEST(Semantics, UnalignedAccessIsAnException) {
    for (const auto &[op, address, rd] :
         {std::tuple{Op::load_word_displacement, 0x202U, 4U}, std::tuple{Op::load_half_displacement, 0x201U, 4U},
          std::tuple{Op::load_double_displacement, 0x204U, 4U}, std::tuple{Op::store_word_displacement, 0x201U, 4U},
          std::tuple{Op::testset_word, 0x202U, 4U}, std::tuple{Op::load_double_displacement, 0x208U, 5U},
          std::tuple{Op::store_double_displacement, 0x208U, 63U}}) {
        Machine m;
        m.s.r[1] = address;
        m.s.r[4] = m.s.r[5] = m.s.r[63] = 5;
        EXPECT_EQ(m.run(op, rd, 1), Outcome::exception);
        EXPECT_EQ(m.s.status, 2U << 16);
        EXPECT_EQ(m.s.interrupt_latch, 2U);
        EXPECT_EQ(m.s.r[4], 5U);
        EXPECT_EQ(m.s.pc, 0x104U);
        EXPECT_EQ(m.word(address & ~7U), 0U);
    }
    Machine m;
    m.s.r[1] = 0x201;
    EXPECT_EQ(m.run(Op::load_word_postmodify_displacement, 4, 1, 0, 8), Outcome::exception);
    EXPECT_EQ(m.s.r[1], 0x209U);
}

TEST(Semantics, RefusedAccessLeavesNoTrace) {
    for (unsigned k = 0; k < operation_count; k++) {
        const auto op = static_cast<Op>(k);
        const Facts &facts = facts_of(op);
        const bool bus = facts.size != 0 || facts.format == Format::to_special || facts.format == Format::from_special;
        if (!bus) continue;
        for (const Access answer : {Access::again, Access::fault}) {
            Machine m;
            m.s.r[1] = 0x200;
            m.s.r[2] = 8;
            m.s.r[4] = 3;
            m.s.loop_count = 2;
            m.s.loop_end = m.s.pc;
            m.bus.answer = answer;
            const State before = m.s;
            EXPECT_EQ(m.run(op, 4, 1, 2, 8), answer == Access::again ? Outcome::again : Outcome::fault);
            EXPECT_EQ(m.s, before) << facts.name;
        }
    }
}

TEST(Semantics, IntegerModeOfTheFpu) {
    struct Case {
        Op op;
        std::uint32_t rd, rn, rm, result, flags;
    };
    const Case cases[] = {
        {Op::float_add, 0, 1, 2, 3, 0},
        {Op::float_add, 0, 0x7fffffff, 1, 0x80000000, BN},
        {Op::float_subtract, 0, 2, 2, 0, BZ},
        {Op::float_multiply, 0, 8, 9, 72, 0},
        {Op::float_multiply, 0, 0xffffffff, 5, 0xfffffffb, BN},
        {Op::float_multiply, 0, 0x10000, 0x10000, 0, BZ},
        {Op::float_multiply_add, 100, 0xfffffffe, 50, 0, BZ},
        {Op::float_multiply_add, 1, 2, 3, 7, 0},
        {Op::float_multiply_subtract, 1, 2, 3, 0xfffffffb, BN},
    };
    for (const Case &c : cases) {
        Machine m;
        m.s.config = 0x80000 | config::invalid_exception;
        m.s.status = BV | Z;
        m.s.r[40] = c.rd;
        m.s.r[41] = c.rn;
        m.s.r[42] = c.rm;
        EXPECT_EQ(m.run(c.op, 40, 41, 42), Outcome::done);
        EXPECT_EQ(m.s.r[40], c.result) << facts_of(c.op).name;
        EXPECT_EQ(m.s.status, c.flags | Z) << facts_of(c.op).name;
    }
}

TEST(Semantics, FloatFlagsAndExceptions) {
    Machine m;
    m.s.r[1] = 0x7f7fffff;
    EXPECT_EQ(m.run(Op::float_add, 2, 1, 1), Outcome::done);
    EXPECT_EQ(m.s.r[2], 0x7f800000U);
    EXPECT_EQ(m.s.status, BV | status::float_overflow_sticky);
    EXPECT_EQ(m.run(Op::float_subtract, 2, 1, 1), Outcome::done); // the sticky flag stays, the other goes
    EXPECT_EQ(m.s.status, BZ | status::float_overflow_sticky);
    m.s.config = config::overflow_exception;
    EXPECT_EQ(m.run(Op::float_absolute, 2, 1), Outcome::exception); // and raises as soon as it is enabled
    EXPECT_EQ(m.s.status >> 16, 3U);
    EXPECT_EQ(m.s.interrupt_latch, 2U);

    Machine u; // as the GPL simulator's test of it: only BUS comes of the smallest number squared
    u.s.config = 0xe;
    u.s.r[10] = 0x00800000;
    EXPECT_EQ(u.run(Op::float_multiply, 10, 10, 10), Outcome::exception);
    EXPECT_EQ(u.s.status & 0xf000, 0x8000U);
    EXPECT_EQ(u.s.r[10], 0U);

    Machine f; // FIX to -2^31 is negative, not zero; minus zero is zero
    f.s.r[1] = 0xcf000000;
    f.run(Op::float_to_integer, 2, 1);
    EXPECT_EQ(f.s.r[2], 0x80000000U);
    EXPECT_EQ(f.s.status, BN);
    f.s.r[1] = 0x80000000;
    f.run(Op::float_add, 2, 1, 1);
    EXPECT_EQ(f.s.r[2], 0x80000000U);
    EXPECT_EQ(f.s.status, BN | BZ);
    EXPECT_TRUE(holds(Condition::float_equal, f.s.status));
    EXPECT_FALSE(holds(Condition::float_less, f.s.status));
}
