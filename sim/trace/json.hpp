// SPDX-License-Identifier: BSD-3-Clause
// Converts the counters of a run to JSON, for scripts and for the report page. docs/guide/simulator.md describes every
// member.
#pragma once
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "chip/chip.hpp"
#include "host/line_table.hpp"
#include "trace/node_traffic.hpp"
#include "trace/profile.hpp"

namespace skerry::sim {

struct Run {
    Chip &chip;
    const ElfImage &image;
    const LineTable &lines;
    Profile &profile; // Profile::finish must have been called
    const NodeTraffic &traffic;
    std::string program;
    Ending ending;
};

// The version of the format. The version changes if a member is removed or changes its meaning.
constexpr int json_format = 1;

// Returns the JSON of a run. `over_time` adds three parts: the timeline, the history of the links, and the source lines
// with the most cycles.
nlohmann::json to_json(const Run &run, bool over_time);
std::string to_text(const nlohmann::json &value);
std::string_view mesh_name(Mesh mesh);

} // namespace skerry::sim
