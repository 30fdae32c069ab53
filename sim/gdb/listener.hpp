// SPDX-License-Identifier: BSD-3-Clause
// Waits for gdb on a port of this host or on a Unix socket, for our own user alone.
#pragma once
#include <functional>
#include <string>

namespace skerry::sim::gdb {

// `where` is a port, 0 for any that is free, or the path of a socket to be made, which has a '/'. `say` is told where
// gdb is waited for and once that somebody was refused; a refused one ends no wait. Returns the connection, or -1 with
// an error: also when `give_up` says so, which is asked several times a second.
int wait_for_gdb(const std::string &where, const std::function<void(const std::string &)> &say,
                 const std::function<bool()> &give_up, std::string &error);

} // namespace skerry::sim::gdb
