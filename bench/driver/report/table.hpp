// SPDX-License-Identifier: BSD-3-Clause
// Defines two fixed selections of benchmarks: the table of required figures (--table), and a short table for a first
// run (--quick).
#pragma once

#include "report/report.hpp"

namespace skerry::bench {

std::vector<Job> table_jobs();
// Returns the table in Markdown, with a verdict for each figure. Stores the number of figures that do not meet their
// conditions to `missed`.
std::string markdown_table(const Report &report, int &missed);

std::vector<Job> quick_jobs();
std::string quick_table(const Report &report);

} // namespace skerry::bench
