// SPDX-License-Identifier: BSD-3-Clause
// The process between front and supervisor. It is there for the case that both are killed at once.
#pragma once

#include "chain.hpp"

#include <functional>
#include <span>

namespace skerry {

// Runs `supervise` in a child, waits for it and ends with its exit code. `arguments` are those of main; this process
// writes over its copy, so that a search by the words of oshrun's command line does not find it.
[[noreturn]] void run_keeper(const std::function<int(const Inheritance &)> &supervise, Inheritance inheritance,
                             std::span<char *> arguments);

} // namespace skerry
