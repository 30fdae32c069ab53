// SPDX-License-Identifier: BSD-3-Clause
// A bar on the terminal's last line; nothing when standard error is no terminal.
#pragma once

#include <string>

namespace skerry::bench {

class Progress {
  public:
    explicit Progress(int steps);
    ~Progress();
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;
    void step(const std::string &what); // begins a step
    void warn(const std::string &text); // a line that stays
    void clear();

  private:
    bool terminal;
    int done = 0, steps;
    double began;
};

} // namespace skerry::bench
