// SPDX-License-Identifier: BSD-3-Clause
// The experiments of Hascoet et al. 2017, section 6, run by the program `s3` with a PE in the place of a compute cluster, and printed
// beside the paper's figures. Two machines, so nothing here is a bar.
#pragma once

#include "contender.hpp"

#include <string>

namespace skerry::bench {

Results measure_s3(Contender &ours, double seconds); // seconds: of one measurement; 0: short
std::string s3_text(const Results &results);

} // namespace skerry::bench
