// SPDX-License-Identifier: BSD-3-Clause
// The FPU's arithmetic: corners by hand, and finite numbers against the host's IEEE arithmetic, whose results are the
// same wherever nothing is subnormal.
#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <random>

#include "epiphany/isa/float.hpp"

namespace fpu = skerry::sim::fpu;
using fpu::Rounding;

namespace {

constexpr std::uint32_t one = 0x3f800000, two = 0x40000000, minus_one = 0xbf800000;
constexpr std::uint32_t infinity = 0x7f800000, minus_infinity = 0xff800000, quiet_nan = 0x7fc00000;
constexpr std::uint32_t smallest = 0x00800000, largest = 0x7f7fffff, denormal = 0x007fffff;
constexpr std::uint32_t overflow = 1U << 10, BIS = 1U << 13, BVS = 1U << 14, BUS = 1U << 15;

struct Case {
    fpu::Result (*function)(std::uint32_t, std::uint32_t, Rounding);
    std::uint32_t a, b;
    std::uint32_t nearest, nearest_raised, truncated, truncated_raised;
};

} // namespace

TEST(Float, Corners) {
    const Case cases[] = {
        {fpu::add, one, one, two, 0, two, 0},
        {fpu::add, one, 0x33800000, one, 0, one, 0}, // 1 + 2^-24: a tie, to even
        {fpu::add, 0x3f800001, 0x33800000, 0x3f800002, 0, 0x3f800001, 0},
        {fpu::add, one, 0x33800001, 0x3f800001, 0, one, 0},      // just above the tie
        {fpu::subtract, one, 0x32800000, one, 0, 0x3f7fffff, 0}, // 1 - 2^-26: truncation sees every bit
        {fpu::subtract, one, smallest, one, 0, 0x3f7fffff, 0},
        {fpu::add, largest, largest, infinity, overflow | BVS, largest, overflow | BVS},
        {fpu::add, 0xff7fffff, 0xff7fffff, minus_infinity, overflow | BVS, 0xff7fffff, overflow | BVS},
        {fpu::add, one, minus_one, 0, 0, 0, 0}, // plus zero
        {fpu::add, 0x80000000, 0x80000000, 0x80000000, 0, 0x80000000, 0},
        {fpu::add, 0x80000000, 0, 0, 0, 0, 0},
        {fpu::add, denormal, denormal, 0, 0, 0, 0}, // operands count as zero, silently
        {fpu::add, 0x807fffff, 0x807fffff, 0x80000000, 0, 0x80000000, 0},
        {fpu::add, denormal, one, one, 0, one, 0},
        {fpu::subtract, 0x00800001, smallest, 0, BUS, 0, BUS}, // a result too small becomes zero, and says so
        {fpu::subtract, smallest, 0x00800001, 0x80000000, BUS, 0x80000000, BUS},
        {fpu::add, infinity, infinity, infinity, 0, infinity, 0},
        {fpu::subtract, infinity, infinity, quiet_nan, BIS, quiet_nan, BIS},
        {fpu::add, minus_infinity, infinity, quiet_nan, BIS, quiet_nan, BIS},
        {fpu::add, one, minus_infinity, minus_infinity, 0, minus_infinity, 0},
        {fpu::add, 0x7f800001, 0xffc00005, 0x7fc00001, BIS, 0x7fc00001, BIS},  // the first NaN, made quiet
        {fpu::subtract, one, 0xff800009, 0xffc00009, BIS, 0xffc00009, BIS},    // its sign stays
        {fpu::multiply, 0x4b7ffffd, 0x4b000001, 0x56ffffff, 0, 0x56fffffe, 0}, // Parks' hard case
        {fpu::multiply, two, minus_one, 0xc0000000, 0, 0xc0000000, 0},
        {fpu::multiply, smallest, smallest, 0, BUS, 0, BUS},
        {fpu::multiply, 0x80800000, smallest, 0x80000000, BUS, 0x80000000, BUS},
        {fpu::multiply, smallest, 0x3f000000, 0, BUS, 0, BUS}, // exactly 2^-127
        {fpu::multiply, 0x3f7fffff, 0x00800001, smallest, 0, smallest, 0},
        {fpu::multiply, 0x3f7fffff, smallest, smallest, 0, 0, BUS}, // rounds up to what can be kept
        {fpu::multiply, 0x3f7ffffe, smallest, 0, BUS, 0, BUS},
        {fpu::multiply, largest, two, infinity, overflow | BVS, largest, overflow | BVS},
        {fpu::multiply, infinity, 0, quiet_nan, BIS, quiet_nan, BIS},
        {fpu::multiply, denormal, minus_infinity, quiet_nan, BIS, quiet_nan, BIS}, // a denormal is zero here too
        {fpu::multiply, minus_infinity, minus_one, infinity, 0, infinity, 0},
        {fpu::multiply, 0, 0x80000000, 0x80000000, 0, 0x80000000, 0},
    };
    for (const Case &c : cases) {
        const fpu::Result nearest = c.function(c.a, c.b, Rounding::nearest_even);
        const fpu::Result truncated = c.function(c.a, c.b, Rounding::truncate);
        const auto which = &c - cases;
        EXPECT_EQ(nearest.bits, c.nearest) << "case " << which;
        EXPECT_EQ(nearest.raised, c.nearest_raised) << "case " << which;
        EXPECT_EQ(truncated.bits, c.truncated) << "case " << which;
        EXPECT_EQ(truncated.raised, c.truncated_raised) << "case " << which;
    }
}

