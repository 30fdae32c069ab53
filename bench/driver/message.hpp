// SPDX-License-Identifier: BSD-3-Clause
// How this program ends early. Errors are thrown, so that children and temporary files are gone before it says its
// line.
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
