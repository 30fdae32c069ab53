// SPDX-License-Identifier: BSD-3-Clause
// Summarizes a run in two or three lines for the user (option --summary).
#pragma once
#include <string>

#include "chip/chip.hpp"

namespace skerry::sim {

// Returns the summary. It has the cycles, the time and the instructions of the run, the busiest link of the network,
// and the load of the link off the chip if any transaction crossed that link.
std::string summary(const Chip &chip);

} // namespace skerry::sim
