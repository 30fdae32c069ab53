// SPDX-License-Identifier: BSD-3-Clause
// Measures how long the other side of a connection is silent. Only time in which this process polls the connection
// regularly counts. If this process got no processor, was stopped, or the machine slept, signs of life can have arrived
// unread, and the other side can have had the same fate. So a longer time between two polls counts as `gap_most`.
#pragma once

#include <algorithm>

namespace skerry {

class Silence {
  public:
    // `now` is the time in seconds (clock.hpp). `gap_most`: seconds that count between two polls at most.
    Silence(double now, double gap_most) : polled_(now), gap_most_(gap_most) {
    }

    // The connection was polled. Called before what has arrived is read.
    void polled(double now) {
        seconds_ += std::clamp(now - polled_, 0.0, gap_most_);
        polled_ = now;
    }

    // Something has arrived, or silence is to be expected.
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
