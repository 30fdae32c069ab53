// SPDX-License-Identifier: BSD-3-Clause
// Cases of floating-point arithmetic that random programs seldom meet: results next to the limits of the formats, with
// their flags.
#include <gtest/gtest.h>

#include "riscv/float.hpp"

using namespace skerry::sim::riscv::fp;

namespace {

template <class Bits> struct Case {
    Bits result;
    std::uint32_t raised;
    bool operator==(const Case &) const = default;
};
template <class Bits> void PrintTo(const Case<Bits> &c, std::ostream *to) {
    *to << std::hex << c.result << " flags " << c.raised;
}

template <class F = Single, class Function> auto with(std::uint8_t rounding, Function &&f) {
    Context c{rounding, 0};
    const auto result = f(c);
    return Case<typename F::Bits>{result, c.raised};
}
auto product(std::uint32_t a, std::uint32_t b, std::uint8_t rounding = nearest_even) {
    return with(rounding, [&](Context &c) { return multiply<Single>(c, a, b); });
}
auto sum(std::uint32_t a, std::uint32_t b, std::uint8_t rounding = nearest_even) {
    return with(rounding, [&](Context &c) { return add<Single>(c, a, b); });
}

using S = Case<std::uint32_t>;

constexpr std::uint32_t one = 0x3f800000;
constexpr std::uint32_t largest = 0x7f7fffff;
constexpr std::uint32_t least_normal = 0x00800000;
constexpr std::uint32_t infinity = 0x7f800000;
constexpr std::uint32_t nan = 0x7fc00000;
constexpr std::uint32_t minus = 0x80000000;

TEST(RiscvFloat, TininessIsDetectedAfterRounding) {
    // (1 + 2^-23) * (1 - 2^-23) of the smallest normal number rounds to it with 24 bits: it is not tiny.
    EXPECT_EQ(product(0x00800001, 0x3f7ffffe), (S{least_normal, inexact}));
    // 1 - 2^-24 of it is a number of 24 bits below it: it is tiny, although it rounds to the same.
    EXPECT_EQ(product(least_normal, 0x3f7fffff), (S{least_normal, inexact | underflow}));
    EXPECT_EQ(product(least_normal, 0x3f000000), (S{0x00400000, 0})); // exact: no underflow
}

TEST(RiscvFloat, OverflowFollowsTheRoundingMode) {
    EXPECT_EQ(sum(largest, largest), (S{infinity, overflow | inexact}));
    EXPECT_EQ(sum(largest, largest, to_zero), (S{largest, overflow | inexact}));
    EXPECT_EQ(sum(largest, largest, down), (S{largest, overflow | inexact}));
    EXPECT_EQ(sum(minus | largest, minus | largest, down), (S{minus | infinity, overflow | inexact}));
    EXPECT_EQ(sum(minus | largest, minus | largest, up), (S{minus | largest, overflow | inexact}));
    EXPECT_EQ(sum(largest, 0x73000000), (S{infinity, overflow | inexact})); // half a unit: a tie to even
    EXPECT_EQ(sum(largest, 0x72ffffff), (S{largest, inexact}));
}

TEST(RiscvFloat, ZerosHaveSigns) {
    EXPECT_EQ(sum(one, minus | one), (S{0, 0}));
    EXPECT_EQ(sum(one, minus | one, down), (S{minus, 0}));
    EXPECT_EQ(sum(minus, minus), (S{minus, 0}));
    EXPECT_EQ(product(0, minus | one), (S{minus, 0}));
}

TEST(RiscvFloat, InvalidOperations) {
    EXPECT_EQ(sum(infinity, minus | infinity), (S{nan, invalid}));
    EXPECT_EQ(product(infinity, 0), (S{nan, invalid}));
    EXPECT_EQ(sum(0x7f800001, one), (S{nan, invalid})); // a signalling NaN
    EXPECT_EQ(sum(0xffc12345, one), (S{nan, 0}));       // a quiet one is not passed on
    const auto fused = [](Context &c) { return multiply_add<Single>(c, infinity, 0, nan); };
    EXPECT_EQ(with(nearest_even, fused), (S{nan, invalid}));
    EXPECT_EQ(with(nearest_even, [](Context &c) { return square_root<Single>(c, minus); }), (S{minus, 0}));
    EXPECT_EQ(with(nearest_even, [](Context &c) { return square_root<Single>(c, minus | one); }), (S{nan, invalid}));
    EXPECT_EQ(with(nearest_even, [](Context &c) { return divide<Single>(c, one, minus); }),
              (S{minus | infinity, divide_by_zero}));
}

TEST(RiscvFloat, FusedOperationsRoundOnce) {
    // (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46
    const auto fused = [](Context &c) { return multiply_add<Single>(c, 0x3f800001, 0x3f800001, minus | 0x3f800002); };
    EXPECT_EQ(with(nearest_even, fused), (S{0x28800000, 0}));
}

TEST(RiscvFloat, IntegersAtTheirLimits) {
    const auto integer = [](std::uint32_t bits, bool is_signed, std::uint8_t rounding = to_zero) {
        return with(rounding, [&](Context &c) { return to_integer<Single>(c, bits, is_signed); });
    };
    EXPECT_EQ(integer(0x4f000000, true), (S{0x7fffffff, invalid})); // 2^31
    EXPECT_EQ(integer(0xcf000000, true), (S{0x80000000, 0}));       // -2^31
    EXPECT_EQ(integer(0x4f7fffff, false), (S{0xffffff00, 0}));
    EXPECT_EQ(integer(0x4f800000, false), (S{0xffffffff, invalid})); // 2^32
    EXPECT_EQ(integer(0xbf000000, false), (S{0, inexact}));          // -0.5
    EXPECT_EQ(integer(0xbf800000, false), (S{0, invalid}));          // -1
    EXPECT_EQ(integer(nan | minus, true), (S{0x7fffffff, invalid}));
    EXPECT_EQ(integer(0x40200000, true, nearest_even), (S{2, inexact})); // 2.5
    EXPECT_EQ(integer(0x40200000, true, nearest_away), (S{3, inexact}));
}

} // namespace
