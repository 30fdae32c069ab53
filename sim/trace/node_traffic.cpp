// SPDX-License-Identifier: BSD-3-Clause
#include "trace/node_traffic.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace skerry::sim {
namespace {

constexpr std::size_t transfers_kept = 50'000;    // of each network
constexpr std::uint64_t closeness = 64;           // cycles between two packets of one transfer of a core
constexpr std::uint64_t first_link_interval = 64; // cycles
constexpr std::uint32_t link_intervals = 256;

} // namespace

NodeTraffic::NodeTraffic(const Chip &chip)
    : chip_(chip), logs_{MessageLog(transfers_kept, closeness), MessageLog(transfers_kept, closeness)},
      links_(node_networks * links_of_network(), first_link_interval, link_intervals),
      ddr_(chip.machine().data_network.io_nodes, first_link_interval, link_intervals) {
}

std::uint32_t NodeTraffic::links_of_network() const {
    return chip_.nodes().node_count() * dnoc::directions;
}

void NodeTraffic::packet(std::uint64_t cycle, const PacketEvent &event) {
    const auto network = static_cast<unsigned>(event.network);
    const auto sender = static_cast<std::uint16_t>(event.sender << tag_bits | event.tag);
    if (event.way == PacketWay::received) return logs_[network].landed(cycle, event.from, sender, event.to);
    logs_[network].sent(cycle, event.from, sender, event.to, event.bytes, event.job);
    Sum &sum = matrices_[network][{event.from, event.to}];
    sum.packets++;
    sum.bytes += event.bytes;
}

void NodeTraffic::link(const LinkUse &use) {
    const std::uint32_t link =
        static_cast<std::uint32_t>(use.network) * links_of_network() + link_of(use.node, use.output);
    const std::uint64_t cycles = use.last + 1 - use.first;
    links_.spread(link, use.first, 0, cycles, use.flits);
    links_.spread(link, use.first, 1, cycles, cycles - use.flits);
}

void NodeTraffic::ddr(std::uint64_t cycle, std::uint32_t io_node, PacketWay way, std::uint32_t bytes) {
    ddr_.add(io_node, cycle, static_cast<unsigned>(way), bytes);
}

std::string NodeTraffic::sender_name(std::uint16_t number) const {
    const std::uint32_t sender = sender_of(number), cores = chip_.machine().cluster.cores;
    return sender < cores ? fmt::format("core {}", sender) : fmt::format("micro-core {}", sender - cores);
}

bool NodeTraffic::is_used(std::uint32_t node) const {
    return std::ranges::any_of(matrices_, [&](const Matrix &matrix) {
        return std::ranges::any_of(
            matrix, [&](const auto &entry) { return entry.first.first == node || entry.first.second == node; });
    });
}

} // namespace skerry::sim
