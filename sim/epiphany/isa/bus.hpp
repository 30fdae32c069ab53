// SPDX-License-Identifier: BSD-3-Clause
// Defines the interface through which instructions access memory and special registers. A core model implements this
// interface. The core can refuse an access that cannot happen in the current cycle. The instruction then has no effect
// at all and is executed again in a later cycle. Therefore a core that waits has no half-executed instruction.
#pragma once
#include <concepts>
#include <cstdint>

#include "epiphany/isa/registers.hpp"
#include "epiphany/isa/state.hpp"
#include "memory/access.hpp"

namespace skerry::sim {

// The operations of a bus. The addresses are those that the program computes; an address below 1 MB means the core's
// own memory. Each address is aligned to the size of the access. A double word is little-endian: its lower half
// belongs to the register that the instruction names, and its upper half to the next register.
//   load<size>(state, address, value)     writes `value` if the result is Access::done
//   store<size>(state, address, value)
//   testset<size>(state, address, value)  stores `value` if the memory is zero; `value` receives its old content
//   read_special, write_special           execute MOVFS and MOVTS, for all 256 special registers (the functions in
//                                         state.hpp handle the registers of State)
template <class B>
concept Bus = requires(B bus, State &state, std::uint32_t address, SpecialRegister which, Word<1> &byte, Word<2> &half,
                       Word<4> &word, Word<8> &pair) {
    { bus.template load<1>(state, address, byte) } -> std::same_as<Access>;
    { bus.template load<2>(state, address, half) } -> std::same_as<Access>;
    { bus.template load<4>(state, address, word) } -> std::same_as<Access>;
    { bus.template load<8>(state, address, pair) } -> std::same_as<Access>;
    { bus.template store<1>(state, address, byte) } -> std::same_as<Access>;
    { bus.template store<2>(state, address, half) } -> std::same_as<Access>;
    { bus.template store<4>(state, address, word) } -> std::same_as<Access>;
    { bus.template store<8>(state, address, pair) } -> std::same_as<Access>;
    { bus.template testset<1>(state, address, byte) } -> std::same_as<Access>;
    { bus.template testset<2>(state, address, half) } -> std::same_as<Access>;
    { bus.template testset<4>(state, address, word) } -> std::same_as<Access>;
    { bus.read_special(state, which, word) } -> std::same_as<Access>;
    { bus.write_special(state, which, word) } -> std::same_as<Access>;
};

} // namespace skerry::sim
