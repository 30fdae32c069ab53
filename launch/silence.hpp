// SPDX-License-Identifier: BSD-3-Clause
// Measures how long the other side of a connection has been silent. Counts only time in which this process polls the
// connection regularly. If this process was stopped, got no processor time, or its machine slept, two polls are far
// apart: data of the other side can have arrived unread, and the other side can have been stopped for the same reason.
// So the time between two polls counts as `gap_most` at most.
#pragma once

#include <algorithm>

namespace skerry {

class Silence {
  public:
    // `now` is the time in seconds (clock.hpp). If more than `gap_most` seconds pass between two polls, only `gap_most`
    // seconds count.
    Silence(double now, double gap_most) : polled_(now), gap_most_(gap_most) {
    }

    // Records that the caller has polled the connection. Called before the caller reads the data that have arrived.
    void polled(double now) {
        seconds_ += std::clamp(now - polled_, 0.0, gap_most_);
        polled_ = now;
    }

    // Ends the measured silence, because data have arrived or because the user had stopped the job for a while
    // (Ctrl-Z).
    void end() {
        seconds_ = 0;
    }

    double seconds() const {
        return seconds_;
    }

  private:
    double polled_;
    double gap_most_;
    double seconds_ = 0;
};

} // namespace skerry
