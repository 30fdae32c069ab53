// SPDX-License-Identifier: BSD-3-Clause
// Finds out if a server at another host answers, for example the daemon of a batch system. The host's kernel accepts a
// connection in place of a server that is stopped, so a connection alone is no answer. This process connects and says that
// it will send nothing. A server that runs then closes the connection, or writes an error message.
#pragma once

#include "silence.hpp"

#include <cstdint>

namespace skerry {

class DaemonQuestion {
  public:
    DaemonQuestion() = default;
    ~DaemonQuestion();
    DaemonQuestion(const DaemonQuestion &) = delete;
    DaemonQuestion &operator=(const DaemonQuestion &) = delete;

    // Asks, and receives the answer. Must be called at least once a second until it returns false: no more is to be learnt,
    // because the server has answered, or nothing listens at this port. The address has the form of tcp_request.h, the
    // port is in host byte order.
    bool step(const uint8_t *address, uint16_t port, double now);

    // Returns for how many seconds the server has not answered, although the connection is made.
    double silent_seconds() const {
        return is_connected_ && !is_over_ ? silence_.seconds() : 0;
    }

  private:
    int descriptor_ = -1;
    bool is_connected_ = false, is_over_ = false;
    Silence silence_{0, 0};
};

} // namespace skerry
