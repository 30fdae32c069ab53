// SPDX-License-Identifier: BSD-3-Clause
// The process that the user started, the first of the chain (chain.hpp).
#pragma once

#include "chain.hpp"

#include <functional>
#include <span>

namespace skerry {

// Runs `supervise` two processes below and waits for it; returns oshrun's exit code. `arguments` are those of main. If
// the job was stopped by SIGINT this process ends by it too, so that a shell script around it stops.
int run_supervised(const std::function<int(const Inheritance &)> &supervise, std::span<char *> arguments);

} // namespace skerry
