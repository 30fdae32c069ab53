// SPDX-License-Identifier: BSD-3-Clause
#include "chip/host_calls.hpp"

#include <cerrno>

#include <fmt/format.h>

#include "chip/core_view.hpp"
#include "chip/programs.hpp"

namespace skerry::sim {

bool HostCalls::serve(std::uint32_t index, std::uint64_t cycle) {
    Core &core = map_.core(index);
    CoreView seen(map_, core);
    const unsigned number = *std::exchange(requested_[index], std::nullopt);
    HostWords words = core.host_arguments();
    if (starter_ && Programs::has_service(words.back())) {
        core.host_returns(0, starter_(words, seen, cycle));
    } else if (link_ != nullptr && HostLink::has_service(words.back())) {
        semihost_.flush(); // before the other program can print
        const std::uint32_t error = link_->serve(words, seen, map_.machine().pcie_message_cycles);
        core.host_returns(words.front(), error);
        return error != EINTR && !link_->has_ended();
    } else if (const auto status = semihost_.trap(words, number, seen, index, cycle / map_.machine().megahertz)) {
        exits_.exited(index, *status);
        core.halt({StopKind::exited, static_cast<std::uint32_t>(*status), 0, false});
    } else {
        core.host_returns(words.front(), words.back());
    }
    return !semihost_.interrupted();
}

void HostCalls::label_output(const std::vector<std::uint32_t> &members,
                             const std::function<std::uint32_t(std::size_t)> &pe_of) {
    std::vector<std::string> labels;
    for (std::uint32_t k = 0; k < map_.core_count(); k++) {
        const std::uint32_t id = map_.core(k).id();
        labels.push_back(fmt::format("({},{}) ", id >> 6, id & 63));
    }
    for (std::uint32_t k = 0; k < members.size(); k++) labels[members[k]] = fmt::format("[{}] ", pe_of(k));
    semihost_.output().label(std::move(labels));
}

} // namespace skerry::sim
