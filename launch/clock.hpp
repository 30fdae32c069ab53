// SPDX-License-Identifier: BSD-3-Clause
// Returns the time in seconds. The clock (CLOCK_MONOTONIC) never jumps when somebody sets the time of the machine.
#pragma once

#include <ctime>

namespace skerry {

inline double now() {
    struct timespec time {};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

} // namespace skerry
