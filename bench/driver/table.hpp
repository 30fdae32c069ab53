// SPDX-License-Identifier: BSD-3-Clause
// Two fixed selections: the table of what must hold, and the short one that a first run shows.
#pragma once

#include "report.hpp"

namespace skerry::bench {

std::vector<Job> table_jobs();
// In Markdown, with a verdict for each figure. `missed` counts the figures that do not hold.
std::string markdown_table(const Report &report, int &missed);

std::vector<Job> quick_jobs();
std::string quick_table(const Report &report);

} // namespace skerry::bench
