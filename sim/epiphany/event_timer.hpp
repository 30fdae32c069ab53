// SPDX-License-Identifier: BSD-3-Clause
// Implements a timer that counts down by one for each event of a source and stops at zero. The class stores the timer's
// start value, and the number of the source's events at the start. The timer's value is computed only when the value is
// read. Therefore an event costs the simulator nothing.
#pragma once
#include <algorithm>
#include <cstdint>

namespace skerry::sim {

class EventTimer {
  public:
    void set(std::uint32_t value, std::uint64_t events) {
        value_ = value;
        since_ = events;
        armed_ = value != 0;
    }
    std::uint32_t value(std::uint64_t events) const {
        return static_cast<std::uint32_t>(value_ - std::min<std::uint64_t>(value_, events - since_));
    }
    // Returns true at the first call after the timer has reached zero. Later calls return false until the timer is set
    // again.
    bool expired(std::uint64_t events) {
        if (!armed_ || value(events) != 0) return false;
        armed_ = false;
        return true;
    }
    bool armed() const {
        return armed_;
    }

  private:
    std::uint64_t since_ = 0;
    std::uint32_t value_ = 0;
    bool armed_ = false;
};

} // namespace skerry::sim
