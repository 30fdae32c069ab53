// SPDX-License-Identifier: BSD-3-Clause
// Runs the experiments of Hascoet et al. 2017, section 6, by the program `s3`, with a PE in place of a compute cluster,
// and prints them beside the paper's figures. The paper measured another machine, so no figure here has a condition to
// meet.
#pragma once

#include "contender.hpp"

#include <string>

namespace skerry::bench {

Results measure_s3(Contender &ours, double seconds); // seconds: time of one measurement; 0: default
std::string s3_text(const Results &results);

} // namespace skerry::bench
