// SPDX-License-Identifier: BSD-3-Clause
// Prints how each core and its DMA spent the cycles of a run.
#pragma once
#include <string>

#include "chip/chip.hpp"

namespace skerry::sim {

std::string statistics(Chip &chip);

} // namespace skerry::sim
