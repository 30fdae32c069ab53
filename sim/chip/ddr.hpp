// SPDX-License-Identifier: BSD-3-Clause
// Models the bandwidth of the DDR memory of an I/O node. All DMA units of the node share it, and wait while there is none
// left. A read of theirs that does not continue an earlier one waits for the memory's latency first. Accesses of cores take
// bandwidth too, but do not wait for it: the path from the cores to the memory (link/) limits them.
#pragma once
#include <array>
#include <cstdint>
#include <limits>

#include "memory/memory.hpp"

namespace skerry::sim {

struct DdrConfiguration {
    unsigned bytes_per_cycle = 17; // of all reads and writes together
    unsigned latency = 0;          // cycles of a read that does not continue another one
};

class Ddr {
  public:
    Ddr(const DdrConfiguration &configuration, std::uint32_t base, Memory &own)
        : memory(own), configuration_(configuration), base_(base) {
    }
    Memory &memory;
    struct Counters {           // bytes
        std::uint64_t read = 0; // by DMA units
        std::uint64_t written = 0;
        std::uint64_t of_cores = 0; // read and written
    };
    Counters counters;

    bool has(std::uint32_t address, std::uint32_t bytes) const {
        return address >= base_ && memory.holds(address - base_, bytes);
    }
    std::uint32_t offset_of(std::uint32_t address) const {
        return address - base_;
    }
    unsigned bytes_per_cycle() const {
        return configuration_.bytes_per_cycle;
    }
    unsigned latency() const {
        return configuration_.latency;
    }
    // Takes the bandwidth of one access. Returns false if this cycle has none left.
    bool take(unsigned bytes, std::uint64_t cycle) {
        const std::uint64_t begin = cycle * configuration_.bytes_per_cycle;
        if (taken_ >= begin + configuration_.bytes_per_cycle) return false;
        take_always(bytes, cycle);
        return true;
    }

    // Takes the bandwidth of an access that does not wait.
    void take_always(unsigned bytes, std::uint64_t cycle) {
        const std::uint64_t begin = cycle * configuration_.bytes_per_cycle;
        taken_ = (taken_ < begin ? begin : taken_) + bytes;
    }

  private:
    DdrConfiguration configuration_;
    std::uint32_t base_;
    std::uint64_t taken_ = 0; // bytes that could have been moved since the start until the end of the last access
};

// The reads of one DMA unit. It reads several sequences of double words at the same time, one for each micro-core.
class DdrReader {
  public:
    // Returns true if the bytes at an address can be had in this cycle.
    bool read(Ddr &ddr, std::uint32_t address, unsigned bytes, std::uint64_t cycle) {
        Sequence &sequence = find(address);
        if (sequence.next != address / width) sequence = {address / width, cycle + ddr.latency(), 0};
        sequence.used_at = cycle;
        if (sequence.ready_at > cycle || !ddr.take(bytes, cycle)) return false;
        // The next read may be of the other bytes of this double word.
        if ((address + bytes) % width == 0) sequence.next++;
        return true;
    }

  private:
    static constexpr unsigned width = 8;      // bytes of a read
    static constexpr unsigned sequences = 16; // twice the micro-cores of a unit

    struct Sequence {
        std::uint32_t next = std::numeric_limits<std::uint32_t>::max(); // number of the double word
        std::uint64_t ready_at = 0;
        std::uint64_t used_at = 0;
    };
    // Returns the sequence that continues at an address, or the one that was not used for the longest time.
    Sequence &find(std::uint32_t address) {
        Sequence *oldest = &sequences_[0];
        for (Sequence &s : sequences_) {
            if (s.next == address / width) return s;
            if (s.used_at < oldest->used_at) oldest = &s;
        }
        return *oldest;
    }

    std::array<Sequence, sequences> sequences_;
};

} // namespace skerry::sim
