// SPDX-License-Identifier: BSD-3-Clause
// Computes integer results and writes their flags to the register STATUS. Reads the modes of the floating-point unit
// (FPU) from the register CONFIG. semantics.hpp names the sources.
#pragma once
#include <cstdint>

#include "epiphany/isa/float.hpp"
#include "epiphany/isa/state.hpp"

namespace skerry::sim {

constexpr std::uint32_t integer_flags = status::zero | status::negative | status::carry | status::overflow;

constexpr std::uint32_t zero_and_negative(std::uint32_t result) {
    return (result == 0 ? status::zero : 0) | (result >> 31 ? status::negative : 0);
}

constexpr std::uint32_t logical(State &s, std::uint32_t result) {
    set_bits(s.status, integer_flags, zero_and_negative(result));
    return result;
}

constexpr std::uint32_t arithmetic(State &s, std::uint32_t result, bool carry, bool overflow) {
    set_bits(s.status, integer_flags,
             zero_and_negative(result) | (carry ? status::carry : 0) |
                 (overflow ? status::overflow | status::overflow_sticky : 0));
    return result;
}

constexpr std::uint32_t add(State &s, std::uint32_t a, std::uint32_t b) {
    const std::uint32_t result = a + b;
    return arithmetic(s, result, result < a, (~(a ^ b) & (a ^ result)) >> 31);
}

// Subtracts and sets the flags. The carry flag is set if there was no borrow.
constexpr std::uint32_t subtract(State &s, std::uint32_t a, std::uint32_t b) {
    const std::uint32_t result = a - b;
    return arithmetic(s, result, a >= b, ((a ^ b) & (a ^ result)) >> 31);
}

constexpr std::uint32_t shift_right_signed(std::uint32_t a, std::uint32_t by) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(a) >> (by & 31));
}

constexpr std::uint32_t reverse_bits(std::uint32_t v) {
    v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
    v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
    v = (v >> 8 & 0x00ff00ff) | (v & 0x00ff00ff) << 8;
    return v >> 16 | v << 16;
}

constexpr std::uint32_t float_flags = status::float_zero | status::float_negative | status::float_overflow;

constexpr fpu::Rounding rounding(const State &s) {
    return s.config & config::truncate ? fpu::Rounding::truncate : fpu::Rounding::nearest_even;
}

constexpr bool integer_mode(const State &s) {
    return (s.config & config::integer_mode) != 0;
}

// Returns true if the floating-point unit must raise an exception. CONFIG must enable the exception, and its sticky bit
// in STATUS must be set. An earlier instruction can have set the sticky bit.
constexpr bool float_exception(const State &s) {
    return (s.config & config::invalid_exception && flag(s, status::float_invalid_sticky)) ||
           (s.config & config::overflow_exception && flag(s, status::float_overflow_sticky)) ||
           (s.config & config::underflow_exception && flag(s, status::float_underflow_sticky));
}

constexpr std::uint32_t any_float_exception =
    config::invalid_exception | config::overflow_exception | config::underflow_exception;

} // namespace skerry::sim
