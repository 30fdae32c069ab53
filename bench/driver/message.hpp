// SPDX-License-Identifier: BSD-3-Clause
// Defines the error that ends this program. Errors are thrown: destructors then end the child processes and remove the
// temporary files before the program prints the error.
#pragma once

#include <stdexcept>
#include <string>

namespace skerry::bench {

struct Failure : std::runtime_error {
    Failure(int exit_code, const std::string &text) : std::runtime_error(text), code(exit_code) {
    }
    int code;
};

constexpr int exit_failed = 1, exit_usage = 2, exit_interrupted = 130;

} // namespace skerry::bench
