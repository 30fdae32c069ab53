// SPDX-License-Identifier: BSD-3-Clause
// Writes oshrun's own messages, each as one line on standard error and without a buffer. Defines oshrun's own exit
// codes.
#pragma once

#include <string>
#include <string_view>

namespace skerry {

enum Exit : int {
    exit_failure = 1,          // oshrun itself failed, or a PE failed although its exit status is 0
    exit_usage = 2,            // wrong options
    exit_timeout = 124,        // the time of --timeout is over; timeout(1) uses the same code
    exit_not_executable = 126, // shells use this code and the next two with the same meaning
    exit_not_found = 127,
    exit_signal = 128, // a signal has ended the job: 128 plus the signal's number
};

// Writes "oshrun: TEXT\n" to standard error. Drops the rest of the line if standard error accepts nothing for
// message_limit seconds.
void say(std::string_view text);

// Writes "oshrun: TEXT\n" to standard error and exits with `code`. The caller must ensure that no PE runs.
[[noreturn]] void stop(int code, std::string_view text);

// After this call stop() calls `function` with the message, and writes no message itself.
void call_at_stop(void (*function)(int code, std::string_view text));

// Returns the beginning of each message. The beginning is "oshrun: ", and after name_node(NODE) "oshrun on NODE: ".
const std::string &message_prefix();
void name_node(const std::string &node);

} // namespace skerry
