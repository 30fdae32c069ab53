// SPDX-License-Identifier: BSD-3-Clause
// Converts the counters of the nodes of an MPPA to JSON: the links of their networks, their transfers and the DDR.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "trace/json.hpp"

namespace skerry::sim {

// The counters of the whole run.
nlohmann::json json_of_nodes(const Run &run);
// The counters in each interval of time, and the longest transfers.
nlohmann::json json_of_node_history(const Run &run);

} // namespace skerry::sim
