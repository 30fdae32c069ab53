// SPDX-License-Identifier: BSD-3-Clause
// Finds the user at the other end of a connection on this host. A debugger can do everything that the simulated program
// can, so only a process of our own user may connect.
#pragma once
#include <string>

namespace skerry::sim::gdb {

// Returns an empty string if the process that opened the other end belongs to our effective user, or why it is refused.
std::string why_refused(int connection);

} // namespace skerry::sim::gdb
