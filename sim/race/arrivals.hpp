// SPDX-License-Identifier: BSD-3-Clause
// Follows the order between cores of one cluster of an MPPA that packets make. What a core has done before it stores to a
// register of the cluster's DMA unit happens before every later packet's arrival in the cluster. The packet can be an
// answer to what this store sent, also over other clusters. Most packets are not, and then this order does not exist: it
// can hide a race, and never makes one up.
//
// A load of what a packet wrote acquires what was sent before the packet arrived. Clocks are kept for lines of 32 bytes,
// so such a load can also acquire what was sent before a later packet for the same line.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "race/vector_clock.hpp"

namespace skerry::sim {

class Arrivals {
  public:
    // Handles a store of a core to a register of the DMA unit, or of a mailbox. `clock` is the clock of the core.
    void sent(const VectorClock &clock) {
        if (!sent_.join(clock)) return;
        shared_.reset();
    }
    // Returns what happened before all stores to registers until now. A load of a register acquires it.
    const VectorClock &sent() const {
        return sent_;
    }
    // Handles a write by the DMA unit. `address` is the one that the detector uses for this memory.
    void written(std::uint32_t address, std::uint32_t bytes) {
        if (shared_ == nullptr) shared_ = std::make_shared<const VectorClock>(sent_);
        for (std::uint32_t line = address / line_bytes; line <= (address + bytes - 1) / line_bytes; line++) {
            std::unique_ptr<Page> &page = pages_[line / page_lines];
            if (page == nullptr) page = std::make_unique<Page>();
            (*page)[line % page_lines] = shared_;
        }
    }
    // Returns the clock of the line of an address, or null if the unit has not written there.
    const VectorClock *at(std::uint32_t address) const {
        const auto page = pages_.find(address / line_bytes / page_lines);
        return page == pages_.end() ? nullptr : (*page->second)[address / line_bytes % page_lines].get();
    }

  private:
    static constexpr std::uint32_t line_bytes = 32, page_lines = 64;
    using Page = std::array<std::shared_ptr<const VectorClock>, page_lines>;

    VectorClock sent_;
    std::shared_ptr<const VectorClock> shared_; // equal to sent_, or null
    std::unordered_map<std::uint32_t, std::unique_ptr<Page>> pages_;
};

} // namespace skerry::sim
