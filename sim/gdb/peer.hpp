// SPDX-License-Identifier: BSD-3-Clause
// Finds the user at the other end of a connection on this host. A debugger can do everything that the simulated program
// can do. Therefore only a process of our own user is allowed to connect.
#pragma once
#include <string>

namespace skerry::sim::gdb {

// Returns an empty string if our effective user has opened the other end of the connection. If not, returns the reason
// why the connection must be refused.
std::string why_refused(int connection);

} // namespace skerry::sim::gdb
