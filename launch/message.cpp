// SPDX-License-Identifier: BSD-3-Clause
// Writes oshrun's own messages. One call of write writes a whole line, so that lines of several processes do not mix.
#include "message.hpp"

#include "limits.hpp"

#include <poll.h>
#include <string>
#include <unistd.h>

namespace skerry {

namespace {

std::string prefix = "oshrun: ";
void (*at_stop)(int code, std::string_view text) = nullptr;

} // namespace

const std::string &message_prefix() {
    return prefix;
}

void name_node(const std::string &node) {
    prefix = "oshrun on " + node + ": ";
}

void call_at_stop(void (*function)(int code, std::string_view text)) {
    at_stop = function;
}

void say(std::string_view text) {
    std::string line = prefix;
    line.append(text).push_back('\n');
    std::string_view rest = line;
    while (!rest.empty()) {
        // After poll has reported POLLOUT, a pipe accepts PIPE_BUF bytes without blocking. A line is shorter than
        // PIPE_BUF.
        struct pollfd room = {STDERR_FILENO, POLLOUT, 0};
        if (poll(&room, 1, static_cast<int>(message_limit * 1e3)) <= 0) return;
        const ssize_t written = write(STDERR_FILENO, rest.data(), rest.size());
        if (written <= 0) return; // standard error is broken, so the failure cannot be reported
        rest.remove_prefix(static_cast<size_t>(written));
    }
}

void stop(int code, std::string_view text) {
    if (at_stop != nullptr) at_stop(code, text);
    else say(text);
    _exit(code);
}

} // namespace skerry
