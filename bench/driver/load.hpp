// SPDX-License-Identifier: BSD-3-Clause
// What else the machine does while something is measured: busy loops, or more copies of the program, of the same priority.
#pragma once

#include "command.hpp"

#include <sys/types.h>
#include <vector>

namespace skerry::bench {

// Processes that run until it is destroyed. The kernel ends them if this program dies.
class Load {
  public:
    Load() = default;
    Load(const Load &) = delete;
    Load &operator=(const Load &) = delete;
    ~Load();
    void add_busy_loop();
    void add_command(const Words &command, const Words &environment); // its output is dropped

  private:
    pid_t fork_process(); // 0 in the new one
    std::vector<pid_t> processes;
};

} // namespace skerry::bench
