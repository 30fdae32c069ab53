// SPDX-License-Identifier: BSD-3-Clause
// Runs one simulation, with the profile, the trace, the breakpoints or the gdb session that the options request.
#pragma once
#include <atomic>
#include <string>
#include <vector>

#include "chip/chip.hpp"
#include "cli/options.hpp"

namespace skerry::sim {

constexpr int exit_not_begun = 125;
constexpr int exit_not_ended = 124;
constexpr int exit_races = 123;

// Runs the program on the cores `members` and returns the exit code of the process. Returns exit_not_begun, with the
// reason in `error`, if the run cannot begin. Returns exit_not_ended if the run does not end by itself, or if a file
// that the options ask for cannot be written. `link` connects the job to a host program, if one has started it.
int simulate(const Options &options, const Machine &machine, const ElfImage &image, std::vector<std::uint32_t> members,
             const std::atomic<bool> &interrupted, HostLink &link, std::string &error);

} // namespace skerry::sim
