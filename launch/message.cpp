// SPDX-License-Identifier: BSD-3-Clause
// One write for a line, so that lines of several processes do not mix.
#include "message.hpp"

#include <string>
#include <unistd.h>

namespace skerry {

void say(std::string_view text) {
    std::string line = "oshrun: ";
    line.append(text).push_back('\n');
    std::string_view rest = line;
    while (!rest.empty()) {
        const ssize_t written = write(STDERR_FILENO, rest.data(), rest.size());
        if (written <= 0) return; // nobody can be told
        rest.remove_prefix(static_cast<size_t>(written));
    }
}

void stop(int code, std::string_view text) {
    say(text);
    _exit(code);
}

} // namespace skerry
