// SPDX-License-Identifier: BSD-3-Clause
// Why the last crossing of a link follows from the crossings of headers: let h(k) be the cycle in which a packet's header
// crosses link k of its route, x(k, i) the same for flit i, and D the flits of a buffer. The rules are
//     x(k, 0) = h(k),   x(k, i) > x(k, i - 1),   x(k, i) > x(k - 1, i),   x(k, i) > x(k + 1, i - D).
// The least solution is x(k, i) = i + max over j of (h(k + j) - j (D - 1)), for all j >= 0 with j D <= i: each term is
// necessary because of the last rule, and with h(k) > h(k - 1) these cycles obey all rules. So when the header has crossed
// link k + (L - 1) / D, or the last link, the last crossing of link k by L flits is certain. It is never earlier than the
// crossing that makes it certain.
//
// What happens in a cycle depends only on what was certain in the cycles before: each event of a cycle makes only later
// cycles certain. So the order of the events in a cycle does not matter.
#include "dnoc/packet_network.hpp"

#include <algorithm>
#include <stdexcept>

namespace skerry::sim::dnoc {

PacketNetwork::PacketNetwork(const NetworkConfiguration &configuration) : torus_(configuration) {
    if (const std::string problem = problem_of(configuration); !problem.empty()) throw std::invalid_argument(problem);
    const unsigned nodes = configuration.nodes();
    links_.resize(std::size_t{nodes} * outputs);
    nodes_.resize(nodes);
    sinks_.resize(nodes);
    for (unsigned node = 0; node < nodes; node++) {
        for (unsigned d = 1; d < directions; d++) {
            const auto output = static_cast<Direction>(d);
            const std::optional<unsigned> to = torus_.neighbour(node, output);
            if (!to) continue;
            links_[link_of(node, d)].to = *to;
            links_[link_of(node, d)].input = static_cast<unsigned>(Torus::opposite(output));
        }
        links_[link_of(node, 0)].to = node;
        links_[link_of(node, injection)].to = node;
        links_[link_of(node, injection)].input = static_cast<unsigned>(Direction::local);
    }
}

// -- packets that nodes send ------------------------------------------------------------------------------------------

bool PacketNetwork::has_room(std::uint64_t cycle, unsigned node) const {
    const Node &n = nodes_[node];
    const auto gone = std::ranges::lower_bound(n.sent_at, cycle) - n.sent_at.begin();
    return n.sending + n.sent_at.size() - static_cast<std::size_t>(gone) < torus_.configuration().send_packets;
}

bool PacketNetwork::offer(std::uint64_t cycle, unsigned node, const Packet &packet) {
    if (!has_room(cycle, node)) return false;
    Node &n = nodes_[node];
    n.sent_at.erase(n.sent_at.begin(), std::ranges::lower_bound(n.sent_at, cycle));
    std::uint32_t number = 0;
    if (free_worms_.empty()) {
        number = static_cast<std::uint32_t>(worms_.size());
        worms_.emplace_back();
    } else {
        number = free_worms_.back();
        free_worms_.pop_back();
    }
    Worm &worm = worms_[number];
    worm.packet = packet;
    worm.packet.source = static_cast<std::uint16_t>(node);
    worm.at = worm.certain = worm.link_count = 0;
    worm.links[worm.link_count++] = link_of(node, injection);
    unsigned router = node;
    for (Route route = packet.route;; route = rest_of(route)) {
        const std::uint32_t link = link_of(router, static_cast<unsigned>(first_hop(route)));
        worm.links[worm.link_count++] = link;
        if (is_delivery(link)) break;
        router = links_[link].to;
    }
    in_flight_++;
    n.sending++;
    n.waiting.push_back(number);
    if (links_[worm.links[0]].contenders.empty()) enter_next(node, cycle + 1);
    if (changed_) changed_();
    return true;
}

// Lets the header of the next packet of a node compete for the link into the router.
void PacketNetwork::enter_next(unsigned node, std::uint64_t cycle) {
    Node &n = nodes_[node];
    if (n.waiting.empty()) return;
    const std::uint32_t worm = n.waiting.front();
    n.waiting.pop_front();
    compete(worm, static_cast<unsigned>(Direction::local), cycle);
}

// -- headers that compete for links -----------------------------------------------------------------------------------

void PacketNetwork::compete(std::uint32_t worm, unsigned input, std::uint64_t ready_at) {
    const std::uint32_t link = worms_[worm].links[worms_[worm].at];
    links_[link].contenders.push_back({worm, input, ready_at});
    try_later(link, ready_at);
}

// Tries to let a header cross a link in this cycle, or in the first later one in which that can be possible.
void PacketNetwork::try_later(std::uint32_t link, std::uint64_t cycle) {
    Link &l = links_[link];
    if (l.contenders.empty()) return;
    std::uint64_t ready = never;
    for (const Contender &c : l.contenders) ready = std::min(ready, c.ready_at);
    std::uint64_t at = std::max({cycle, ready, l.free_at});
    if (is_delivery(link)) {
        if (nodes_[l.to].arrived.size() >= torus_.configuration().receive_packets) return; // deliver() tries again
    } else {
        at = std::max(at, l.buffers[l.turn].empty_at);
    }
    if (at >= l.try_at) return; // never: set_last_crossing() or leave_buffer() tries again
    l.try_at = at;
    events_.push({at, link});
}

void PacketNetwork::try_now(std::uint32_t link, std::uint64_t cycle) {
    Link &l = links_[link];
    if (l.try_at != cycle) return; // the event was replaced by an earlier one
    l.try_at = never;
    // Of the headers that can cross, the one whose input comes first behind the last winner's.
    const Contender *winner = nullptr;
    const auto rank = [&](const Contender &c) { return (c.input + outputs - l.last_input - 1) % outputs; };
    for (const Contender &c : l.contenders) {
        if (c.ready_at <= cycle && (winner == nullptr || rank(c) < rank(*winner))) winner = &c;
    }
    if (winner == nullptr) return try_later(link, cycle);
    const Contender chosen = *winner;
    l.contenders.erase(l.contenders.begin() + (winner - l.contenders.data()));
    cross(link, chosen, cycle);
    try_later(link, cycle + 1);
}

// Lets a header cross a link.
void PacketNetwork::cross(std::uint32_t link, const Contender &winner, std::uint64_t cycle) {
    Link &l = links_[link];
    Worm &worm = worms_[winner.worm];
    l.last_input = winner.input;
    l.free_at = never;
    l.owner = winner.worm;
    l.counters.packets++;
    l.counters.flits += worm.packet.flits();
    l.counters.waited += cycle - winner.ready_at;
    worm.crossed[worm.at++] = cycle;
    if (is_delivery(link)) {
        nodes_[l.to].arrived.push_back(winner.worm);
    } else {
        l.buffers[l.turn] = {never, winner.worm};
        worm.buffers[worm.at - 1U] = static_cast<std::uint8_t>(l.turn);
        l.turn ^= 1U;
        // The packet before this one can still be in the other buffer, in front of this one.
        const Buffer &other = l.buffers[l.turn];
        if (other.empty_at == never) l.second = winner.worm;
        else compete(winner.worm, l.input, std::max(cycle + torus_.configuration().hop_cycles, other.empty_at));
    }
    settle(winner.worm);
    if (worm.at == 1) enter_next(l.to, cycle + 1);
}

// -- the last flits of packets ----------------------------------------------------------------------------------------

// Finds the last crossings that have become certain because the packet's header has crossed another link.
void PacketNetwork::settle(std::uint32_t number) {
    const std::uint64_t depth = torus_.configuration().buffer_flits;
    const std::uint64_t last_flit = worms_[number].packet.flits() - 1;
    for (;;) {
        Worm &worm = worms_[number];
        const unsigned k = worm.certain;
        const std::uint64_t reach = last_flit / depth;
        if (k >= worm.at || (worm.at != worm.link_count && k + reach >= worm.at)) return;
        std::uint64_t most = 0;
        for (std::uint64_t j = 0; j <= reach && k + j < worm.at; j++) {
            most = std::max(most, worm.crossed[k + j] + last_flit - j * (depth - 1));
        }
        worm.certain++;
        set_last_crossing(number, k, most);
    }
}

void PacketNetwork::set_last_crossing(std::uint32_t number, unsigned position, std::uint64_t cycle) {
    const std::uint32_t link = worms_[number].links[position];
    links_[link].free_at = cycle + 1;
    links_[link].owner = none;
    if (used_) {
        const Held h = held(link);
        used_({h.node, h.output, h.entry, worms_[number].crossed[position], cycle, worms_[number].packet.flits()});
    }
    if (position == 0) {
        Node &n = nodes_[links_[link].to];
        n.sending--;
        n.sent_at.push_back(cycle);
    } else {
        leave_buffer(worms_[number].links[position - 1U], worms_[number].buffers[position - 1U], cycle + 1);
    }
    if (position + 1U == worms_[number].link_count) schedule_delivery(links_[link].to, cycle + 1);
    try_later(link, cycle + 1);
}

// Records that a packet leaves its buffer at the end of a link before this cycle.
void PacketNetwork::leave_buffer(std::uint32_t link, unsigned buffer, std::uint64_t cycle) {
    Link &l = links_[link];
    l.buffers[buffer] = {cycle, none};
    if (l.second != none) { // it is the first in its input from this cycle on
        const std::uint32_t second = std::exchange(l.second, none);
        const std::uint64_t arrived = worms_[second].crossed[worms_[second].at - 1U];
        compete(second, l.input, std::max(arrived + torus_.configuration().hop_cycles, cycle));
    }
    try_later(link, cycle);
}

// -- packets that arrive ----------------------------------------------------------------------------------------------

void PacketNetwork::schedule_delivery(unsigned node, std::uint64_t cycle) {
    Node &n = nodes_[node];
    if (n.offer_at != never) return; // an earlier packet waits; the next one is scheduled behind it
    n.offer_at = cycle;
    events_.push({cycle, static_cast<std::uint32_t>(links_.size()) + node});
}

// Offers the first packet that has arrived to the node's receiver.
void PacketNetwork::deliver(unsigned node, std::uint64_t cycle) {
    Node &n = nodes_[node];
    n.offer_at = never;
    const std::uint32_t number = n.arrived.front();
    if (!sinks_[node]->accept(cycle, worms_[number].packet)) return schedule_delivery(node, cycle + 1);
    n.arrived.pop_front();
    free_worms_.push_back(number);
    in_flight_--;
    if (!n.arrived.empty()) {
        // The next packet has its last crossing already: the link into the receiver is the last of its route.
        const Worm &next = worms_[n.arrived.front()];
        const std::uint64_t last = next.crossed[next.link_count - 1U] + next.packet.flits() - 1;
        schedule_delivery(node, std::max(cycle + 1, last + 1));
    }
    try_later(link_of(node, static_cast<unsigned>(Direction::local)), cycle + 1);
}

void PacketNetwork::step(std::uint64_t cycle) {
    while (!events_.empty() && events_.top().at <= cycle) {
        const Event event = events_.top();
        events_.pop();
        if (event.link < links_.size()) try_now(event.link, event.at);
        else deliver(event.link - static_cast<unsigned>(links_.size()), event.at);
    }
}

// -- reports ----------------------------------------------------------------------------------------------------------

PacketNetwork::Held PacketNetwork::held(std::uint32_t link) const {
    const unsigned output = link % outputs;
    const bool entry = output == injection;
    return {link / outputs, entry ? Direction::local : static_cast<Direction>(output), entry};
}

std::vector<PacketNetwork::Wait> PacketNetwork::waits() const {
    std::vector<Wait> result;
    const auto add = [&](std::uint32_t number, std::uint32_t blocker) {
        const Worm &worm = worms_[number];
        Wait wait{number, worm.packet.source, links_[worm.links[worm.link_count - 1U]].to, worm.packet.tag, {}, {},
                  blocker};
        for (unsigned k = worm.certain; k < worm.at; k++) wait.held.push_back(held(worm.links[k]));
        wait.wanted = held(worm.links[worm.at]);
        result.push_back(std::move(wait));
    };
    for (std::uint32_t k = 0; k < links_.size(); k++) {
        const Link &l = links_[k];
        const Buffer &buffer = l.buffers[l.turn];
        for (const Contender &c : l.contenders) {
            if (l.free_at == never) add(c.worm, l.owner);
            else if (is_delivery(k)) add(c.worm, c.worm);
            else if (buffer.empty_at == never) add(c.worm, buffer.worm);
        }
        if (l.second != none) add(l.second, l.buffers[l.turn].worm); // the older packet's buffer has the next turn
    }
    return result;
}

} // namespace skerry::sim::dnoc
