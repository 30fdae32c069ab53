// SPDX-License-Identifier: BSD-3-Clause
// Computes the results of the instructions of the floating-point unit from bit patterns.
// * Namespace `exact` computes with integers only. It stores a significand in the upper bits of a field of 63 bits. The
//   significand of a float has 24 bits, and the product of two significands has at most 48 bits. So below a product 15
//   bits of the field are free. If an operation shifts bits out of the field, the lowest bit of the field is set for
//   them (a sticky bit). Therefore multiply-add rounds only once, when the sum becomes a float.
// * Most instructions use a faster path in the host's double precision. This path is used only if its result is
//   certainly the same, in every rounding mode of the host.
//
// Special cases (source: epiphany-fp.c of Adapteva's functional simulator):
// * A denormal operand counts as zero of its sign, and a result that would be denormal becomes zero of its sign.
// * If an operand is a NaN, the result is this NaN, made quiet. If several operands are NaNs, the NaN in rn has
//   priority over that in rm, and the NaN in rm over that in rd.
// * An invalid operation gives 7fc00000.
// * Truncation never makes an infinity from finite operands. FIX saturates and rounds halves away from zero.
//
// Skerry differs from that simulator in two cases, in which the simulator shows the behaviour of its host and not of
// the chip:
// * The simulator cuts a multiply-add to 53 bits before it rounds. Here FMADD is a fused operation, as in GCC's
//   epiphany.md.
// * The simulator reports underflow only if bits were lost. Here every result that is flushed to zero reports
//   underflow.
#pragma once
#include <bit>
#include <cstdint>

#include "epiphany/isa/registers.hpp"

