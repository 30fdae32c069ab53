// SPDX-License-Identifier: BSD-3-Clause
// Constructs the mesh of routers. mesh_step.cpp simulates a cycle.
#include "noc/mesh.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace skerry::sim {

MeshNetwork::MeshNetwork(const NetworkConfiguration &configuration, Sink &unclaimed)
    : Network(configuration, unclaimed) {
    const auto columns = static_cast<std::int32_t>(configuration_.columns);
    step_to_ = {0, -columns, 1, columns, -1};
    unsigned depth = 1;
    for (const MeshConfiguration &mesh : configuration_.meshes) {
        depth = std::max({depth, mesh.buffer_depth, mesh.injection_depth});
    }
    stride_bits_ = static_cast<unsigned>(std::bit_width(depth - 1));
    stride_mask_ = (1U << stride_bits_) - 1;
    build_routers();
    const std::size_t buffers = routers_.size() * port_count;
    entries_.resize(buffers << stride_bits_);
    transactions_.resize(entries_.size());
    copies_.resize(entries_.size());
    free_slots_.resize(entries_.size());
    for (std::size_t i = 0; i < free_slots_.size(); i++) {
        free_slots_[i] = static_cast<std::uint32_t>(free_slots_.size() - 1 - i);
    }
}

void MeshNetwork::build_routers() {
    routers_.resize(std::size_t{mesh_count} * nodes_);
    words_ = (nodes_ + 63) / 64;
    active_.resize(mesh_count * words_);
    for (unsigned node = 0; node < nodes_; node++) {
        unsigned neighbours = 0;
        neighbours |= static_cast<unsigned>(row_[node] > 0) << index(Port::north);
        neighbours |= static_cast<unsigned>(column_[node] + 1U < configuration_.columns) << index(Port::east);
        neighbours |= static_cast<unsigned>(row_[node] + 1U < configuration_.rows) << index(Port::south);
        neighbours |= static_cast<unsigned>(column_[node] > 0) << index(Port::west);
        for (unsigned mesh = 0; mesh < mesh_count; mesh++) {
            routers_[router_index(static_cast<Mesh>(mesh), node)].neighbours = neighbours;
        }
    }
}

bool MeshNetwork::holds_write() const {
    for (std::size_t slot = 0; slot < copies_.size(); slot++) {
        if (copies_[slot] != 0 && transactions_[slot].kind == Transaction::Kind::write) return true;
    }
    return false;
}

unsigned MeshNetwork::hops(unsigned from, std::uint32_t address) const {
    const unsigned to = destination(address).node;
    return static_cast<unsigned>(std::abs(row_[from] - row_[to]) + std::abs(column_[from] - column_[to]));
}

} // namespace skerry::sim
