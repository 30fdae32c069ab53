// SPDX-License-Identifier: BSD-3-Clause
// What oshrun itself says: one line on standard error, written at once, and the exit codes that are its own.
#pragma once

#include <string_view>

namespace skerry {

enum Exit : int {
    exit_failure = 1,          // oshrun could not do its work, or a PE ended in a way that has no code of its own
    exit_usage = 2,            // wrong options
    exit_timeout = 124,        // --timeout, the code of timeout(1)
    exit_not_executable = 126, // as the shells have it
    exit_not_found = 127,
    exit_signal = 128, // plus the signal's number
};

// Writes "oshrun: TEXT\n" to standard error.
void say(std::string_view text);

// Says it and ends this process. Only for use while no PE runs.
[[noreturn]] void stop(int code, std::string_view text);

} // namespace skerry