TEST(Float, MultiplyAddRoundsOnce) {
    const auto madd = [](std::uint32_t d, std::uint32_t a, std::uint32_t b) {
        return fpu::multiply_add(d, a, b, 0, Rounding::nearest_even);
    };
    const auto msub = [](std::uint32_t d, std::uint32_t a, std::uint32_t b) {
        return fpu::multiply_add(d, a, b, fpu::sign_bit, Rounding::nearest_even);
    };
    EXPECT_EQ(madd(two, two, two).bits, 0x40c00000U); // 2 + 2 * 2
    EXPECT_EQ(msub(0xc0000000, 0xc0000000, 0xc0000000).bits, 0xc0c00000U);
    // (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46, which two roundings lose
    EXPECT_EQ(madd(0xbf800002, 0x3f800001, 0x3f800001).bits, 0x28800000U);
    EXPECT_EQ(msub(0x3f800002, 0x3f800001, 0x3f800001).bits, 0xa8800000U);
    EXPECT_EQ(madd(0, 0, minus_one).bits, 0U); // 0 + -0
    EXPECT_EQ(madd(0x80000000, 0, minus_one).bits, 0x80000000U);
    EXPECT_EQ(msub(one, one, one).bits, 0U);
    // a sum of 2^127 and what is left of an overflowing product is no overflow
    EXPECT_EQ(msub(0x7f000000, 0x7f000000, 0x3fc00000).raised, 0U);
    EXPECT_EQ(madd(0xff7fffff, 0x7f7fffff, two).bits, largest);
    EXPECT_EQ(madd(quiet_nan + 1, 0x7f800002, 0x7f800003).bits, 0x7fc00002U); // rn, rm, then rd
    EXPECT_EQ(madd(quiet_nan + 1, one, 0x7f800003).bits, 0x7fc00003U);
    EXPECT_EQ(madd(0xff800001, infinity, 0).bits, 0xffc00001U);
    EXPECT_EQ(madd(minus_infinity, infinity, one).bits, quiet_nan);
    EXPECT_EQ(msub(minus_infinity, infinity, one).bits, minus_infinity);
    EXPECT_EQ(madd(one, infinity, 0).raised, BIS);
    EXPECT_EQ(madd(minus_infinity, one, one).bits, minus_infinity);
}

TEST(Float, Conversions) {
    struct Fix {
        std::uint32_t bits;
        std::int32_t nearest, truncated;
    };
    const Fix fixes[] = {
        {0, 0, 0},
        {0x80000000, 0, 0},
        {denormal, 0, 0},
        {0x3f000000, 1, 0}, // 0.5: halves go away from zero
        {0xbf000000, -1, 0},
        {0x3effffff, 0, 0}, // just below
        {0x3fc00000, 2, 1}, // 1.5
        {0x40200000, 3, 2}, // 2.5
        {0xc0200000, -3, -2},
        {0x40eaa7f0, 7, 7}, // 7.333
        {0x4b000001, 8388609, 8388609},
        {0x4effffff, 2147483520, 2147483520},
        {0x4f000000, 0x7fffffff, 0x7fffffff},
        {0xcf000000, INT32_MIN, INT32_MIN},
        {0xcf000001, INT32_MIN, INT32_MIN},
        {infinity, 0x7fffffff, 0x7fffffff},
        {minus_infinity, INT32_MIN, INT32_MIN},
        {0x7fc00000, 0x7fffffff, 0x7fffffff},
        {0xffc00000, INT32_MIN, INT32_MIN},
    };
    for (const Fix &c : fixes) {
        const fpu::Result nearest = fpu::to_integer(c.bits, Rounding::nearest_even);
        EXPECT_EQ(static_cast<std::int32_t>(nearest.bits), c.nearest) << std::hex << c.bits;
        EXPECT_EQ(nearest.raised, 0U);
        EXPECT_EQ(static_cast<std::int32_t>(fpu::to_integer(c.bits, Rounding::truncate).bits), c.truncated)
            << std::hex << c.bits;
    }
    EXPECT_EQ(fpu::from_integer(0, Rounding::nearest_even).bits, 0U);
    EXPECT_EQ(fpu::from_integer(5, Rounding::nearest_even).bits, 0x40a00000U);
    EXPECT_EQ(fpu::from_integer(0x80000000, Rounding::nearest_even).bits, 0xcf000000U);
    EXPECT_EQ(fpu::from_integer(0x7fffffff, Rounding::nearest_even).bits, 0x4f000000U);
    EXPECT_EQ(fpu::from_integer(0x7fffffff, Rounding::truncate).bits, 0x4effffffU);
    EXPECT_EQ(fpu::from_integer(0xffffffff, Rounding::truncate).bits, minus_one);
    EXPECT_EQ(fpu::absolute(minus_one).bits, one);
    EXPECT_EQ(fpu::absolute(0x80000001).bits, 0U);
    EXPECT_EQ(fpu::absolute(minus_infinity).bits, infinity);
    EXPECT_EQ(fpu::absolute(0xff800001).bits, 0x7f800001U); // not made quiet
}

