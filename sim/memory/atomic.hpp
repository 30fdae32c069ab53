// SPDX-License-Identifier: BSD-3-Clause
// Defines the atomic operations that a memory performs: Epiphany's TESTSET, and RISC-V's AMO, LR and SC.
#pragma once
#include <algorithm>
#include <cstdint>

namespace skerry::sim {

enum class AtomicOperation : std::uint8_t {
    testset, // stores the operand if the memory is zero
    swap,
    add,
    bit_xor,
    bit_and,
    bit_or,
    minimum,
    maximum,
    minimum_unsigned,
    maximum_unsigned,
    reserve,     // LR: reads, and reserves the word for the core
    conditional, // SC: stores the operand if the core's reservation is still there; the result is 0 if so, else 1
};

// Returns the new content of a word whose content is `old`. Must not be called for `reserve` and `conditional`
// (RISC-V's LR and SC). Their result depends on a reservation, a mark that LR makes for a core.
constexpr std::uint32_t combine(AtomicOperation operation, std::uint32_t old, std::uint32_t operand) {
    const auto signed_old = static_cast<std::int32_t>(old);
    const auto signed_operand = static_cast<std::int32_t>(operand);
    switch (operation) {
    case AtomicOperation::testset: return old == 0 ? operand : old;
    case AtomicOperation::swap: return operand;
    case AtomicOperation::add: return old + operand;
    case AtomicOperation::bit_xor: return old ^ operand;
    case AtomicOperation::bit_and: return old & operand;
    case AtomicOperation::bit_or: return old | operand;
    case AtomicOperation::minimum: return static_cast<std::uint32_t>(std::min(signed_old, signed_operand));
    case AtomicOperation::maximum: return static_cast<std::uint32_t>(std::max(signed_old, signed_operand));
    case AtomicOperation::minimum_unsigned: return std::min(old, operand);
    case AtomicOperation::maximum_unsigned: return std::max(old, operand);
    case AtomicOperation::reserve:
    case AtomicOperation::conditional: break;
    }
    return old;
}

} // namespace skerry::sim
