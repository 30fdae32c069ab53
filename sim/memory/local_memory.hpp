// SPDX-License-Identifier: BSD-3-Clause
// Models a core's own memory. The memory has four banks. A bank performs one access of up to 8 bytes a cycle. The users
// of a bank are instruction fetches, loads and stores, the DMA and the network. A user must claim a bank for the cycle
// in which it uses the bank.
//
// The first claim in a cycle succeeds. A later claim is refused and must be repeated in the next cycle. Therefore the
// user that the chip simulates first in each cycle has priority. claim_in_turn makes sure that DMA and network do not
// wait for ever.
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
        return offset >> shift_ & (bank_count - 1); // a shift and a mask, because the sizes are powers of two
    }
    bool claim(std::uint32_t offset, std::uint64_t cycle) {
        std::uint64_t &taken = taken_in_[bank_of(offset)];
        if (taken > cycle) return false;
        taken = cycle + 1;
        return true;
    }
    // Claims a bank for DMA or the network, which act after the core in a cycle. `who` is the number of the claimant.
    // If the bank is already claimed in this cycle, the claim is refused. The bank is then reserved in the next cycle
    // for the claimant that was refused first. Therefore no claimant can block another for ever.
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
    std::array<std::uint64_t, bank_count> taken_in_{}; // for each bank: the last claimed cycle, plus one
    struct Kept {
        std::uint64_t cycle = 0; // the cycle that is reserved for `who`, plus one
        unsigned who = 0;
    };
    std::array<Kept, bank_count> kept_{};
};

} // namespace skerry::sim
