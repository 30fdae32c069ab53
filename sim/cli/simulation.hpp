// SPDX-License-Identifier: BSD-3-Clause
// One run with everything that was asked to look at it.
#pragma once
#include <atomic>
#include <string>
#include <vector>

#include "chip/chip.hpp"
#include "cli/options.hpp"

namespace skerry::sim {

constexpr int exit_not_begun = 125;
constexpr int exit_not_ended = 124;

// The exit code, or exit_not_begun and why. `members` are the cores of the job.
int simulate(const Options &options, const Machine &machine, const ElfImage &image, std::vector<std::uint32_t> members,
             const std::atomic<bool> &interrupted, std::string &error);

} // namespace skerry::sim
