// SPDX-License-Identifier: BSD-3-Clause
// Computes the results and flags of floating-point instructions from bit patterns, for single and double precision. The
// code uses only integers, so the results are the same on every host.
// * A number is (-1)^negative * significand * 2^exponent. The significand has up to 128 bits, so that sums, products
//   and fused operations are exact before they are rounded once.
// * A bit is called sticky if it stands for all bits that were shifted out below it: it is 1 if one of them was 1.
// * As RISC-V requires, tininess (the cause of the underflow flag) is detected after rounding.
//
// Source: The RISC-V Instruction Set Manual, volume I, chapters "F" and "D"; IEEE 754-2008.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace skerry::sim::riscv::fp {

using Wide = unsigned __int128;

enum Rounding : std::uint8_t { nearest_even, to_zero, down, up, nearest_away };
enum Flag : std::uint32_t { inexact = 1, underflow = 2, overflow = 4, divide_by_zero = 8, invalid = 16 };

struct Context {
    std::uint8_t rounding = nearest_even;
    std::uint32_t raised = 0;
};

// The two formats. `precision` is the number of bits of the significand, including its hidden bit (the highest bit,
// which is not stored). `exponent_bits` is the number of bits of the exponent.
struct Single {
    using Bits = std::uint32_t;
    static constexpr int precision = 24;
    static constexpr int exponent_bits = 8;
};
struct Double {
    using Bits = std::uint64_t;
    static constexpr int precision = 53;
    static constexpr int exponent_bits = 11;
};

template <class F> struct Limits {
    using Bits = typename F::Bits;
    static constexpr int width = F::precision + F::exponent_bits;
    static constexpr int bias = (1 << (F::exponent_bits - 1)) - 1;
    // Exponent of the highest bit of the smallest normal number.
    static constexpr int least_exponent = 1 - bias;
    static constexpr Bits sign = Bits{1} << (width - 1);
    static constexpr Bits hidden = Bits{1} << (F::precision - 1);
    static constexpr Bits fraction = hidden - 1;
    static constexpr Bits infinity = ((Bits{1} << F::exponent_bits) - 1) << (F::precision - 1);
    static constexpr Bits quiet = hidden >> 1;
    static constexpr Bits nan = infinity | quiet; // the only NaN that instructions produce
};

enum class Class : std::uint8_t { zero, finite, infinite, nan };

struct Number {
    Class kind = Class::zero;
    bool negative = false;
    bool signalling = false;
    int exponent = 0;
    Wide significand = 0;
};

constexpr int length(Wide v) {
    const auto high = static_cast<std::uint64_t>(v >> 64);
    return high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(static_cast<std::uint64_t>(v));
}

template <class F> constexpr Number unpack(typename F::Bits bits) {
    using L = Limits<F>;
    Number n;
    n.negative = (bits & L::sign) != 0;
    const int field = static_cast<int>((bits & L::infinity) >> (F::precision - 1));
    const auto fraction = bits & L::fraction;
    if ((bits & L::infinity) == L::infinity) {
        n.kind = fraction == 0 ? Class::infinite : Class::nan;
        n.signalling = fraction != 0 && (fraction & L::quiet) == 0;
        return n;
    }
    if (field == 0 && fraction == 0) return n;
    n.kind = Class::finite;
    n.significand = field == 0 ? fraction : fraction | L::hidden;
    n.exponent = std::max(field, 1) - L::bias - (F::precision - 1);
    return n;
}

// Returns true if a significand must be rounded away from zero. `odd` is the last bit that is kept. `half` is the
// first bit that is cut off. `rest` is true if another bit that is cut off is 1.
constexpr bool rounds_away(std::uint8_t mode, bool negative, bool odd, bool half, bool rest) {
    switch (mode) {
    case nearest_even: return half && (rest || odd);
    case nearest_away: return half;
    case down: return negative && (half || rest);
    case up: return !negative && (half || rest);
    default: return false;
    }
}

struct Cut {
    Wide kept;
    bool lost; // true if a bit that is 1 was cut off
};
// Divides `v` by 2^shift and rounds the result. `sticky` is true if bits that are 1 were shifted out of `v` before. A
// negative `shift` is allowed only if `sticky` is false.
constexpr Cut cut(Wide v, int shift, bool sticky, std::uint8_t mode, bool negative) {
    if (shift <= 0) return {v << -shift, sticky};
    if (shift > 127) return {rounds_away(mode, negative, false, false, true) ? Wide{1} : Wide{0}, true};
    const Wide kept = v >> shift;
    const bool half = (v >> (shift - 1) & 1) != 0;
    const bool rest = (v & ((Wide{1} << (shift - 1)) - 1)) != 0 || sticky;
    return {kept + (rounds_away(mode, negative, (kept & 1) != 0, half, rest) ? 1 : 0), half || rest};
}

