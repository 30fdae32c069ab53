// SPDX-License-Identifier: BSD-3-Clause
// A run as one page for a browser, which needs nothing else. page.html draws what json.hpp tells.
#pragma once
#include <string>

#include "trace/json.hpp"

namespace skerry::sim {

std::string report_page(const Run &run);

} // namespace skerry::sim
