// SPDX-License-Identifier: BSD-3-Clause
// Draws times and speeds against sizes as SVG. Each benchmark has a row, each contender a curve. Both axes are
// logarithmic.
#pragma once

#include "report/report.hpp"

namespace skerry::bench {

// Throws Failure if the file cannot be written, or if no benchmark was measured at several sizes.
void write_plot(const Report &report, const std::string &file);

} // namespace skerry::bench
