// SPDX-License-Identifier: BSD-3-Clause
// The wire to gdb: a socket of this host (gdb/listener.hpp), or our own standard input and output. No wait on it is
// longer than it says, so that a gdb that neither reads nor writes holds up nothing.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace skerry::sim::gdb {

class Connection {
  public:
    // "stdio", or where a listener waits until `give_up`; `say` is told where. Over stdio the program's own output
    // goes to standard error. Empty, and an error, if there is none.
    static std::unique_ptr<Connection> open(const std::string &where,
                                            const std::function<void(const std::string &)> &say,
                                            const std::function<bool()> &give_up, std::string &error);
    ~Connection();
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    // Appends what has come, after waiting for it at most so long. False: gdb has gone.
    bool receive(std::string &bytes, int milliseconds);
    // False: gdb has gone, or takes nothing: none for `stuck_after` milliseconds, or until `give_up`.
    bool send(std::string_view bytes, const std::function<bool()> &give_up);
    static constexpr int stuck_after = 10'000;

  private:
    Connection(int in, int out) : in_(in), out_(out) {
    }
    int in_;
    int out_;
};

} // namespace skerry::sim::gdb
