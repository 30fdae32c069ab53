// SPDX-License-Identifier: BSD-3-Clause
#include "progress.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace skerry::bench {

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

Progress::Progress(int steps_) : terminal(isatty(STDERR_FILENO) == 1), steps(steps_), began(now()) {
}

Progress::~Progress() {
    clear();
}

void Progress::step(const std::string &what) {
    ++done;
    if (!terminal) return;
    constexpr int width = 24;
    const int before = std::min(done - 1, steps);
    const int filled = steps > 0 ? width * before / steps : width;
    const double spent = now() - began;
    const double left = before > 0 ? spent / before * std::max(0, steps - before) : 0;
    const std::string time =
        before > 2 ? fmt::format("{}:{:02} left", static_cast<int>(left) / 60, static_cast<int>(left) % 60) : "";
    fmt::print(stderr, "\r[{:#<{}}{:.<{}}] {}/{} {:.40} {}\033[K", "", filled, "", width - filled,
               std::min(done, steps), steps, what, time);
    std::fflush(stderr);
}

void Progress::warn(const std::string &text) {
    clear();
    fmt::print(stderr, "skerry bench: {}\n", text);
}

void Progress::clear() {
    if (terminal) fmt::print(stderr, "\r\033[K");
}

} // namespace skerry::bench
