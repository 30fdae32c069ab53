// SPDX-License-Identifier: BSD-3-Clause
// Times and speeds against sizes as SVG: a row for each benchmark, both axes logarithmic, a curve for each contender.
#pragma once

#include "report.hpp"

namespace skerry::bench {

// Throws Failure when the file cannot be written or no benchmark was measured at several sizes.
void write_plot(const Report &report, const std::string &file);

} // namespace skerry::bench
