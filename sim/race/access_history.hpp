// SPDX-License-Identifier: BSD-3-Clause
// Keeps, for each word of memory, the accesses of the program that a later access can race with. An access is forgotten
// when a later one that happened after it races with everything that it would race with (FastTrack, Flanagan and Freund
// 2009).
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "race/vector_clock.hpp"

namespace skerry::sim {

enum class AccessKind : std::uint8_t { load, store, atomic };

struct PastAccess {
    std::uint64_t cycle = 0;
    std::uint32_t pc = 0;
    std::uint32_t period = 0; // of its core
    std::uint32_t core = 0;   // index; behind the cores: the number of a copy unit's counter (RaceDetector::core_of)
    AccessKind kind = AccessKind::load;
    std::uint8_t bytes = 0; // mask of the bytes of the aligned word
};

class AccessHistory {
  public:
    // Adds an access to the word at `address`, a multiple of 4. `clock` is the clock of its core. Calls race(earlier)
    // for each earlier access to the same bytes by another core, if at least one of the two is a plain store and
    // nothing orders them.
    template <class Function>
    void add(std::uint32_t address, const PastAccess &access, const VectorClock &clock, Function &&race) {
        std::vector<PastAccess> &word = at(address);
        std::size_t kept = 0;
        for (std::size_t k = 0; k < word.size(); k++) {
            const PastAccess &earlier = word[k];
            const bool ordered = earlier.core == access.core || clock[earlier.core] >= earlier.period;
            const bool conflicts = earlier.kind == AccessKind::store || access.kind == AccessKind::store;
            if (!ordered && conflicts && (earlier.bytes & access.bytes) != 0) race(earlier);
            const bool stronger = access.kind == AccessKind::store || access.kind == earlier.kind;
            const bool forgotten = ordered && stronger && (earlier.bytes & ~access.bytes) == 0;
            if (!forgotten) word[kept++] = earlier;
        }
        word.resize(kept);
        word.push_back(access);
    }

  private:
    static constexpr std::uint32_t page_bytes = 1024;
    using Page = std::array<std::vector<PastAccess>, page_bytes / 4>;

    std::vector<PastAccess> &at(std::uint32_t address) {
        std::unique_ptr<Page> &page = pages_[address / page_bytes];
        if (page == nullptr) page = std::make_unique<Page>();
        return (*page)[address % page_bytes / 4];
    }

    std::unordered_map<std::uint32_t, std::unique_ptr<Page>> pages_;
};

} // namespace skerry::sim
