// SPDX-License-Identifier: BSD-3-Clause
// Makes a page for a browser that shows a run. The page needs no other file. The script in page.html draws the data
// that to_json (json.hpp) returns.
#pragma once
#include <string>

#include "trace/json.hpp"

namespace skerry::sim {

std::string report_page(const Run &run);

} // namespace skerry::sim
