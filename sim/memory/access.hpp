// SPDX-License-Identifier: BSD-3-Clause
// Defines the result of an access to memory, and the layout of the addresses that cores use.
#pragma once
#include <cstdint>
#include <type_traits>

namespace skerry::sim {

enum class Access : std::uint8_t {
    done,
    again, // refused in this cycle: execute the instruction again in a later cycle
    fault, // nothing is at this address, or the access is forbidden: the instruction has no effect, pc is unchanged
};

// Word<size> is the unsigned integer type of `size` bytes: 1, 2, 4 or 8.
template <unsigned size>
using Word = std::conditional_t<
    size == 1, std::uint8_t,
    std::conditional_t<size == 2, std::uint16_t, std::conditional_t<size == 4, std::uint32_t, std::uint64_t>>>;

// Each core has a range of 1 MB of addresses. The lower 20 bits of a global address are the offset in this range.
constexpr std::uint32_t core_space = 0x100000;

// Returns the global address of a byte, which is valid in every core. An address below 1 MB means the core's own
// memory. `core_id` is the core's row << 6 | column.
constexpr std::uint32_t global_address(std::uint32_t core_id, std::uint32_t address) {
    return address < core_space ? address | core_id << 20 : address;
}

} // namespace skerry::sim
