// SPDX-License-Identifier: BSD-3-Clause
// Simulates one cycle of the mesh of routers. In every router, the first entry of each input buffer requests the
// outputs through which it must leave. Each output chooses one of the requests. A cycle has two halves. An entry that
// can leave in the first half has priority over an entry that can leave only in the second half.
#include <algorithm>
#include <bit>

#include "noc/mesh.hpp"

namespace skerry::sim {

namespace {

constexpr unsigned bit(Port port) {
    return 1U << static_cast<unsigned>(port);
}

// For each output of a router: the input of the neighbour router to which this output leads.
constexpr std::array<unsigned, port_count> opposite = {
    static_cast<unsigned>(Port::local), static_cast<std::uint8_t>(Port::south), static_cast<unsigned>(Port::west),
    static_cast<std::uint8_t>(Port::north), static_cast<unsigned>(Port::east)};

// For each input by which a multicast (a store to several cores) enters a router: the outputs by which it leaves this
// router. A multicast spreads along the row in which it starts. From each node of that row it spreads along the node's
// column. Therefore it reaches every router exactly one time.
constexpr std::array<unsigned, port_count> spread = {
    bit(Port::north) | bit(Port::east) | bit(Port::south) | bit(Port::west), // local
    bit(Port::south),                                                        // from the north
    bit(Port::west) | bit(Port::north) | bit(Port::south),                   // from the east
    bit(Port::north),                                                        // from the south
    bit(Port::east) | bit(Port::north) | bit(Port::south),                   // from the west
};

// Converts a mask of outputs, with one bit for each output, to a word with one byte for each output. If bit o of
// `outputs` is set, bit 0 of byte o of requests[outputs] is set.
constexpr std::array<std::uint64_t, 1 << port_count> requests = [] {
    std::array<std::uint64_t, 1 << port_count> table{};
    for (unsigned outputs = 0; outputs < table.size(); outputs++) {
        for (unsigned o = 0; o < port_count; o++) {
            table[outputs] |= std::uint64_t{outputs >> o & 1} << (8 * o);
        }
    }
    return table;
}();

// Chooses one input of the mask `inputs` so that all inputs get their turn. `last` is the input that was chosen before.
// Chooses the next higher input. If there is none, chooses the lowest input.
unsigned round_robin(unsigned inputs, unsigned last) {
    const unsigned behind = inputs & ~((2U << last) - 1);
    return static_cast<unsigned>(std::countr_zero(behind != 0 ? behind : inputs));
}

} // namespace

inline unsigned MeshNetwork::route(unsigned node, unsigned input, const Entry &moving) const {
    if (moving.final_port == everywhere) {
        const bool listens = group_[node] == transactions_[moving.slot].group;
        return (spread[input] & routers_[node].neighbours) | (listens ? bit(Port::local) : 0);
    }
    if (node == moving.target) {
        return 1U << moving.final_port;
    }
    const int east = column_[moving.target] - column_[node];
    if (east != 0) {
        return east > 0 ? bit(Port::east) : bit(Port::west);
    }
    return row_[moving.target] > row_[node] ? bit(Port::south) : bit(Port::north);
}

inline void MeshNetwork::release(std::uint32_t slot) {
    if (--copies_[slot] == 0) {
        free_slots_.push_back(slot);
        in_flight_--;
    }
}

// Appends an entry (a transaction, and the outputs through which it must leave) to an input buffer. Only releases the
// transaction of an entry without outputs. Such an entry is a copy of a multicast (a store to a group of cores) that
// has nowhere to go: its node is not in the group, and has no neighbour to which the copy must go next.
inline void MeshNetwork::push(Mesh mesh, unsigned node, unsigned input, const Entry &added) {
    if (added.outputs == 0) {
        return release(added.slot);
    }
    const std::size_t at = router_index(mesh, node);
    Router &router = routers_[at];
    Buffer &buffer = router.inputs[input];
    entry(at, input, buffer.first + buffer.count++) = added;
    router.occupied |= 1U << input;
    active_[static_cast<unsigned>(mesh) * words_ + node / 64] |= std::uint64_t{1} << node % 64;
}

inline unsigned MeshNetwork::ready_by(std::size_t router, unsigned inputs, std::uint64_t time) {
    unsigned ready = 0;
    for (unsigned left = inputs; left != 0; left &= left - 1) {
        const auto input = static_cast<unsigned>(std::countr_zero(left));
        const Entry &first = entry(router, input, routers_[router].inputs[input].first);
        ready |= static_cast<unsigned>(first.ready <= time) << input;
    }
    return ready;
}

// Records that the first entry (transaction) of an input has left through one output. A multicast (a store to several
// cores) possibly must leave through other outputs too; then returns false. If no output is left, removes the entry
// from its buffer and returns true.
inline bool MeshNetwork::served(std::size_t at, unsigned output, unsigned input) {
    Router &router = routers_[at];
    Buffer &buffer = router.inputs[input];
    Entry &first = entry(at, input, buffer.first);
    router.last_served[output] = input;
    first.outputs = first.outputs & ~(1U << output) & 255;
    if (first.outputs != 0) {
        return false;
    }
    buffer.first++;
    buffer.count--;
    buffer.taken_from = cycle_;
    if (buffer.count == 0) {
        router.occupied &= ~(1U << input);
    }
    return true;
}

inline void MeshNetwork::count(std::size_t at, unsigned output, unsigned inputs, bool crossed) {
    count_link(at * port_count + output, (inputs & (inputs - 1)) != 0, crossed);
}

bool MeshNetwork::has_room(std::uint64_t cycle, unsigned node, Mesh mesh) const {
    const Buffer &buffer = routers_[router_index(mesh, node)].inputs[index(Port::local)];
    return !is_full(buffer, configuration_.meshes[static_cast<unsigned>(mesh)].injection_depth, cycle);
}

bool MeshNetwork::insert(std::uint64_t cycle, unsigned node, Port port, Mesh mesh, const Transaction &transaction) {
    const MeshConfiguration &parameters = configuration_.meshes[static_cast<unsigned>(mesh)];
    const Buffer &buffer = routers_[router_index(mesh, node)].inputs[index(port)];
    const unsigned depth = port == Port::local ? parameters.injection_depth : parameters.buffer_depth;
    if (is_full(buffer, depth, cycle)) {
        return false;
    }

    const Destination to = destination(transaction.address);
    const std::uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    transactions_[slot] = transaction;
    copies_[slot] = 1;
    in_flight_++;
    const unsigned final_port = transaction.group != 0 ? everywhere : index(to.port);
    Entry added{};
    added.ready = 2 * cycle + parameters.injection_half_cycles;
    added.slot = slot;
    added.target = to.node;
    added.final_port = final_port & 255;
    added.outputs = route(node, index(port), added) & 255;
    push(mesh, node, index(port), added);
    return true;
}

void MeshNetwork::step_active(std::uint64_t cycle) {
    cycle_ = cycle;
    if (history_.enabled()) {
        history_.advance(cycle);
    }
    for (unsigned mesh = 0; mesh < mesh_count; mesh++) {
        for (std::size_t word = 0; word < words_; word++) {
            for (std::uint64_t left = active_[mesh * words_ + word]; left != 0; left &= left - 1) {
                const auto which = static_cast<unsigned>(std::countr_zero(left));
                step_router(static_cast<Mesh>(mesh), static_cast<unsigned>(word) * 64 + which);
            }
        }
    }
}

void MeshNetwork::step_router(Mesh mesh, unsigned node) {
    const std::size_t at = router_index(mesh, node);
    Router &router = routers_[at];
    std::uint64_t wanted = 0; // byte o: the inputs whose first entry requests output o
    for (unsigned inputs = router.occupied; inputs != 0; inputs &= inputs - 1) {
        const auto input = static_cast<unsigned>(std::countr_zero(inputs));
        const Entry &first = entry(at, input, router.inputs[input].first);
        if (first.ready <= 2 * cycle_ + 1) {
            wanted |= requests[first.outputs] << input;
        }
    }
    while (wanted != 0) {
        const auto output = static_cast<unsigned>(std::countr_zero(wanted)) / 8;
        const auto inputs = static_cast<unsigned>(wanted >> 8 * output & 255);
        wanted &= ~(std::uint64_t{255} << 8 * output);
        if (router.neighbours >> output & 1) {
            forward(mesh, node, output, inputs);
        } else {
            deliver(mesh, node, output, inputs);
        }
    }
    if (router.occupied == 0) {
        active_[static_cast<unsigned>(mesh) * words_ + node / 64] &= ~(std::uint64_t{1} << node % 64);
    }
}

// Delivers an entry to a sink (a receiver of transactions). Sinks work in whole cycles. An entry that is ready in the
// middle of a cycle arrives in the next cycle.
void MeshNetwork::deliver(Mesh mesh, unsigned node, unsigned output, unsigned inputs) {
    const std::size_t at = router_index(mesh, node);
    inputs = ready_by(at, inputs, 2 * cycle_);
    if (inputs == 0) {
        return;
    }
    Router &router = routers_[at];
    const unsigned input = round_robin(inputs, router.last_served[output]);
    const std::uint32_t slot = entry(at, input, router.inputs[input].first).slot;
    const bool accepted = sink(node, output).accept(cycle_, transactions_[slot]);
    if (accepted && served(at, output, input)) {
        release(slot);
    }
    count(at, output, inputs, accepted);
}

void MeshNetwork::forward(Mesh mesh, unsigned node, unsigned output, unsigned inputs) {
    const MeshConfiguration &parameters = configuration_.meshes[static_cast<unsigned>(mesh)];
    const std::size_t at = router_index(mesh, node);
    Router &router = routers_[at];
    std::uint64_t leaving = std::max(router.output_free[output], 2 * cycle_);
    const auto next = static_cast<unsigned>(static_cast<std::int32_t>(node) + step_to_[output]);
    const unsigned next_input = opposite[output];
    const Buffer &buffer = routers_[router_index(mesh, next)].inputs[next_input];
    if (leaving > 2 * cycle_ + 1 || is_full(buffer, parameters.buffer_depth, cycle_)) {
        return count(at, output, inputs, false);
    }
    auto input = static_cast<unsigned>(std::countr_zero(inputs));
    if ((inputs & (inputs - 1)) == 0) {
        leaving = std::max(leaving, entry(at, input, router.inputs[input].first).ready);
    } else {
        unsigned ready = ready_by(at, inputs, leaving);
        if (ready == 0) { // all inputs are ready only in the second half of the cycle
            ready = inputs;
            leaving = 2 * cycle_ + 1;
        }
        input = round_robin(ready, router.last_served[output]);
    }
    Entry moving = entry(at, input, router.inputs[input].first);
    moving.ready = leaving + parameters.hop_half_cycles;
    moving.outputs = route(next, next_input, moving) & 255;
    router.output_free[output] = leaving + parameters.link_interval_half_cycles;
    if (!served(at, output, input)) {
        copies_[moving.slot]++;
    }
    push(mesh, next, next_input, moving);
    count(at, output, inputs, true);
}

} // namespace skerry::sim
