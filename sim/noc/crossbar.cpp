// SPDX-License-Identifier: BSD-3-Clause
// Simulates one cycle of the crossbar. First each receiver gets a transaction that has arrived. Then each receiver
// takes one of the transactions that wait for it.
//
// Why neither the order of the receivers nor the moment of an offer within the cycle changes the result:
// * A transaction waits at least until the cycle after it was offered.
// * A place that becomes free in a cycle can be used from the next cycle on.
#include "noc/crossbar.hpp"

#include <algorithm>

namespace skerry::sim {

namespace {

constexpr std::array<Mesh, mesh_count> parts = {Mesh::on_chip_write, Mesh::read_request, Mesh::off_chip_write};

constexpr unsigned part(Mesh mesh) {
    return static_cast<unsigned>(mesh);
}

} // namespace

Crossbar::Crossbar(const NetworkConfiguration &configuration, Sink &unclaimed)
    : Network(configuration, unclaimed), endpoints_(nodes_ + port_count - 1),
      inputs_(std::size_t{mesh_count} * endpoints_, Input{Queue(configuration.crossbar.buffer_depth)}),
      outputs_(inputs_.size(), Output{Queue(configuration.crossbar.one_way)}) {
}

std::size_t Crossbar::link_of(Mesh mesh, std::uint32_t endpoint) const {
    if (endpoint < nodes_) return link(mesh, endpoint, Port::local);
    const auto edge = static_cast<Port>(endpoint - nodes_ + 1);
    return link(mesh, link_node_[index(edge)], edge);
}

bool Crossbar::insert(std::uint64_t cycle, std::uint32_t from, Mesh mesh, const Transaction &transaction) {
    Input &input = inputs_[at(mesh, from)];
    if (is_full(input, cycle)) return false;
    const Destination to = destination(transaction.address);
    const std::uint32_t endpoint = to.port == Port::local ? to.node : endpoint_of_link(to.port);
    input.waiting.push({transaction, cycle, endpoint});
    waiting_[part(mesh)]++;
    in_flight_++;
    return true;
}

bool Crossbar::holds_write() const {
    const auto has_write = [](const Queue &queue) {
        for (std::uint32_t i = 0; i < queue.count(); i++) {
            if (queue[i].transaction.kind == Transaction::Kind::write) return true;
        }
        return false;
    };
    return std::ranges::any_of(inputs_, [&](const Input &input) { return has_write(input.waiting); }) ||
           std::ranges::any_of(outputs_, [&](const Output &output) { return has_write(output.under_way); });
}

void Crossbar::step_active(std::uint64_t cycle) {
    if (history_.enabled()) history_.advance(cycle);
    for (const Mesh mesh : parts) {
        for (std::uint32_t endpoint = 0; endpoint < endpoints_ && under_way_[part(mesh)] != 0; endpoint++) {
            deliver(cycle, mesh, endpoint);
        }
        if (waiting_[part(mesh)] == 0) continue;
        for (std::uint32_t from = 0; from < endpoints_; from++) request(cycle, mesh, from);
        for (std::uint32_t endpoint = 0; endpoint < endpoints_; endpoint++) grant(cycle, mesh, endpoint);
    }
}

void Crossbar::deliver(std::uint64_t cycle, Mesh mesh, std::uint32_t endpoint) {
    Queue &queue = outputs_[at(mesh, endpoint)].under_way;
    if (queue.count() == 0 || queue[0].time > cycle) return;
    Sink &receiver = endpoint < nodes_ ? sink(endpoint, index(Port::local)) : sink(0, endpoint - nodes_ + 1);
    const bool accepted = receiver.accept(cycle, queue[0].transaction);
    if (accepted) {
        queue.pop();
        under_way_[part(mesh)]--;
        in_flight_--;
    }
    count_link(link_of(mesh, endpoint), false, accepted);
}

// Adds the first transaction of an input (the buffer of a sender) to the requests for the output that leads to its
// receiver.
void Crossbar::request(std::uint64_t cycle, Mesh mesh, std::uint32_t from) {
    const Queue &queue = inputs_[at(mesh, from)].waiting;
    if (queue.count() == 0 || queue[0].time == cycle) return;
    Output &output = outputs_[at(mesh, queue[0].to)];
    if (output.requests++ == 0) {
        output.lowest = from;
        output.next = endpoints_;
        output.owner_requests = false;
    }
    if (from == output.owner) output.owner_requests = true;
    if (from > output.owner && output.next == endpoints_) output.next = from;
}

void Crossbar::grant(std::uint64_t cycle, Mesh mesh, std::uint32_t endpoint) {
    Output &output = outputs_[at(mesh, endpoint)];
    if (output.requests == 0) return;
    const bool contended = output.requests > 1;
    output.requests = 0;
    std::uint32_t from = output.next != endpoints_ ? output.next : output.lowest;
    const bool within_turn = cycle < output.turn_ends;
    if (within_turn) from = output.owner;
    if ((within_turn && !output.owner_requests) || output.under_way.count() == configuration_.crossbar.one_way) {
        return count_link(link_of(mesh, endpoint), contended, false);
    }
    if (!within_turn) {
        output.owner = from;
        output.turn_ends = cycle + configuration_.crossbar.turn;
    }
    Input &input = inputs_[at(mesh, from)];
    Entry moving = input.waiting[0];
    moving.time = cycle - 1 + configuration_.crossbar.one_way;
    output.under_way.push(moving);
    input.waiting.pop();
    waiting_[part(mesh)]--;
    under_way_[part(mesh)]++;
    input.taken_from = cycle;
    if (contended) counters_[link_of(mesh, endpoint)].contended++;
}

} // namespace skerry::sim
