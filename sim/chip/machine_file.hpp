// SPDX-License-Identifier: BSD-3-Clause
// Machine descriptions: TOML files, those of the installation by name and a user's own by path.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chip/machine.hpp"

namespace skerry::sim {

// Takes a description apart. Empty, or every mistake on a line of its own: "path:line:column: key: rule". The machine is
// complete only without one. `path` is where a machine that it is based on is looked for, and what errors call the text.
std::string parse_machine(std::string_view text, const std::string &path, Machine &machine);

// A name without a slash or ".toml" is one of the installation's. Empty, or the mistakes.
std::string read_machine(const std::string &name_or_path, Machine &machine);

// Those of the installation, in order.
std::vector<std::string> machine_names();

// One of the installation's; none: there is no such, or it is damaged.
std::optional<Machine> find_machine(const std::string &name);

} // namespace skerry::sim
