// SPDX-License-Identifier: BSD-3-Clause
// Carries the bytes to and from gdb, over a socket of this host (gdb/listener.hpp) or over the simulator's own standard
// input and output. Every wait has a time limit. A gdb that neither reads nor writes cannot block the simulator.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace skerry::sim::gdb {

class Connection {
  public:
    // Opens the connection. `where` is "stdio", or an address for wait_for_gdb() (gdb/listener.hpp), which also gets
    // `say` and `give_up`. With "stdio", gdb uses standard output, so the output of the simulated program goes to
    // standard error. Returns null and sets `error` if the connection cannot be opened.
    static std::unique_ptr<Connection> open(const std::string &where,
                                            const std::function<void(const std::string &)> &say,
                                            const std::function<bool()> &give_up, std::string &error);
    ~Connection();
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    // Waits at most `milliseconds` for bytes and appends the received bytes to `bytes`. Returns false if gdb has closed
    // the connection.
    bool receive(std::string &bytes, int milliseconds);
    // Sends bytes. Returns false in these cases:
    // * gdb has closed the connection.
    // * gdb accepts no byte, and `give_up` returns true.
    // * gdb accepts no byte for `stuck_after` milliseconds.
    bool send(std::string_view bytes, const std::function<bool()> &give_up);
    static constexpr int stuck_after = 10'000;

  private:
    Connection(int in, int out) : in_(in), out_(out) {
    }
    int in_;
    int out_;
};

} // namespace skerry::sim::gdb