// Rounds a number to the format F. The number must not be zero. `sticky` is true if bits that are 1 were shifted out of
// the significand before. In this case the significand must still have more bits than the format: rounding then cuts
// off the missing bits anyway.
template <class F>
constexpr typename F::Bits pack(Context &c, bool negative, int exponent, Wide significand, bool sticky) {
    using L = Limits<F>;
    using Bits = typename F::Bits;
    const Bits sign = negative ? L::sign : 0;
    const int highest = exponent + length(significand) - 1;
    const int unit = std::max(highest, L::least_exponent) - (F::precision - 1);
    const Cut result = cut(significand, unit - exponent, sticky, c.rounding, negative);
    if (result.lost) c.raised |= inexact;
    if (highest < L::least_exponent && result.lost) {
        const Cut unbounded = cut(significand, highest - (F::precision - 1) - exponent, sticky, c.rounding, negative);
        const bool reaches = highest == L::least_exponent - 1 && length(unbounded.kept) > F::precision;
        if (!reaches) c.raised |= underflow;
    }
    const auto kept = static_cast<Bits>(result.kept);
    const int field = unit + (F::precision - 1) + L::bias; // of the exponent; at least 1
    const int carried = field + (result.kept >> F::precision != 0 ? 1 : 0);
    if (carried >= (1 << F::exponent_bits) - 1) {
        c.raised |= overflow | inexact;
        const bool to_infinity = rounds_away(c.rounding, negative, true, true, true);
        return sign | (to_infinity ? L::infinity : L::infinity - 1);
    }
    if ((kept & ~L::fraction) == 0) return sign | kept; // subnormal, or zero
    return sign | ((static_cast<Bits>(field - 1) << (F::precision - 1)) + kept);
}

template <class F> constexpr typename F::Bits not_a_number(Context &c, bool is_invalid) {
    if (is_invalid) c.raised |= invalid;
    return Limits<F>::nan;
}
template <class F> constexpr typename F::Bits infinite(bool negative) {
    return (negative ? Limits<F>::sign : 0) | Limits<F>::infinity;
}
template <class F> constexpr typename F::Bits zero(bool negative) {
    return negative ? Limits<F>::sign : 0;
}

// Returns a finite number as bits of the format F, rounded if necessary. F is the format from which the number was
// unpacked, or a wider format.
template <class F> constexpr typename F::Bits round(Context &c, const Number &n) {
    return n.kind == Class::zero ? zero<F>(n.negative) : pack<F>(c, n.negative, n.exponent, n.significand, false);
}

// Adds two numbers, neither of which is infinite or a NaN. The significands have at most 106 bits.
template <class F> constexpr typename F::Bits sum(Context &c, Number a, Number b) {
    if (a.kind == Class::zero && b.kind == Class::zero) {
        return zero<F>(a.negative == b.negative ? a.negative : c.rounding == down);
    }
    if (a.kind == Class::zero) return round<F>(c, b);
    if (b.kind == Class::zero) return round<F>(c, a);
    if (a.exponent < b.exponent) std::swap(a, b);
    // Shifts the significand of `a` to the left as far as 126 bits allow. If the exponents still differ, shifts the
    // significand of `b` to the right.
    const int raise = std::min(a.exponent - b.exponent, 126 - length(a.significand));
    a.significand <<= raise;
    a.exponent -= raise;
    const int lower = a.exponent - b.exponent;
    bool sticky = false;
    if (lower > 0) {
        sticky = lower > 127 || (b.significand & ((Wide{1} << lower) - 1)) != 0;
        b.significand = lower > 127 ? 0 : b.significand >> lower;
    }
    if (a.negative == b.negative) return pack<F>(c, a.negative, a.exponent, a.significand + b.significand, sticky);
    if (a.significand == b.significand && !sticky) return zero<F>(c.rounding == down);
    if (a.significand < b.significand) { // b was not shifted to the right, so there is no sticky bit
        return pack<F>(c, b.negative, a.exponent, b.significand - a.significand, false);
    }
    const Wide difference = a.significand - b.significand - (sticky ? 1 : 0);
    return pack<F>(c, a.negative, a.exponent, difference, sticky);
}

template <class F> constexpr typename F::Bits add(Context &c, typename F::Bits x, typename F::Bits y) {
    const Number a = unpack<F>(x);
    const Number b = unpack<F>(y);
    if (a.kind == Class::nan || b.kind == Class::nan) return not_a_number<F>(c, a.signalling || b.signalling);
    if (a.kind == Class::infinite && b.kind == Class::infinite && a.negative != b.negative) {
        return not_a_number<F>(c, true);
    }
    if (a.kind == Class::infinite) return x;
    if (b.kind == Class::infinite) return y;
    return sum<F>(c, a, b);
}

