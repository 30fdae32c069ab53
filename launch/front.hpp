// SPDX-License-Identifier: BSD-3-Clause
// The process that the user started. It and the supervisor, its child, watch each other: whichever is killed, the other
// ends all that belongs to the job.
#pragma once

#include <functional>

namespace skerry {

struct Inheritance;

// Runs `supervise` in a child and waits for it; returns oshrun's exit code. If it was stopped by SIGINT this process
// ends by it too, so that a shell script around it stops.
int run_supervised(const std::function<int(const Inheritance &)> &supervise);

} // namespace skerry
