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
    std::uint32_t core =
        0; // element of the clocks: index of a core, or behind the cores of a task or a copy unit's counter
    std::uint32_t by = 0; // index of the core that made the access, by itself or by its copy unit
    bool is_of_copy = false;
    bool is_of_thread =
        false; // by a task that depends on its thread, or to a variable of a thread: races only with other cores
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
            const bool is_same_thread = earlier.by == access.by && (earlier.is_of_thread || access.is_of_thread);
            const bool ordered = earlier.core == access.core || clock[earlier.core] >= earlier.period || is_same_thread;
            const bool conflicts = earlier.kind == AccessKind::store || access.kind == AccessKind::store;
            if (!ordered && conflicts && (earlier.bytes & access.bytes) != 0) race(earlier);
            const bool stronger = access.kind == AccessKind::store || access.kind == earlier.kind;
            const bool forgotten = ordered && stronger && (earlier.bytes & ~access.bytes) == 0;
            if (!forgotten) word[kept++] = earlier;
        }
        word.resize(kept);
        word.push_back(access);
    }

    // Forgets the accesses to the words from `begin` on, below `end`.
    void forget(std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t word = begin & ~3U; word < end;) {
            const auto page = pages_.find(word / page_bytes);
            if (page == pages_.end()) {
                word = (word / page_bytes + 1) * page_bytes;
                continue;
            }
            (*page->second)[word % page_bytes / 4].clear();
            word += 4;
        }
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
