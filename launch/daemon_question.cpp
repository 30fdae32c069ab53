// SPDX-License-Identifier: BSD-3-Clause
#include "daemon_question.hpp"

#include "../src/machine/linux/tcp_request.h"
#include "limits.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace skerry {

DaemonQuestion::~DaemonQuestion() {
    if (descriptor_ >= 0) close(descriptor_);
}

bool DaemonQuestion::step(const uint8_t *address, uint16_t port, double now) {
    if (is_over_) return false;
    if (descriptor_ < 0) {
        descriptor_ = skerry_begin_request(address, htons(port));
        is_over_ = descriptor_ < 0;
        return !is_over_;
    }
    if (is_connected_) silence_.polled(now);
    struct pollfd event = {descriptor_, static_cast<short>(is_connected_ ? POLLIN : POLLOUT), 0};
    if (poll(&event, 1, 0) <= 0) return true;
    if (is_connected_ || skerry_request_error(descriptor_) != 0) {
        is_over_ = true;
        return false;
    }
    is_connected_ = true;
    shutdown(descriptor_, SHUT_WR);
    silence_ = Silence(now, 1.5 * alive_interval);
    return true;
}

} // namespace skerry
