// SPDX-License-Identifier: BSD-3-Clause
// Shows the progress of a run (cycle, and instructions per second) in one line on the terminal. The class removes the
// line before the simulator or the program prints anything else.
#pragma once
#include <chrono>
#include <cstdint>

#include "chip/chip.hpp"

namespace skerry::sim {

class Progress {
  public:
    // Shows nothing if standard error is not a terminal.
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