namespace skerry::sim::fpu {

struct Result {
    std::uint32_t bits;
    std::uint32_t raised; // flags to set in STATUS: overflow and sticky flags
};

enum class Rounding : bool { nearest_even, truncate };

constexpr std::uint32_t sign_bit = 0x80000000;
constexpr std::uint32_t infinity = 0x7f800000;
constexpr std::uint32_t largest = 0x7f7fffff;
constexpr std::uint32_t default_nan = 0x7fc00000;
constexpr std::uint32_t quiet = 0x00400000;
constexpr std::uint32_t raised_invalid = status::float_invalid_sticky;
constexpr std::uint32_t raised_overflow = status::float_overflow | status::float_overflow_sticky;
constexpr std::uint32_t raised_underflow = status::float_underflow_sticky;

constexpr bool is_nan(std::uint32_t a) {
    return (a & ~sign_bit) > infinity;
}
constexpr bool is_infinite(std::uint32_t a) {
    return (a & ~sign_bit) == infinity;
}
constexpr bool is_special(std::uint32_t a) {
    return (a & infinity) == infinity;
}
constexpr bool is_zero(std::uint32_t a) { // also true for a denormal
    return (a & infinity) == 0;
}

// An unpacked number. The value of the number is (-1)^negative * significand * 2^(exponent - 62). The highest bit of
// the significand that is set is bit 62, or the significand is 0.
struct Number {
    bool negative;
    std::int32_t exponent;
    std::uint64_t significand;
};

constexpr unsigned top = 62;
constexpr unsigned dropped = top - 23; // number of bits below the 24 that a float keeps

constexpr Number unpack(std::uint32_t a) {
    const std::int32_t biased = a >> 23 & 0xff;
    const std::uint64_t fraction = biased == 0 ? 0 : (a & 0x7fffff) | 0x800000;
    return {(a & sign_bit) != 0, biased - 127, fraction << dropped};
}

constexpr std::uint64_t shift_right_sticky(std::uint64_t a, std::int32_t by) {
    if (by > 63) return a != 0;
    return a >> by | static_cast<std::uint64_t>((a & ((std::uint64_t{1} << by) - 1)) != 0);
}

// Returns the 24 highest bits of a significand, rounded. The result is 0x1000000 if rounding carries.
constexpr std::uint32_t rounded(std::uint64_t significand, Rounding rounding) {
    const std::uint64_t rest = significand & ((std::uint64_t{1} << dropped) - 1);
    const auto kept = static_cast<std::uint32_t>(significand >> dropped);
    constexpr std::uint64_t half = std::uint64_t{1} << (dropped - 1);
    const bool up = rest > half || (rest == half && (kept & 1) != 0);
    return kept + (up && rounding == Rounding::nearest_even);
}

constexpr Result pack(Number n, Rounding rounding) {
    const std::uint32_t sign = n.negative ? sign_bit : 0;
    if (n.significand == 0) return {sign, 0};
    const std::int32_t biased = n.exponent + 127;
    if (biased <= 0) [[unlikely]] { // too small: 0, or the smallest normal float if rounding reaches it
        const bool normal = rounded(shift_right_sticky(n.significand, 1 - biased), rounding) >= 0x800000;
        return normal ? Result{sign | 0x800000, 0} : Result{sign, raised_underflow};
    }
    const std::uint32_t magnitude =
        (static_cast<std::uint32_t>(biased - 1) << 23) + rounded(n.significand, rounding); // can carry to the exponent
    if (magnitude >= infinity) [[unlikely]] {
        return {sign | (rounding == Rounding::truncate ? largest : infinity), raised_overflow};
    }
    return {sign | magnitude, 0};
}

constexpr Number product(Number x, Number y) {
    const std::uint64_t bits = (x.significand >> dropped) * (y.significand >> dropped); // 47 or 48 bits, or 0
    const unsigned carry = static_cast<unsigned>(bits >> 47);
    return {x.negative != y.negative, x.exponent + y.exponent + static_cast<std::int32_t>(carry), bits << (16 - carry)};
}

constexpr Number sum(Number x, Number y) {
    if (y.significand == 0) return x.significand == 0 ? Number{x.negative && y.negative, 0, 0} : x;
    if (x.significand == 0) return y;
    const bool swapped = x.exponent != y.exponent ? x.exponent < y.exponent : x.significand < y.significand;
    const Number &large = swapped ? y : x;
    const Number &small = swapped ? x : y;
    const std::uint64_t aligned = shift_right_sticky(small.significand, large.exponent - small.exponent);
    if (large.negative == small.negative) {
        const std::uint64_t added = large.significand + aligned;
        const auto carry = static_cast<std::int32_t>(added >> 63);
        return {large.negative, large.exponent + carry, shift_right_sticky(added, carry)};
    }
    const std::uint64_t difference = large.significand - aligned;
    if (difference == 0) return {false, 0, 0};
    const std::int32_t shift = std::countl_zero(difference) - 1;
    return {large.negative, large.exponent - shift, difference << shift};
}

// Computes the result if an operand is a NaN. The functions *_special below compute results for NaNs and infinities.
constexpr Result pass_nan(std::uint32_t a) {
    return {a | quiet, raised_invalid};
}

constexpr Result add_special(std::uint32_t a, std::uint32_t b) {
    if (is_nan(a)) return pass_nan(a);
    if (is_nan(b)) return pass_nan(b);
    if (is_infinite(a) && is_infinite(b) && a != b) return {default_nan, raised_invalid};
    return {is_infinite(a) ? a : b, 0};
}

constexpr Result multiply_special(std::uint32_t a, std::uint32_t b) {
    if (is_nan(a)) return pass_nan(a);
    if (is_nan(b)) return pass_nan(b);
    if (is_zero(a) || is_zero(b)) return {default_nan, raised_invalid};
    return {((a ^ b) & sign_bit) | infinity, 0};
}

constexpr Result multiply_add_special(std::uint32_t addend, std::uint32_t a, std::uint32_t b, std::uint32_t flip) {
    if (is_special(a) || is_special(b)) {
        const Result multiplied = multiply_special(a, b);
        if (is_nan(a) || is_nan(b)) return multiplied;
        if (is_nan(addend)) return pass_nan(addend);
        if (is_nan(multiplied.bits)) return multiplied;
        return add_special(addend, multiplied.bits ^ flip);
    }
    return add_special(addend, 0);
}

namespace exact {

constexpr Result add(std::uint32_t a, std::uint32_t b, Rounding rounding) {
    if (is_special(a) || is_special(b)) [[unlikely]]
        return add_special(a, b);
    return pack(sum(unpack(a), unpack(b)), rounding);
}

constexpr Result multiply(std::uint32_t a, std::uint32_t b, Rounding rounding) {
    if (is_special(a) || is_special(b)) [[unlikely]]
        return multiply_special(a, b);
    return pack(product(unpack(a), unpack(b)), rounding);
}

// Returns addend + a * b. If flip is sign_bit, returns addend - a * b.
constexpr Result multiply_add(std::uint32_t addend, std::uint32_t a, std::uint32_t b, std::uint32_t flip,
                              Rounding rounding) {
    if (is_special(addend) || is_special(a) || is_special(b)) [[unlikely]] {
        return multiply_add_special(addend, a, b, flip);
    }
    return pack(sum(unpack(addend), product(unpack(a ^ flip), unpack(b))), rounding);
}

} // namespace exact

// Rounds `sum` to a float. The host has computed `sum` in double precision. Returns 0 if the float is possibly wrong.
// The caller then computes again by namespace `exact`.
//
// Why the float can be wrong: `sum` is already rounded once, by the host. (Only a product of two floats is exact in
// double precision.) In every rounding mode of the host, the error is less than 1 in the last bit of `sum`. So there
// are only two cases:
// * The lowest 29 bits of `sum`, which a float does not have, differ by at most 1 from `decision`. At `decision` the
//   rounding to a float changes its direction.
// * `sum` is near or outside the limits of the normal floats.
constexpr std::uint32_t certain(double sum, Rounding rounding) {
    constexpr std::uint64_t double_sign = std::uint64_t{1} << 63;
    constexpr std::uint64_t cut_off = (std::uint64_t{1} << 29) - 1;
    constexpr std::uint64_t begin = std::uint64_t{1023 - 127 + 2} << 52;
    constexpr std::uint64_t end = std::uint64_t{1023 - 127 + 254} << 52;
    const auto bits = std::bit_cast<std::uint64_t>(sum);
    const std::uint64_t magnitude = bits & ~double_sign;
    const std::uint64_t decision = rounding == Rounding::nearest_even ? (cut_off + 1) / 2 : 0;
    const bool close = ((bits - decision + 1) & cut_off) <= 2;
    if (close || magnitude - begin >= end - begin) return 0;
    const std::uint64_t rounded_up = magnitude - (std::uint64_t{1023 - 127} << 52) + decision;
    return static_cast<std::uint32_t>(bits >> 32 & sign_bit) | static_cast<std::uint32_t>(rounded_up >> 29);
}

constexpr bool is_usual(std::uint32_t a) { // neither zero nor denormal, infinity or NaN
    return (a & infinity) - 0x00800000 < infinity - 0x00800000;
}

constexpr double widened(std::uint32_t a) {
    return std::bit_cast<float>(a);
}

constexpr Result add(std::uint32_t a, std::uint32_t b, Rounding rounding) {
    if (is_usual(a) && is_usual(b)) [[likely]] {
        const std::uint32_t result = certain(widened(a) + widened(b), rounding);
        if (result != 0) [[likely]]
            return {result, 0};
    }
    return exact::add(a, b, rounding);
}

constexpr Result subtract(std::uint32_t a, std::uint32_t b, Rounding rounding) {
    if (is_nan(b)) [[unlikely]]
        return is_nan(a) ? pass_nan(a) : pass_nan(b); // a NaN keeps its sign
    return add(a, b ^ sign_bit, rounding);
}

constexpr Result multiply(std::uint32_t a, std::uint32_t b, Rounding rounding) {
    if (is_usual(a) && is_usual(b)) [[likely]] {
        const std::uint32_t result = certain(widened(a) * widened(b), rounding);
        if (result != 0) [[likely]]
            return {result, 0};
    }
    return exact::multiply(a, b, rounding);
}

constexpr Result multiply_add(std::uint32_t addend, std::uint32_t a, std::uint32_t b, std::uint32_t flip,
                              Rounding rounding) {
    if (is_usual(addend) && is_usual(a) && is_usual(b)) [[likely]] {
        const std::uint32_t result = certain(widened(addend) + widened(a ^ flip) * widened(b), rounding);
        if (result != 0) [[likely]]
            return {result, 0};
    }
    return exact::multiply_add(addend, a, b, flip, rounding);
}

constexpr Result absolute(std::uint32_t a) {
    return {is_zero(a) ? 0 : a & ~sign_bit, 0};
}

constexpr Result from_integer(std::uint32_t a, Rounding rounding) {
    const bool negative = (a & sign_bit) != 0;
    const std::uint64_t magnitude = negative ? 0 - a : a;
    if (magnitude == 0) return {0, 0};
    const std::int32_t shift = std::countl_zero(magnitude) - 1;
    return pack({negative, static_cast<std::int32_t>(top) - shift, magnitude << shift}, rounding);
}

constexpr Result to_integer(std::uint32_t a, Rounding rounding) {
    const Number n = unpack(a);
    if (n.exponent >= 31) return {n.negative ? 0x80000000 : 0x7fffffff, 0}; // also for NaN, infinity and -2^31
    if (n.exponent < -1) return {0, 0};
    const std::uint64_t halves = n.significand >> (top - 1 - static_cast<unsigned>(n.exponent));
    const auto magnitude = static_cast<std::uint32_t>((halves + (rounding == Rounding::nearest_even)) >> 1);
    return {n.negative ? 0 - magnitude : magnitude, 0};
}

} // namespace skerry::sim::fpu
