// SPDX-License-Identifier: BSD-3-Clause
// One run with everything that was asked to look at it.
#pragma once
#include <atomic>
#include <string>

#include "chip/chip.hpp"
#include "cli/options.hpp"

namespace skerry::sim {

constexpr int exit_not_begun = 125;
constexpr int exit_not_ended = 124;

// The exit code, or exit_not_begun and why.
int simulate(const Options &options, const Machine &machine, const ElfImage &image, std::uint32_t cores,
             const std::atomic<bool> &interrupted, std::string &error);

} // namespace skerry::sim
