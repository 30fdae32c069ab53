// SPDX-License-Identifier: BSD-3-Clause
// Makes the table of --stats: one line for each PE and a line for the job.
#pragma once

#include "job_memory.hpp"

#include <string>
#include <sys/resource.h>
#include <sys/types.h>
#include <vector>

namespace skerry {

// The process of a PE, as seen by oshrun.
struct Pe {
    pid_t process = 0;
    bool running = false;
    double started = 0, ended = 0; // times in seconds (clock.hpp)
    struct rusage usage {};        // resources used; valid after the end
};

// Returns the table. `first` is the rank of the PE that pes[0] describes.
std::string stats_table(const std::vector<Pe> &pes, int first, const JobMemory &memory);

} // namespace skerry
