// SPDX-License-Identifier: BSD-3-Clause
// Runs a program and gathers its output. Ends the program and all its children if it takes too long or if the user
// interrupts.
#pragma once

#include <string>
#include <vector>

namespace skerry::bench {

struct Outcome {
    int code = 0;       // exit code, or 128 plus the signal
    bool late = false;  // true: stopped because its time was over
    double seconds = 0; // from before the start until the process was reaped
    std::string output, errors;
};

using Words = std::vector<std::string>;

// Runs `command` and waits for its end. The words of `environment` are NAME=VALUE; they are added to the environment of
// this process. Throws Failure if the program cannot be started or the user interrupts.
Outcome run_command(const Words &command, const Words &environment, double timeout_seconds);

// After this call an interrupt (SIGINT, SIGTERM, SIGHUP) ends the running command, and run_command then throws Failure.
void catch_interrupts();

Words split_words(const std::string &text);              // splits at blanks
std::string find_executable(const std::string &program); // searches PATH as a shell does; returns "" if there is none
std::string describe_failure(const Outcome &outcome);    // returns, for example, "exit code 1: last line of its errors"

} // namespace skerry::bench
