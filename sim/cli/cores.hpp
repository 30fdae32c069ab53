// SPDX-License-Identifier: BSD-3-Clause
// Which cores a job gets, and in which order of its PEs.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "chip/machine.hpp"

namespace skerry::sim {

// `where` is "all", or places with "/" between: ROW,COLUMN or ROWSxCOLUMNS@ROW,COLUMN, counted from 0 at the chip's upper left
// corner, which is meant without @; or a number of cores from there on, row by row. `pes`, unless empty, is how many of
// these the job takes. Fills `members` with the numbers of the places. Empty, or what is wrong.
std::string choose_cores(const std::string &where, const std::string &pes, const Machine &machine,
                         std::vector<std::uint32_t> &members);

} // namespace skerry::sim
