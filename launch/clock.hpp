// SPDX-License-Identifier: BSD-3-Clause
// The time in seconds, on a clock that is never set back or forward (CLOCK_MONOTONIC).
#pragma once

#include <ctime>

namespace skerry {

inline double now() {
    struct timespec time {};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

} // namespace skerry
