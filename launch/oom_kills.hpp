// SPDX-License-Identifier: BSD-3-Clause
// Finds out if the kernel has killed a process because memory ran out. The exit status does not show this, because
// every process that got SIGKILL has the same status. But the kernel counts these kills, for each control group and for
// the whole system. The kernel increments the counter before it sends the signal.
#pragma once

#include <optional>
#include <string>

namespace skerry {

class OomKills {
  public:
    // Reads the counter of this process's control group, which is also the PEs' group. Reads the counter of the whole
    // system if the group has no counter. `root` is put before all paths; tests use it.
    explicit OomKills(std::string root = {});

    // Names the killer of a process that got a SIGKILL that the launcher did not send. The returned words continue "was
    // killed". Returns an empty text if the counter has not changed since the constructor. The words contain "probably"
    // if the counter is the whole system's, because that counter includes processes outside this job.
    std::string describe_killer() const;

  private:
    bool choose(const std::string &path);

    std::string root_;
    std::string path_; // file of the counter; empty if there is no counter
    bool of_system_ = false;
    long at_start_ = 0;
};

// Returns the value of the counter oom_kill from a text whose lines are a name and a number. Returns an empty value if
// the text has no such counter.
std::optional<long> find_oom_kill(const std::string &text);

} // namespace skerry