template <class F> constexpr typename F::Bits subtract(Context &c, typename F::Bits x, typename F::Bits y) {
    return add<F>(c, x, y ^ Limits<F>::sign);
}

constexpr Number product(const Number &a, const Number &b) {
    Number p;
    p.negative = a.negative != b.negative;
    if (a.kind == Class::zero || b.kind == Class::zero) return p;
    p.kind = Class::finite;
    p.exponent = a.exponent + b.exponent;
    p.significand = a.significand * b.significand;
    return p;
}

template <class F>
constexpr typename F::Bits multiply_add(Context &c, typename F::Bits x, typename F::Bits y, typename F::Bits z) {
    const Number a = unpack<F>(x);
    const Number b = unpack<F>(y);
    const Number d = unpack<F>(z);
    const bool infinite_product = a.kind == Class::infinite || b.kind == Class::infinite;
    const bool undefined = infinite_product && (a.kind == Class::zero || b.kind == Class::zero);
    const bool nan = a.kind == Class::nan || b.kind == Class::nan || d.kind == Class::nan;
    if (nan || undefined) return not_a_number<F>(c, undefined || a.signalling || b.signalling || d.signalling);
    const bool negative = a.negative != b.negative;
    if (infinite_product) {
        if (d.kind == Class::infinite && d.negative != negative) return not_a_number<F>(c, true);
        return infinite<F>(negative);
    }
    if (d.kind == Class::infinite) return z;
    return sum<F>(c, product(a, b), d);
}

template <class F> constexpr typename F::Bits multiply(Context &c, typename F::Bits x, typename F::Bits y) {
    const Number a = unpack<F>(x);
    const Number b = unpack<F>(y);
    const bool infinite_result = a.kind == Class::infinite || b.kind == Class::infinite;
    const bool undefined = infinite_result && (a.kind == Class::zero || b.kind == Class::zero);
    if (a.kind == Class::nan || b.kind == Class::nan || undefined) {
        return not_a_number<F>(c, undefined || a.signalling || b.signalling);
    }
    if (infinite_result) return infinite<F>(a.negative != b.negative);
    return round<F>(c, product(a, b));
}

// Shifts the significand of a number to the left until it has as many bits as the format has.
template <class F> constexpr void normalize(Number &n) {
    const int missing = F::precision - length(n.significand);
    n.significand <<= missing;
    n.exponent -= missing;
}

template <class F> constexpr typename F::Bits divide(Context &c, typename F::Bits x, typename F::Bits y) {
    Number a = unpack<F>(x);
    Number b = unpack<F>(y);
    const bool undefined = a.kind == b.kind && (a.kind == Class::zero || a.kind == Class::infinite);
    if (a.kind == Class::nan || b.kind == Class::nan || undefined) {
        return not_a_number<F>(c, undefined || a.signalling || b.signalling);
    }
    const bool negative = a.negative != b.negative;
    if (a.kind == Class::infinite) return infinite<F>(negative);
    if (a.kind == Class::zero || b.kind == Class::infinite) return zero<F>(negative);
    if (b.kind == Class::zero) {
        c.raised |= divide_by_zero;
        return infinite<F>(negative);
    }
    normalize<F>(a);
    normalize<F>(b);
    constexpr int more = F::precision + 3; // bits of the quotient, which are enough to round it
    const Wide dividend = a.significand << more;
    const Wide quotient = dividend / b.significand;
    const bool sticky = quotient * b.significand != dividend;
    return pack<F>(c, negative, a.exponent - b.exponent - more, quotient, sticky);
}

template <class F> constexpr typename F::Bits square_root(Context &c, typename F::Bits x) {
    Number a = unpack<F>(x);
    if (a.kind == Class::nan) return not_a_number<F>(c, a.signalling);
    if (a.kind == Class::zero) return x;
    if (a.negative) return not_a_number<F>(c, true);
    if (a.kind == Class::infinite) return x;
    normalize<F>(a);
    int more = F::precision + 6; // so that the root has more bits than the format
    more += (a.exponent - more) & 1;
    const Wide square = a.significand << more;
    Wide root = 0;
    Wide rest = square;
    for (Wide bit = Wide{1} << (2 * ((length(square) - 1) / 2)); bit != 0; bit >>= 2) {
        const bool fits = rest >= root + bit;
        if (fits) rest -= root + bit;
        root = (root >> 1) + (fits ? bit : 0);
    }
    return pack<F>(c, false, (a.exponent - more) / 2, root, rest != 0);
}

// -- conversions ------------------------------------------------------------------------------------------------------

