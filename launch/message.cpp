// SPDX-License-Identifier: BSD-3-Clause
// Writes oshrun's own messages. Each line is written by one call of write, so that lines of several processes do not
// mix.
#include "message.hpp"

#include "limits.hpp"

#include <poll.h>
#include <string>
#include <unistd.h>

namespace skerry {

void say(std::string_view text) {
    std::string line = "oshrun: ";
    line.append(text).push_back('\n');
    std::string_view rest = line;
    while (!rest.empty()) {
        // After poll has reported POLLOUT the write does not block, because a line is shorter than what a writable pipe
        // accepts at once (PIPE_BUF bytes).
        struct pollfd room = {STDERR_FILENO, POLLOUT, 0};
        if (poll(&room, 1, static_cast<int>(message_limit * 1e3)) <= 0) return;
        const ssize_t written = write(STDERR_FILENO, rest.data(), rest.size());
        if (written <= 0) return; // standard error is broken, so the failure cannot be reported
        rest.remove_prefix(static_cast<size_t>(written));
    }
}

void stop(int code, std::string_view text) {
    say(text);
    _exit(code);
}

} // namespace skerry
