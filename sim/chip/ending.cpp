// SPDX-License-Identifier: BSD-3-Clause
#include "chip/ending.hpp"

#include <algorithm>

namespace skerry::sim {

void Exits::exited(std::uint32_t index, int status) {
    statuses_[index] = status;
    if (one_ends_all_ && status != 0 && failed_ == no_core) failed_ = index;
}

void Exits::stopped(std::uint32_t index, const Stop &stop) {
    if (stop.kind == StopKind::exited) exited_++;
    else if (broken_ == no_core) broken_ = index;
}

Ending Exits::ending(const std::optional<int> &job_status) const {
    if (broken_ != no_core) return {EndKind::stopped, 1, broken_};
    if (job_status) return {EndKind::exited, *job_status, 0};
    if (failed_ != no_core) return {EndKind::exited, statuses_[failed_], failed_};
    const auto first = std::ranges::find_if(statuses_, [](int status) { return status != 0; });
    return {EndKind::exited, first == statuses_.end() ? 0 : *first, 0};
}

} // namespace skerry::sim
