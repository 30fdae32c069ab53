// SPDX-License-Identifier: BSD-3-Clause
// Reads machine descriptions, which are TOML files. The user gives the name of a machine of the installation, or the
// path of another file.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chip/machine.hpp"

namespace skerry::sim {

// Parses a description into `machine`. Returns an empty string, or all mistakes, one on each line, in the form
// "path:line:column: key: rule". `machine` is complete only if there is no mistake. `path` is the name of the text in
// error messages. A relative file name in `based_on` is relative to the folder of `path`.
std::string parse_machine(std::string_view text, const std::string &path, Machine &machine);

// Reads a description into `machine`. A name without a slash and without ".toml" means a file of the installation.
// Returns an empty string, or the mistakes.
std::string read_machine(const std::string &name_or_path, Machine &machine);

// Returns the names of the installation's machines, sorted.
std::vector<std::string> machine_names();

// Returns a machine by name or path, or nothing if it cannot be read or has mistakes.
std::optional<Machine> find_machine(const std::string &name);

} // namespace skerry::sim