template <class To, class From> constexpr typename To::Bits convert(Context &c, typename From::Bits x) {
    const Number a = unpack<From>(x);
    if (a.kind == Class::nan) return not_a_number<To>(c, a.signalling);
    if (a.kind == Class::infinite) return infinite<To>(a.negative);
    return round<To>(c, a);
}

template <class F> constexpr typename F::Bits from_integer(Context &c, bool negative, std::uint32_t magnitude) {
    return magnitude == 0 ? 0 : pack<F>(c, negative, 0, magnitude, false);
}
template <class F> constexpr typename F::Bits from_signed(Context &c, std::uint32_t v) {
    const bool negative = v >> 31 != 0;
    return from_integer<F>(c, negative, negative ? 0U - v : v);
}

// Converts to an integer of 32 bits. A number outside the range of the integer becomes the nearest integer in the
// range. A NaN becomes the largest integer. Both cases raise the flag `invalid`.
template <class F> constexpr std::uint32_t to_integer(Context &c, typename F::Bits x, bool is_signed) {
    const Number a = unpack<F>(x);
    const std::uint32_t most = is_signed ? 0x7fffffff : 0xffffffff;
    const std::uint32_t least = is_signed ? 0x80000000 : 0;
    const bool negative = a.negative && a.kind != Class::nan;
    const auto outside = [&] {
        c.raised |= invalid;
        return negative ? least : most;
    };
    if (a.kind == Class::zero) return 0;
    if (a.kind != Class::finite || a.exponent + length(a.significand) > 33) return outside();
    const Cut integer = cut(a.significand, -a.exponent, false, c.rounding, negative);
    const Wide limit = negative ? Wide{0U - least} : Wide{most};
    if (integer.kept > limit) return outside();
    if (integer.lost) c.raised |= inexact;
    const auto magnitude = static_cast<std::uint32_t>(integer.kept);
    return negative ? 0U - magnitude : magnitude;
}

// -- comparisons ------------------------------------------------------------------------------------------------------

// Returns true if x < y. With `or_equal` returns true if x <= y. Neither x nor y is allowed to be a NaN.
template <class F> constexpr bool less(typename F::Bits x, typename F::Bits y, bool or_equal) {
    using L = Limits<F>;
    const bool both_zero = ((x | y) & ~L::sign) == 0;
    if (both_zero || x == y) return or_equal;
    const bool x_negative = (x & L::sign) != 0;
    if (x_negative != ((y & L::sign) != 0)) return x_negative;
    return x_negative ? x > y : x < y;
}

template <class F> constexpr std::uint32_t equal(Context &c, typename F::Bits x, typename F::Bits y) {
    const Number a = unpack<F>(x);
    const Number b = unpack<F>(y);
    if (a.signalling || b.signalling) c.raised |= invalid;
    if (a.kind == Class::nan || b.kind == Class::nan) return 0;
    return x == y || ((x | y) & ~Limits<F>::sign) == 0 ? 1 : 0;
}

template <class F> constexpr std::uint32_t compare(Context &c, typename F::Bits x, typename F::Bits y, bool or_equal) {
    if (unpack<F>(x).kind == Class::nan || unpack<F>(y).kind == Class::nan) {
        c.raised |= invalid;
        return 0;
    }
    return less<F>(x, y, or_equal) ? 1 : 0;
}

// Returns the smaller or the larger of two numbers; -0 is smaller than +0. If one operand is a NaN, returns the other
// operand.
template <class F>
constexpr typename F::Bits extreme(Context &c, typename F::Bits x, typename F::Bits y, bool smaller) {
    const Number a = unpack<F>(x);
    const Number b = unpack<F>(y);
    if (a.signalling || b.signalling) c.raised |= invalid;
    if (a.kind == Class::nan && b.kind == Class::nan) return Limits<F>::nan;
    if (a.kind == Class::nan) return y;
    if (b.kind == Class::nan) return x;
    const bool zeros = a.kind == Class::zero && b.kind == Class::zero;
    const bool x_less = zeros ? a.negative : less<F>(x, y, false);
    return x_less == smaller ? x : y;
}

template <class F> constexpr std::uint32_t classify(typename F::Bits x) {
    const Number a = unpack<F>(x);
    const bool subnormal = (x & Limits<F>::infinity) == 0;
    switch (a.kind) {
    case Class::nan: return a.signalling ? 1U << 8 : 1U << 9;
    case Class::infinite: return a.negative ? 1U << 0 : 1U << 7;
    case Class::zero: return a.negative ? 1U << 3 : 1U << 4;
    case Class::finite: break;
    }
    if (subnormal) return a.negative ? 1U << 2 : 1U << 5;
    return a.negative ? 1U << 1 : 1U << 6;
}

} // namespace skerry::sim::riscv::fp
