// SPDX-License-Identifier: BSD-3-Clause
// Shows a progress bar on the last line of the terminal. Shows no bar if standard error is no terminal.
#pragma once

#include <string>

namespace skerry::bench {

class Progress {
  public:
    explicit Progress(int steps);
    ~Progress();
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;
    void step(const std::string &what); // begins the next step and shows `what`
    void warn(const std::string &text); // prints a line that the bar does not overwrite
    void clear();

  private:
    bool terminal;
    int done = 0, steps;
    double began;
};

} // namespace skerry::bench
