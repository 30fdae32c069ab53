// SPDX-License-Identifier: BSD-3-Clause
// Formats a run as one page for a browser. The page needs no other file. page.html draws the data of json.hpp.
#pragma once
#include <string>

#include "trace/json.hpp"

namespace skerry::sim {

std::string report_page(const Run &run);

} // namespace skerry::sim
