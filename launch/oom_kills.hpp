// SPDX-License-Identifier: BSD-3-Clause
// Whether the kernel has killed a process because memory ran out. A process that was killed so looks as one that got
// SIGKILL from anybody; but the kernel counts these kills, for each control group and for the whole system, and raises
// the counter before it sends the signal.
#pragma once

#include <optional>
#include <string>

namespace skerry {

class OomKills {
  public:
    // Reads the counter of this process's control group, which the PEs inherit, or the system's if the group has none.
    // `root` is put before all paths.
    explicit OomKills(std::string root = {});

    // Who has killed a process that got SIGKILL from none of ours, to be put behind "was killed": empty if the counter
    // stands where it stood at the start. The system's counter does not tell whose process it was: "probably".
    std::string describe_killer() const;

  private:
    bool choose(const std::string &path);

    std::string root_;
    std::string path_; // empty: there is no counter
    bool of_system_ = false;
    long at_start_ = 0;
};

// The counter named oom_kill in a file of lines with a name and a number.
std::optional<long> find_oom_kill(const std::string &text);

} // namespace skerry
