// SPDX-License-Identifier: BSD-3-Clause
// What a user wants to know of every run, in two or three lines.
#pragma once
#include <string>

#include "chip/chip.hpp"

namespace skerry::sim {

// Cycles, time and instructions; where the network was fullest; the link off the chip, if anything crossed it.
std::string summary(const Chip &chip);

} // namespace skerry::sim
