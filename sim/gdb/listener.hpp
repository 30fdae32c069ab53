// SPDX-License-Identifier: BSD-3-Clause
// Waits for gdb on a port of this host or on a Unix socket, and accepts only connections of our own user.
#pragma once
#include <functional>
#include <string>

namespace skerry::sim::gdb {

constexpr int look_every = 200; // milliseconds between two calls of give_up

// Waits until gdb connects. Returns the connection's descriptor, or returns -1 and sets `error`.
// * `where` is a port (0 for any free port), or a path, which must contain a '/'. For a path this function creates a
//   Unix socket.
// * `say` is called with a text that names the address for gdb, and with a text about the first refused connection. The
//   wait continues after a refused connection.
// * `give_up` is called several times a second. If it returns true, the wait ends.
int wait_for_gdb(const std::string &where, const std::function<void(const std::string &)> &say,
                 const std::function<bool()> &give_up, std::string &error);

} // namespace skerry::sim::gdb
