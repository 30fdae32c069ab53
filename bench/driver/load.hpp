// SPDX-License-Identifier: BSD-3-Clause
// Puts load on the machine during a measurement: busy loops, or more copies of the program, with the same priority.
#pragma once

#include "command.hpp"

#include <sys/types.h>
#include <vector>

namespace skerry::bench {

// Processes that run until this object is destroyed. The kernel ends them if this program dies.
class Load {
  public:
    Load() = default;
    Load(const Load &) = delete;
    Load &operator=(const Load &) = delete;
    ~Load();
    void add_busy_loop();
    void add_command(const Words &command, const Words &environment); // the command's output is dropped

  private:
    pid_t fork_process(); // returns 0 in the new process
    std::vector<pid_t> processes;
};

} // namespace skerry::bench
