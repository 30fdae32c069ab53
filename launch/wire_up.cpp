// SPDX-License-Identifier: BSD-3-Clause
#include "wire_up.hpp"

#include "message.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace skerry {

namespace {

uint32_t ports_of(int pes) {
    return static_cast<uint32_t>(std::min(pes, SKERRY_NETWORK_PORTS));
}

} // namespace

WireUp::WireUp(const std::vector<NodeRange> &nodes)
    : bytes_(skerry_wire_up_bytes(static_cast<uint32_t>(nodes.size()))), count_(static_cast<uint32_t>(nodes.size())) {
    descriptor_ = memfd_create("skerry-nodes", 0);
    void *memory = descriptor_ < 0 || ftruncate(descriptor_, static_cast<off_t>(bytes_)) != 0
                       ? MAP_FAILED
                       : mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (memory == MAP_FAILED)
        stop(exit_failure,
             fmt::format("cannot make the memory file that describes the nodes ({})", std::strerror(errno)));
    memory_ = static_cast<skerry_wire_up *>(memory);
    memory_->node_count = count_;
    for (size_t i = 0; i < nodes.size(); ++i) {
        skerry_node &node = skerry_nodes(memory_)[i];
        node.first = nodes[i].first;
        node.count = nodes[i].count;
        node.ports = ports_of(nodes[i].count);
    }
}

WireUp::~WireUp() {
    munmap(memory_, bytes_);
    close(descriptor_);
}

skerry_node &WireUp::node_at(int node) const {
    return skerry_nodes(memory_)[node];
}

bool WireUp::has_published(int node) const {
    return __atomic_load_n(&memory_->published, __ATOMIC_ACQUIRE) >= ports_of(node_at(node).count);
}

std::vector<std::string> WireUp::addresses(int node) const {
    std::vector<std::string> found;
    const uint32_t ports = ports_of(node_at(node).count);
    for (uint32_t i = 0; i < ports; ++i) {
        const skerry_port &port = node_at(node).port[i];
        const size_t bytes = std::min<size_t>(port.bytes, sizeof port.address);
        found.emplace_back(reinterpret_cast<const char *>(port.address), bytes);
    }
    return found;
}

void WireUp::add_addresses(int node, const std::vector<std::string> &addresses) {
    for (size_t i = 0; i < std::min<size_t>(addresses.size(), SKERRY_NETWORK_PORTS_MAX); ++i) {
        skerry_port &port = node_at(node).port[i];
        port.bytes = static_cast<uint32_t>(std::min(addresses[i].size(), sizeof port.address));
        std::memcpy(port.address, addresses[i].data(), port.bytes);
    }
    __atomic_fetch_add(&memory_->published, static_cast<uint32_t>(addresses.size()), __ATOMIC_ACQ_REL);
}

std::optional<int> WireUp::used_node(size_t place) const {
    if (place >= count_) return std::nullopt;
    const uint32_t node = __atomic_load_n(&skerry_nodes(memory_)[place].next_used, __ATOMIC_ACQUIRE);
    if (node == 0 || node > count_) return std::nullopt;
    return static_cast<int>(node - 1);
}

bool WireUp::is_used(int node) const {
    return __atomic_load_n(&node_at(node).is_used, __ATOMIC_RELAXED) != 0;
}

bool WireUp::is_heard(int node) const {
    return __atomic_load_n(&node_at(node).is_heard, __ATOMIC_RELAXED) != 0;
}

WireUp::Traffic WireUp::traffic_to(int node) const {
    const skerry_node &there = node_at(node);
    const auto load = [](const uint64_t &word) { return __atomic_load_n(&word, __ATOMIC_RELAXED); };
    return {load(there.sent_messages), load(there.sent_bytes), load(there.got_bytes)};
}

} // namespace skerry
