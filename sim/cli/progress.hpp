// SPDX-License-Identifier: BSD-3-Clause
// A line on the terminal that tells how far a run is, as long as nothing else is printed.
#pragma once
#include <chrono>
#include <cstdint>

#include "chip/chip.hpp"

namespace skerry::sim {

class Progress {
  public:
    // Does nothing where standard error is no terminal.
    explicit Progress(Chip &chip);
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;
    ~Progress();

  private:
    using Clock = std::chrono::steady_clock;

    void show();
    void wipe();

    Chip &chip_;
    Clock::time_point shown_at_ = Clock::now();
    std::uint64_t instructions_ = 0;
    bool visible_ = false;
};

} // namespace skerry::sim