namespace {

float as_float(std::uint32_t bits) {
    return std::bit_cast<float>(bits);
}

// Results that IEEE rounds among subnormal numbers differ, as do NaN's bits.
void expect_same(float expected, fpu::Result result) {
    if (std::fpclassify(expected) == FP_SUBNORMAL || std::fabs(expected) == as_float(smallest)) return;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(expected), result.bits);
}

} // namespace

TEST(Float, FiniteNumbersAgreeWithIeee) {
    std::mt19937 random(7);
    const auto number = [&random] { // exponents close enough to meet
        const auto bits = static_cast<std::uint32_t>(random());
        const std::uint32_t exponent = random() % 8 == 0 ? bits >> 24 & 0xff : 100 + bits % 56;
        return (bits & 0x807fffff) | (exponent == 0 || exponent == 255 ? 127 : exponent) << 23;
    };
    for (unsigned k = 0; k < 500000; k++) {
        const std::uint32_t a = number(), b = number(), c = number();
        const float x = as_float(a), y = as_float(b), z = as_float(c);
        expect_same(x + y, fpu::add(a, b, Rounding::nearest_even));
        expect_same(x - y, fpu::subtract(a, b, Rounding::nearest_even));
        expect_same(x * y, fpu::multiply(a, b, Rounding::nearest_even));
        expect_same(std::fma(y, z, x), fpu::multiply_add(a, b, c, 0, Rounding::nearest_even));
        expect_same(std::fma(-y, z, x), fpu::multiply_add(a, b, c, fpu::sign_bit, Rounding::nearest_even));
        const auto integer = static_cast<std::int32_t>(random());
        expect_same(static_cast<float>(integer),
                    fpu::from_integer(static_cast<std::uint32_t>(integer), Rounding::nearest_even));
    }
}

namespace {

// Numbers whose sums and products fall next to where rounding decides: few bits, far apart or just touching.
std::uint32_t awkward(std::mt19937 &random) {
    const auto bits = static_cast<std::uint32_t>(random());
    const std::uint32_t fraction = bits >> 8 & 1 ? 0 : bits >> 9 & 1 ? 0x7fffff : 1U << (bits >> 10 & 15);
    const std::uint32_t exponent = bits >> 16 & 3 ? 127 - 30 + bits % 60 : bits % 256;
    return (bits & 0x80000000) | exponent << 23 | (bits >> 20 & 3 ? fraction : bits & 0x7fffff);
}

} // namespace

TEST(Float, TheShortcutIsExactHoweverTheHostRounds) {
    for (const int host : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        std::mt19937 random(11);
        std::fesetround(host);
        unsigned wrong = 0;
        for (unsigned k = 0; k < 400000; k++) {
            const std::uint32_t a = awkward(random), b = awkward(random), c = awkward(random);
            for (const Rounding rounding : {Rounding::nearest_even, Rounding::truncate}) {
                const auto differ = [](fpu::Result x, fpu::Result y) {
                    return x.bits != y.bits || x.raised != y.raised;
                };
                wrong += differ(fpu::add(a, b, rounding), fpu::exact::add(a, b, rounding));
                wrong += differ(fpu::multiply(a, b, rounding), fpu::exact::multiply(a, b, rounding));
                wrong +=
                    differ(fpu::multiply_add(a, b, c, 0, rounding), fpu::exact::multiply_add(a, b, c, 0, rounding));
            }
        }
        std::fesetround(FE_TONEAREST);
        EXPECT_EQ(wrong, 0U) << "host rounding " << host;
    }
}
