// SPDX-License-Identifier: BSD-3-Clause
// Runs a program, gathers what it writes, and ends it with all its children when it takes too long or the user
// interrupts.
#pragma once

#include <string>
#include <vector>

namespace skerry::bench {

struct Outcome {
    int code = 0;       // exit code, or 128 plus the signal
    bool late = false;  // stopped after its time
    double seconds = 0; // from before the start until it was reaped
    std::string output, errors;
};

using Words = std::vector<std::string>;

// `environment` words are NAME=VALUE, added to this process's own.
Outcome run_command(const Words &command, const Words &environment, double timeout_seconds);

// From now on an interrupt ends the running command and then throws Failure.
void catch_interrupts();

Words split_words(const std::string &text);              // at blanks
std::string find_executable(const std::string &program); // as a shell finds it; empty if there is none
std::string describe_failure(const Outcome &outcome);    // "exit code 1: last line of its errors"

} // namespace skerry::bench
