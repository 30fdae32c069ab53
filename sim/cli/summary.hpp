// SPDX-License-Identifier: BSD-3-Clause
// Summarizes a run in two or three lines for the user (option --summary).
#pragma once
#include <string>

#include "chip/chip.hpp"

namespace skerry::sim {

// Returns the summary: the cycles, the time and the instructions of the run, and the busiest link of the network. If
// any transaction left the chip, the summary also has the load of the off-chip link.
std::string summary(const Chip &chip);

} // namespace skerry::sim
