// SPDX-License-Identifier: BSD-3-Clause
// Waits for gdb on a port of this host or on a Unix socket, and accepts connections of our own user only.
#pragma once
#include <functional>
#include <string>

namespace skerry::sim::gdb {

// Waits until gdb connects. `where` is a port (0 for any free port) or the path of a Unix socket to create, which
// contains a '/'. Calls `say` with the address to connect to, and with the first connection that was refused. The wait
// continues after a refused connection. Calls `give_up` several times a second and ends the wait if it returns true.
// Returns the connection's descriptor, or -1 with an error.
int wait_for_gdb(const std::string &where, const std::function<void(const std::string &)> &say,
                 const std::function<bool()> &give_up, std::string &error);

} // namespace skerry::sim::gdb
