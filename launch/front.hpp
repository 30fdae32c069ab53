// SPDX-License-Identifier: BSD-3-Clause
// Declares the front: the process that the user started, which is the first of oshrun's three processes (chain.hpp).
#pragma once

#include "chain.hpp"

#include <functional>
#include <optional>
#include <span>

namespace skerry {

// Starts keeper and supervisor (oshrun's other two processes), runs `supervise` in the supervisor, waits for both, and
// returns oshrun's exit code. `arguments` are those of main. If SIGINT stopped the job, the front kills itself with
// SIGINT and does not return. A shell script that called oshrun then stops too. `timeout_seconds`: the operand of --timeout.
int run_supervised(const std::function<int(const Inheritance &)> &supervise, std::span<char *> arguments,
                   std::optional<double> timeout_seconds);

} // namespace skerry
