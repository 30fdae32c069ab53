// SPDX-License-Identifier: BSD-3-Clause
// Detects a deadlock: all PEs that still run wait for a PE that has ended. The program of the ended PE has called
// shmem_finalize, or it exits without this call and the library finalizes in its place.
#pragma once

#include "job_memory.hpp"
#include "stats.hpp"

#include <optional>
#include <vector>

namespace skerry {

class StrandedWatch {
  public:
    StrandedWatch(const std::vector<Pe> &pes, const JobMemory &memory);

    // Polls each PE one time. If there is a deadlock, returns the ended PE for which the other PEs wait, else an empty
    // value. Sets `interval` to the time until the next poll, in seconds.
    std::optional<int> look(double &interval);

    // Returns true if this PE was waiting in recent polls.
    bool waits(int pe) const {
        return waiting_[static_cast<size_t>(pe)] > 0;
    }

  private:
    bool all_wait(const std::vector<skerry_control> &controls);
    bool has_ended(size_t pe, const skerry_control &control) const;

    const std::vector<Pe> &pes_;
    const JobMemory &memory_;
    std::vector<int> waiting_; // for each PE: +1 for each poll that finds it waiting, -4 for each other poll; 0 to 19
};

} // namespace skerry
