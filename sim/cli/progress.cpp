// SPDX-License-Identifier: BSD-3-Clause
#include "cli/progress.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace skerry::sim {

Progress::Progress(Chip &chip) : chip_(chip) {
    if (isatty(STDERR_FILENO) == 0) return;
    chip.on_progress([this] { show(); }, [this] { wipe(); });
}

Progress::~Progress() {
    wipe();
    chip_.on_progress({}, {});
}

void Progress::show() {
    constexpr auto interval = std::chrono::milliseconds(200);
    const Clock::time_point now = Clock::now();
    const std::uint64_t instructions = chip_.instructions();
    const std::chrono::duration<double> passed = now - shown_at_;
    if (passed < interval) return;
    fmt::print(stderr, "\r\033[Kskerry-sim: cycle {}, {:.1f} million instructions/s", chip_.now(),
               static_cast<double>(instructions - instructions_) / passed.count() / 1e6);
    visible_ = true;
    shown_at_ = now;
    instructions_ = instructions;
}
void Progress::wipe() {
    if (visible_) fmt::print(stderr, "\r\033[K");
    visible_ = false;
}

} // namespace skerry::sim
