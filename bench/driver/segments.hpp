// SPDX-License-Identifier: BSD-3-Clause
// Runs the experiments of Hascoet et al. 2017, section 6, by the program `segments`, with a PE in place of a compute
// cluster. Prints the measured figures beside the paper's figures. The paper measured another machine, so no figure
// here has a condition to meet.
#pragma once

#include "contender.hpp"

#include <string>

namespace skerry::bench {

Results measure_segments(Contender &ours, double seconds); // seconds: time of one measurement; 0: default
std::string segments_text(const Results &results);

} // namespace skerry::bench
