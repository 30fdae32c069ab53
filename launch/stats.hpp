// SPDX-License-Identifier: BSD-3-Clause
// The table of --stats.
#pragma once

#include "job_memory.hpp"

#include <string>
#include <sys/resource.h>
#include <sys/types.h>
#include <vector>

namespace skerry {

// One PE as oshrun knows it.
struct Pe {
    pid_t process = 0;
    bool running = false;
    double started = 0, ended = 0;
    struct rusage usage {}; // once ended
};

std::string stats_table(const std::vector<Pe> &pes, const JobMemory &memory);

} // namespace skerry
