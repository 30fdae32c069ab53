// SPDX-License-Identifier: BSD-3-Clause
// A core's own memory: four banks, each of which serves one access of up to 8 bytes a cycle. Fetches, loads and stores,
// DMA and the network all claim a bank for the cycle in which they want it; the first one gets it, whoever comes later
// tries again in the next cycle. The order in which the chip moves its parts on is therefore the arbiter's priority, but
// what comes from DMA or the network does not wait for ever.
#pragma once
#include <array>
#include <cstdint>

#include "memory/memory.hpp"

namespace skerry::sim {

class LocalMemory : public Memory {
  public:
    static constexpr std::uint32_t bank_count = 4;
    static constexpr std::uint32_t default_size = 32 * 1024;

    explicit LocalMemory(std::uint32_t bytes = default_size) : Memory(bytes), bank_size_(bytes / bank_count) {
        while ((1U << (shift_ + 1)) <= bank_size_) shift_++;
    }

    std::uint32_t bank_of(std::uint32_t offset) const {
        return offset >> shift_ & (bank_count - 1); // sizes are powers of two
    }
    bool claim(std::uint32_t offset, std::uint64_t cycle) {
        std::uint64_t &taken = taken_in_[bank_of(offset)];
        if (taken > cycle) return false;
        taken = cycle + 1;
        return true;
    }
    // For those who come last in a cycle, each with a number: who is refused because another had the bank keeps it for
    // the next cycle. So neither a core nor they can keep each other out.
    bool claim_in_turn(std::uint32_t offset, std::uint64_t cycle, unsigned who) {
        const std::uint32_t bank = bank_of(offset);
        Kept &kept = kept_[bank];
        if (kept.cycle == cycle + 1) {
            if (kept.who != who) return false;
            kept.cycle = 0;
            return true;
        }
        if (claim(offset, cycle)) return true;
        if (taken_in_[bank] == cycle + 1) {
            taken_in_[bank] = cycle + 2;
            kept = {cycle + 2, who};
        }
        return false;
    }

  private:
    std::uint32_t bank_size_;
    std::uint32_t shift_ = 0;
    std::array<std::uint64_t, bank_count> taken_in_{}; // the last cycle in which each was taken, plus one
    struct Kept {
        std::uint64_t cycle = 0; // as taken_in_
        unsigned who = 0;
    };
    std::array<Kept, bank_count> kept_{};
};

} // namespace skerry::sim
