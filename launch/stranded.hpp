// SPDX-License-Identifier: BSD-3-Clause
// Detects a deadlock: all PEs that still run wait for a PE that has ended. The program of the ended PE has called
// shmem_finalize, or it exits without this call and the library finalizes in its place.
#pragma once

#include "job_memory.hpp"
#include "stats.hpp"

#include <optional>
#include <string>
#include <vector>

namespace skerry {

// Returns the error message for PEs that wait for an ended PE. `ended` describes the ended PE (describe_ended).
// `waiting` has the ranks of the waiting PEs as a text such as "0-3,7".
std::string describe_stranded(const std::string &ended, const std::string &waiting);

class StrandedWatch {
  public:
    // The result of recent polls of /proc in which no PE of this node did anything.
    struct Standstill {
        uint64_t sent, executed;  // records of the network: totals of all PEs of this node (src/machine/ucx/count.c)
        std::optional<int> ended; // rank of a PE that has ended
        std::string waiting;      // ranks of the PEs that wait, as RankList::ranks() returns them
        bool operator==(const Standstill &) const = default;
    };

    // `first` is the rank of the PE that pes[0] describes.
    StrandedWatch(const std::vector<Pe> &pes, int first, const JobMemory &memory);

    // Returns true if a PE has ended, or has called shmem_finalize for the last time. The process of such a PE can
    // still run, because PEs of other nodes possibly need it. Costs one read for each PE.
    bool has_any_ended() const;

    // Polls each PE one time. Returns a result if two conditions have held for several polls: all PEs have waited or
    // ended, and no record (a message of the network module) was sent or executed. Must be called every `interval`
    // seconds.
    std::optional<Standstill> look();
    static constexpr double interval = 0.2;

    // Returns the words "PE 3 (process 412) has ended" for an ended PE.
    std::string describe_ended(int rank) const;

  private:
    bool all_wait(const std::vector<skerry_control> &controls);
    bool has_ended(size_t pe, const skerry_control &control) const;
    std::optional<int> choose_ended(const std::vector<skerry_control> &controls) const;
    std::vector<skerry_control> read_controls() const;

    const std::vector<Pe> &pes_;
    const int first_;
    const JobMemory &memory_;
    std::vector<int> waiting_; // for each PE: +1 for a poll that finds it waiting, -4 for another poll; always 0 to 19
    uint64_t sent_ = 0, executed_ = 0;
    int unchanged_ = 0; // number of polls in a row that found the same numbers of records
};

} // namespace skerry
