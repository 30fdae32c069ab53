// SPDX-License-Identifier: BSD-3-Clause
// Finds out that a job cannot end any more because a PE has ended, in order or by the library's help, while the others
// still wait for it.
#pragma once

#include "job_memory.hpp"
#include "stats.hpp"

#include <optional>
#include <vector>

namespace skerry {

class StrandedWatch {
  public:
    StrandedWatch(const std::vector<Pe> &pes, const JobMemory &memory);

    // Looks once; returns the PE that the others wait for in vain. `interval` becomes the time until the next look, in
    // seconds.
    std::optional<int> look(double &interval);

    // The PEs that wait, as of the last look.
    bool waits(int pe) const {
        return waiting_[static_cast<size_t>(pe)] > 0;
    }

  private:
    bool all_wait(const std::vector<skerry_control> &controls);
    bool has_ended(size_t pe, const skerry_control &control) const;

    const std::vector<Pe> &pes_;
    const JobMemory &memory_;
    std::vector<int> waiting_; // looks at which it waited, of late
};

} // namespace skerry
