// SPDX-License-Identifier: BSD-3-Clause
// The keeper is the process between front (which the user started) and supervisor (the parent of the PEs). The keeper
// ends the job if both of them are killed at once.
#pragma once

#include "chain.hpp"

#include <functional>
#include <span>

namespace skerry {

// Runs `supervise` in a child (the supervisor), waits for the child, and exits with the child's exit code. `arguments`
// are those of main. The keeper overwrites its copy of the arguments. A search for oshrun's command line then does not
// find the keeper.
[[noreturn]] void run_keeper(const std::function<int(const Inheritance &)> &supervise, Inheritance inheritance,
                             std::span<char *> arguments);

} // namespace skerry
