// SPDX-License-Identifier: BSD-3-Clause
#include "race/task_dependences.hpp"

#include <algorithm>
#include <utility>

namespace skerry::sim {

void TaskDependences::enter(Address &address, DependenceKind kind, const std::shared_ptr<MadeTask> &task,
                            std::vector<std::shared_ptr<MadeTask>> &found) {
    const bool shares = kind == DependenceKind::in || kind == DependenceKind::inoutset;
    if (!shares || address.kind != kind || address.last.empty()) address.before = std::exchange(address.last, {});
    address.kind = kind;
    address.last.push_back(task);
    for (const auto &earlier : address.before)
        if (std::ranges::find(found, earlier) == found.end()) found.push_back(earlier);
}

std::vector<std::shared_ptr<MadeTask>> TaskDependences::add(const std::shared_ptr<MadeTask> &task,
                                                            const std::vector<Dependence> &dependences) {
    std::vector<std::shared_ptr<MadeTask>> found;
    for (const Dependence &d : dependences) {
        if (d.address == all_memory) {
            for (auto &[number, address] : addresses_) enter(address, DependenceKind::out, task, found);
            enter(all_, DependenceKind::out, task, found);
            continue;
        }
        const auto [place, is_new] = addresses_.try_emplace(d.address);
        if (is_new) place->second.last = all_.last;
        enter(place->second, d.kind, task, found);
    }
    return found;
}

} // namespace skerry::sim
