// SPDX-License-Identifier: BSD-3-Clause
// Describes races as text for the user.
#pragma once
#include <string>

#include "race/race_detectors.hpp"

namespace skerry::sim {

// Describes each race by its address and its two accesses: core, kind, source line, function and construct. If several
// races are between the same two source lines, describes one of them. Describes at most 20 races, and says how many there
// are. Returns an empty string if there are none.
std::string describe_races(const RaceDetectors &detectors, const Chip &chip);

} // namespace skerry::sim
