// SPDX-License-Identifier: BSD-3-Clause
// Summarizes a run in two or three lines for the user (option --summary).
#pragma once
#include <string>

#include "chip/chip.hpp"

namespace skerry::sim {

// Returns the summary: cycles, time and instructions; the busiest link of the network; the link off the chip, if
// anything crossed it.
std::string summary(const Chip &chip);

} // namespace skerry::sim
