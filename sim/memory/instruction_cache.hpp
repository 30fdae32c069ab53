// SPDX-License-Identifier: BSD-3-Clause
// Models which lines of code a core's instruction cache contains. The cache has only the addresses of its lines: the
// instructions themselves are always read from memory, so code that changes needs no flush. Each set of lines replaces
// the line that was not used for the longest time (LRU).
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace skerry::sim {

struct InstructionCacheConfiguration {
    std::uint32_t size = 0;  // bytes, a power of two; 0: each core has all its code in a cache that never misses
    std::uint32_t line = 64; // bytes, a power of two
    std::uint32_t ways = 2;  // number of lines in a set, a power of two
    std::uint32_t miss = 0;  // cycles of a miss besides those in which the memory reads the line
};

class InstructionCache {
  public:
    explicit InstructionCache(const InstructionCacheConfiguration &configuration)
        : configuration_(configuration), sets_(configuration.size / configuration.line / configuration.ways),
          lines_(configuration.size / configuration.line, none) {
    }

    const InstructionCacheConfiguration &configuration() const {
        return configuration_;
    }
    // Returns true if the line with this address was used last. A further use of this line changes nothing in the cache.
    bool is_current(std::uint32_t address) const {
        return address - current_ < configuration_.line;
    }
    std::uint32_t line_of(std::uint32_t address) const {
        return address & ~(configuration_.line - 1);
    }
    // Uses the line with this address. Returns false if the cache does not have it.
    bool use(std::uint32_t address) {
        const std::uint32_t line = line_of(address);
        const auto set = begin_of(line);
        const auto found = std::find(set, set + configuration_.ways, line);
        if (found == set + configuration_.ways) return false;
        std::rotate(set, found, found + 1);
        current_ = line;
        return true;
    }
    // Puts a line into the cache, in place of the line of its set that was not used for the longest time.
    void fill(std::uint32_t line) {
        const auto set = begin_of(line);
        std::rotate(set, set + configuration_.ways - 1, set + configuration_.ways);
        *set = current_ = line;
    }

  private:
    static constexpr std::uint32_t none = 0xffffffff; // no line begins at this address

    // Returns the first line of the set to which a line belongs. The lines of a set are in the order of their last use.
    std::vector<std::uint32_t>::iterator begin_of(std::uint32_t line) {
        return lines_.begin() + line / configuration_.line % sets_ * configuration_.ways;
    }

    InstructionCacheConfiguration configuration_;
    std::uint32_t sets_;
    std::vector<std::uint32_t> lines_; // addresses, set by set
    std::uint32_t current_ = none;
};

} // namespace skerry::sim
