// SPDX-License-Identifier: BSD-3-Clause
// Measures how long the other side of a connection has been silent. Counts only time in which this process polls the
// connection regularly: the time between two polls counts as `gap_most` at most. The reasons:
// * Two polls are far apart if this process was stopped, got no processor time, or its machine slept.
// * In that time data of the other side can have arrived that this process has not read yet.
// * The other side can have been stopped for the same reason.
#pragma once

#include <algorithm>

namespace skerry {

class Silence {
  public:
    // `now` is the time in seconds (clock.hpp). Between two polls at most `gap_most` seconds count as silence.
    Silence(double now, double gap_most) : polled_(now), gap_most_(gap_most) {
    }

    // Records that the caller has polled the connection. Must be called before the caller reads the data that have
    // arrived.
    void polled(double now) {
        seconds_ += std::clamp(now - polled_, 0.0, gap_most_);
        polled_ = now;
    }

    // Ends the measured silence. Called when data have arrived, and when the user continues a job that was stopped
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
