// SPDX-License-Identifier: BSD-3-Clause
// A run in numbers, for scripts and for the report page. docs/guide/simulator.md describes every member.
#pragma once
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "chip/chip.hpp"
#include "host/line_table.hpp"
#include "trace/profile.hpp"

namespace skerry::sim {

struct Run {
    Chip &chip;
    const ElfImage &image;
    const LineTable &lines;
    Profile &profile; // finished
    std::string program;
    Ending ending;
};

// The format's number; it changes when a member changes its meaning or goes.
constexpr int json_format = 1;

// With `over_time` also what changes during the run, and the text of the source lines.
nlohmann::json to_json(const Run &run, bool over_time);
std::string to_text(const nlohmann::json &json);
std::string_view mesh_name(Mesh mesh);

} // namespace skerry::sim
