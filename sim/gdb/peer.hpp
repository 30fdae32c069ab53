// SPDX-License-Identifier: BSD-3-Clause
// Who is at the other end of a connection on this host. A debugger may do everything that the program may, so only a
// process of our own user gets one.
#pragma once
#include <string>

namespace skerry::sim::gdb {

// Empty if the process that opened the other end belongs to our effective user, or why it is refused.
std::string why_refused(int connection);

} // namespace skerry::sim::gdb
