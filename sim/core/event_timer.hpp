// SPDX-License-Identifier: BSD-3-Clause
// An event timer counts down by one for each event of a source and stops at zero. It stores its start value and the
// source's count at that time, and computes its value when it is read, so counting costs nothing.
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
    // Returns true once after the timer has reached zero, and disarms it.
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
