// SPDX-License-Identifier: BSD-3-Clause
// Makes the table of --stats: one line for each PE, and a line for all of them together. In a job of several nodes each
// node sends the figures of its PEs to the oshrun that the user started, which makes the tables.
#pragma once

#include "job_memory.hpp"

#include <optional>
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

// The resources that a PE has used.
struct PeUsage {
    int rank = 0;
    double wall = 0, user = 0, system = 0; // seconds
    double resident = 0, heap = 0;         // MB: the largest resident memory, the largest use of the symmetric heap
    long waits = 0, preemptions = 0;
};

// Returns the usage of each PE that was started. `first` is the rank of the PE that pes[0] describes.
std::vector<PeUsage> gather_usage(const std::vector<Pe> &pes, int first, const JobMemory &memory);

// Returns a table with a line for each PE. The first word of the last line is `total`; the line has the longest wall
// time, and the sums of the other figures.
std::string stats_table(const std::vector<PeUsage> &usage, const std::string &total);

// Returns the last line of such a table alone.
std::string stats_total(const std::vector<PeUsage> &usage, const std::string &total);

// Writes the usage of a PE as a text without line ends, and reads such a text. read_usage returns an empty value if the
// text has another form.
std::string write_usage(const PeUsage &usage);
std::optional<PeUsage> read_usage(const std::string &text);

} // namespace skerry
