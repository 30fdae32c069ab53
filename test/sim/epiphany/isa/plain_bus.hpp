// SPDX-License-Identifier: BSD-3-Clause
// The simplest bus: a power of two of bytes at every address, registers as state.hpp has them, and on demand a refusal.
#pragma once
#include <cstdint>
#include <cstring>
#include <vector>

#include "epiphany/isa/bus.hpp"
#include "epiphany/isa/state.hpp"

struct PlainBus {
    std::vector<std::uint8_t> memory = std::vector<std::uint8_t>(0x10000);
    skerry::sim::Access answer = skerry::sim::Access::done;

    std::uint8_t *at(std::uint32_t address) {
        return &memory[address & (memory.size() - 1)];
    }

    template <unsigned size>
    skerry::sim::Access load(skerry::sim::State &, std::uint32_t address, skerry::sim::Word<size> &value) {
        if (answer == skerry::sim::Access::done) std::memcpy(&value, at(address), size);
        return answer;
    }
    template <unsigned size>
    skerry::sim::Access store(skerry::sim::State &, std::uint32_t address, skerry::sim::Word<size> value) {
        if (answer == skerry::sim::Access::done) std::memcpy(at(address), &value, size);
        return answer;
    }
    template <unsigned size>
    skerry::sim::Access testset(skerry::sim::State &, std::uint32_t address, skerry::sim::Word<size> &value) {
        if (answer != skerry::sim::Access::done) return answer;
        skerry::sim::Word<size> old;
        std::memcpy(&old, at(address), size);
        if (old == 0) std::memcpy(at(address), &value, size);
        value = old;
        return answer;
    }
    skerry::sim::Access read_special(skerry::sim::State &s, skerry::sim::SpecialRegister which, std::uint32_t &value) {
        if (answer == skerry::sim::Access::done) value = skerry::sim::read_special(s, which);
        return answer;
    }
    skerry::sim::Access write_special(skerry::sim::State &s, skerry::sim::SpecialRegister which, std::uint32_t value) {
        if (answer == skerry::sim::Access::done) skerry::sim::write_special(s, which, value);
        return answer;
    }
};
static_assert(skerry::sim::Bus<PlainBus>);
