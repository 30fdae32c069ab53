// SPDX-License-Identifier: BSD-3-Clause
// The reference's floating point. A finite float is an integer times 2^-149 and a product one times 2^-298, so addend
// and product are added exactly in a wide two's complement number; its highest 24 bits and what is below them are the
// result.
#include "reference_interpreter.hpp"

namespace reference {
namespace {

constexpr int words = 20;
constexpr int scale = 298; // bit 298 weighs one

struct Wide {
    std::uint32_t w[words] = {};

    void add_at(int bit, std::uint64_t value) {
        for (int k = 0; k < 64; k++) {
            if (value >> k & 1) add_bit(bit + k);
        }
    }
    void add_bit(int bit) {
        std::uint32_t carry = 1U << (bit % 32);
        for (int k = bit / 32; k < words && carry != 0; k++) {
            const std::uint32_t before = w[k];
            w[k] += carry;
            carry = w[k] < before ? 1 : 0;
        }
    }
    void negate() {
        for (std::uint32_t &word : w) word = ~word;
        add_bit(0);
    }
    bool bit(int k) const {
        return w[k / 32] >> (k % 32) & 1;
    }
    bool negative() const {
        return bit(32 * words - 1);
    }
    int highest() const {
        for (int k = 32 * words - 1; k >= 0; k--) {
            if (bit(k)) return k;
        }
        return -1;
    }
};

bool nan(std::uint32_t a) {
    return (a >> 23 & 255) == 255 && (a & 0x7fffff) != 0;
}
bool infinite(std::uint32_t a) {
    return (a >> 23 & 255) == 255 && (a & 0x7fffff) == 0;
}
bool minus(std::uint32_t a) {
    return a >> 31;
}
std::uint32_t without_denormal(std::uint32_t a) {
    return (a >> 23 & 255) == 0 ? a & 0x80000000 : a;
}
std::uint64_t fraction(std::uint32_t a) {
    return (a >> 23 & 255) == 0 ? 0 : (a & 0x7fffff) + 0x800000;
}
int exponent(std::uint32_t a) { // of the lowest bit of the fraction
    return static_cast<int>(a >> 23 & 255) - 150;
}

// The value of x in the units that `lowest` and up make, rounded.
std::uint64_t cut(const Wide &x, int lowest, bool truncate) {
    std::uint64_t kept = 0;
    for (int k = 0; k < 33 && lowest + k < 32 * words; k++) {
        if (lowest + k >= 0 && x.bit(lowest + k)) kept += std::uint64_t{1} << k;
    }
    const bool half = lowest >= 1 && x.bit(lowest - 1);
    bool below = false;
    for (int k = 0; k < lowest - 1; k++) below = below || x.bit(k);
    if (!truncate && half && (below || kept % 2 == 1)) kept++;
    return kept;
}

std::uint32_t to_float(Wide x, bool negative_zero, bool truncate, bool &overflow, bool &underflow) {
    const bool negative = x.negative();
    if (negative) x.negate();
    const int highest = x.highest();
    if (highest < 0) return negative_zero ? 0x80000000 : 0;
    const std::uint32_t sign = negative ? 0x80000000 : 0;
    const int smallest = scale - 149;
    const int lowest = highest - 23 > smallest ? highest - 23 : smallest;
    std::uint64_t kept = cut(x, lowest, truncate);
    int power = lowest - scale;
    if (kept == 0x1000000) {
        kept /= 2;
        power++;
    }
    if (kept < 0x800000) {
        underflow = true;
        return sign;
    }
    if (power + 150 > 254) {
        overflow = true;
        return sign | (truncate ? 0x7f7fffff : 0x7f800000);
    }
    return sign | static_cast<std::uint32_t>(power + 150) << 23 | static_cast<std::uint32_t>(kept - 0x800000);
}

Wide product(std::uint32_t a, std::uint32_t b) {
    Wide x;
    const std::uint64_t value = fraction(a) * fraction(b);
    if (value != 0) x.add_at(exponent(a) + exponent(b) + scale, value);
    if (minus(a) != minus(b)) x.negate();
    return x;
}

Wide single(std::uint32_t a) {
    return product(a, 0x3f800000);
}

Wide total(Wide x, const Wide &y) {
    for (int k = 0; k < words; k++) x.add_at(32 * k, y.w[k]);
    return x;
}

std::uint32_t fix(std::uint32_t a, bool truncate) {
    if (nan(a) || infinite(a)) return minus(a) ? 0x80000000 : 0x7fffffff;
    Wide x = single(without_denormal(a));
    if (x.negative()) x.negate();
    if (x.highest() >= scale + 31) return minus(a) ? 0x80000000 : 0x7fffffff;
    std::uint64_t whole = cut(x, scale, true);
    if (!truncate && x.bit(scale - 1)) whole++;
    return static_cast<std::uint32_t>(minus(a) ? 0 - whole : whole);
}

} // namespace

std::uint32_t Interpreter::fpu_float(unsigned code, std::uint32_t d, std::uint32_t a, std::uint32_t b, bool &overflow,
                                     bool &underflow) {
    const bool truncate = config & 1;
    if (code == 5) {
        Wide x;
        x.add_at(scale, minus(a) ? 0x100000000 - a : a);
        if (minus(a)) x.negate();
        return to_float(x, false, truncate, overflow, underflow);
    }
    if (code == 6) return fix(a, truncate);
    if (code == 7) return without_denormal(a) & 0x7fffffff;

    const bool uses_d = code == 3 || code == 4;
    if (nan(a)) return a | 0x400000;
    if (nan(b)) return b | 0x400000;
    if (uses_d && nan(d)) return d | 0x400000;
    a = without_denormal(a);
    b = without_denormal(b);
    d = without_denormal(d);
    std::uint32_t first = a;  // the sum is first + second, each a number or a product
    std::uint32_t second = b; // stands for the product in sign and infinity where there is one
    if (code == 1) second ^= 0x80000000;
    if (code >= 2) {
        if ((infinite(a) && fraction(b) == 0) || (infinite(b) && fraction(a) == 0)) return 0x7fc00000;
        const std::uint32_t sign = (a ^ b ^ (code == 4 ? 0x80000000 : 0)) & 0x80000000;
        second = sign | (infinite(a) || infinite(b) ? 0x7f800000 : fraction(a) != 0 && fraction(b) != 0 ? 1 : 0);
        first = uses_d ? d : 0;
    }
    if (code == 2 && infinite(second)) return second;
    if (infinite(first) && infinite(second)) return first == second ? first : 0x7fc00000;
    if (infinite(first)) return first;
    if (infinite(second)) return second;
    switch (code) {
    case 0:
    case 1:
        return to_float(total(single(first), single(second)), minus(first) && minus(second), truncate, overflow,
                        underflow);
    case 2: {
        const std::uint32_t result = to_float(product(a, b), minus(second), truncate, overflow, underflow);
        return result;
    }
    default:
        return to_float(total(single(d), product(code == 4 ? a ^ 0x80000000 : a, b)), minus(d) && minus(second),
                        truncate, overflow, underflow);
    }
}

} // namespace reference
