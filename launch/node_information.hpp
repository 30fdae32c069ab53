// SPDX-License-Identifier: BSD-3-Clause
// Gathers what skerry info prints about the nodes of a job on several machines: processors, memory, and transports of UCX.
#pragma once

#include "hosts.hpp"

#include <string>
#include <vector>

namespace skerry {

// Returns one line about this machine: a sentence, or an object of JSON.
std::string describe_own_node(bool as_json);

// Returns the lines about the hosts, in their order: runs `skerry info --node` on each of them by oshrun, which writes an
// error message if a host cannot be reached. The line of such a host is empty. `launcher` is the operand of --launcher, or
// empty. Sets `code` to oshrun's exit code.
std::vector<std::string> ask_hosts(const std::vector<Host> &hosts, const std::string &launcher, bool as_json,
                                   int &code);

} // namespace skerry
