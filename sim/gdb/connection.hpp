// SPDX-License-Identifier: BSD-3-Clause
// The wire to gdb: a TCP connection on this host only, or our own standard input and output.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace skerry::sim::gdb {

class Connection {
  public:
    // "stdio" or a port, 0 for any that is free. Waits for gdb until `give_up`; `say` is told where. Then what the program
    // prints goes to standard error if standard output is the wire. Empty, and an error, if there is none.
    static std::unique_ptr<Connection> open(const std::string &where,
                                            const std::function<void(const std::string &)> &say,
                                            const std::function<bool()> &give_up, std::string &error);
    ~Connection();
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    // Appends what has come, after waiting for it at most so long. False: gdb has gone.
    bool receive(std::string &bytes, int milliseconds);
    bool send(const std::string &bytes);

  private:
    Connection(int in, int out) : in_(in), out_(out) {
    }
    int in_;
    int out_;
};

} // namespace skerry::sim::gdb
