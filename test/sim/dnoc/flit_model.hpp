// SPDX-License-Identifier: BSD-3-Clause
// A model of the packet network that moves each flit in each cycle, by the rules of dnoc/packet_network.hpp and nothing else.
// The tests compare its arrivals with those of PacketNetwork.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "dnoc/packet.hpp"
#include "dnoc/torus.hpp"

namespace skerry::sim::dnoc {

class FlitModel {
  public:
    // `accept(cycle, node, packet)` is the receiver.
    FlitModel(const NetworkConfiguration &configuration,
              std::function<bool(std::uint64_t, unsigned, const Packet &)> accept)
        : c_(configuration), torus_(configuration), accept_(std::move(accept)), nodes_(c_.nodes()),
          links_(c_.nodes() * outputs) {
    }

    bool has_room(std::uint64_t cycle, unsigned node) const {
        std::size_t used = nodes_[node].to_send.size();
        for (const auto last : nodes_[node].sent) used += last >= cycle;
        return used < c_.send_packets;
    }
    bool offer(std::uint64_t cycle, unsigned node, const Packet &packet) {
        if (!has_room(cycle, node)) return false;
        nodes_[node].to_send.push_back({packet, 0, cycle});
        return true;
    }
    bool idle() const {
        for (const Node &n : nodes_) {
            if (!n.to_send.empty() || !n.arrived.empty()) return false;
        }
        for (const Link &l : links_) {
            for (const Buffer &b : l.buffers) {
                if (!b.flits.empty() || b.is_open) return false;
            }
        }
        return true;
    }
    // Returns true if a flit moved, or a packet was taken.
    bool step(std::uint64_t cycle) {
        moved_ = false;
        for (unsigned node = 0; node < nodes_.size(); node++) deliver(node, cycle);
        // Everything is decided on the state at the begin of the cycle, then it moves.
        std::vector<Move> moves;
        for (unsigned link = 0; link < links_.size(); link++) decide(link, cycle, moves);
        for (const Move &m : moves) perform(m, cycle);
        return moved_ || !moves.empty();
    }

  private:
    static constexpr unsigned injection = directions;
    static constexpr unsigned outputs = directions + 1;
    static constexpr unsigned nothing = ~0U;

    struct Flit {
        bool head = false;
        bool tail = false;
        std::uint64_t crossed = 0; // the last link
        Packet packet;             // of the head
        Route rest = 0;            // of the head: the outputs of this router and of the next ones
    };
    struct Buffer {
        std::deque<Flit> flits;
        bool is_open = false;      // a packet has it: its head has come, its tail has not left
        unsigned output = nothing; // of the router, that the packet holds
    };
    struct Link {
        std::vector<Buffer> buffers = std::vector<Buffer>(2);
        unsigned fill = 1;         // buffer of the packet that crosses, or crossed last
        unsigned front = 0;        // buffer of the first packet in the input
        unsigned holder = nothing; // link from whose end the flits come, while a packet holds this link
        unsigned last_input = 0;
    };
    struct Outgoing {
        Packet packet;
        unsigned flit; // to be sent next
        std::uint64_t offered;
    };
    struct Incoming {
        Packet packet;
        bool is_whole;
        std::uint64_t last;
    };
    struct Node {
        std::deque<Outgoing> to_send;
        std::vector<std::uint64_t> sent; // cycles of the last flits
        std::deque<Incoming> arrived;
        std::uint64_t taken_at = 0; // cycle of the last accept; its place is free from the next one
        unsigned taken = 0;         // in this cycle
    };
    struct Move {
        unsigned from; // link whose end has the flit; of the injection: itself
        unsigned to;   // link that the flit crosses
    };

    // The input of the router at the end of a link, as a number for the turns.
    unsigned input_of(unsigned link) const {
        const unsigned output = link % outputs;
        return output == injection ? 0 : static_cast<unsigned>(Torus::opposite(static_cast<Direction>(output)));
    }
    unsigned end_of(unsigned link) const {
        const unsigned output = link % outputs;
        if (output == injection || output == 0) return link / outputs;
        return torus_.neighbour(link / outputs, static_cast<Direction>(output)).value_or(nothing);
    }
    static bool is_delivery(unsigned link) {
        return link % outputs == 0;
    }

    void deliver(unsigned node, std::uint64_t cycle) {
        Node &n = nodes_[node];
        n.taken = 0;
        if (n.arrived.empty() || !n.arrived.front().is_whole || n.arrived.front().last >= cycle) return;
        moved_ = true; // also if it is refused: it will be offered again
        const Packet packet = n.arrived.front().packet;
        if (!accept_(cycle, node, packet)) return;
        n.arrived.pop_front();
        n.taken = 1;
    }

    bool has_place(unsigned link, bool head) const {
        const Link &l = links_[link];
        if (is_delivery(link)) {
            const Node &n = nodes_[link / outputs];
            return !head || n.arrived.size() + n.taken < c_.receive_packets;
        }
        if (!head) return l.buffers[l.fill].flits.size() < c_.buffer_flits;
        return !l.buffers[l.fill ^ 1U].is_open;
    }

    void decide(unsigned link, std::uint64_t cycle, std::vector<Move> &moves) {
        const unsigned node = link / outputs;
        const Link &l = links_[link];
        if (link % outputs == injection) {
            const Node &n = nodes_[node];
            if (n.to_send.empty()) return;
            const Outgoing &first = n.to_send.front();
            if (first.offered < cycle && has_place(link, first.flit == 0)) moves.push_back({link, link});
            return;
        }
        if (l.holder != nothing) {
            const Link &from = links_[l.holder];
            const Buffer &buffer = from.buffers[from.front];
            if (buffer.flits.empty() || buffer.flits.front().crossed >= cycle) return;
            if (has_place(link, false)) moves.push_back({l.holder, link});
            return;
        }
        if (end_of(link) == nothing || !has_place(link, true)) return;
        unsigned winner = nothing;
        const auto rank = [&](unsigned from) { return (input_of(from) + outputs - l.last_input - 1) % outputs; };
        for (unsigned from = 0; from < links_.size(); from++) {
            if (is_delivery(from) || end_of(from) != node) continue;
            const Buffer &buffer = links_[from].buffers[links_[from].front];
            if (buffer.flits.empty() || !buffer.flits.front().head) continue;
            const Flit &head = buffer.flits.front();
            if (head.crossed + c_.hop_cycles > cycle) continue;
            if (static_cast<unsigned>(first_hop(head.rest)) != link % outputs) continue;
            if (winner == nothing || rank(from) < rank(winner)) winner = from;
        }
        if (winner != nothing) moves.push_back({winner, link});
    }

    void perform(const Move &m, std::uint64_t cycle) {
        Link &to = links_[m.to];
        Flit flit;
        if (m.to % outputs == injection) {
            Node &n = nodes_[m.to / outputs];
            Outgoing &first = n.to_send.front();
            const unsigned number = first.flit++;
            flit = {number == 0, number + 1 == first.packet.flits(), cycle, first.packet, first.packet.route};
            if (flit.tail) {
                n.sent.push_back(cycle);
                n.to_send.pop_front();
            }
        } else {
            Link &from = links_[m.from];
            Buffer &buffer = from.buffers[from.front];
            flit = buffer.flits.front();
            buffer.flits.pop_front();
            flit.crossed = cycle;
            if (flit.head) {
                to.last_input = input_of(m.from);
                to.holder = m.from;
                flit.rest = rest_of(flit.rest);
            }
            if (flit.tail) {
                to.holder = nothing;
                buffer.is_open = false;
                from.front ^= 1U;
            }
        }
        if (is_delivery(m.to)) {
            Node &n = nodes_[m.to / outputs];
            if (flit.head) n.arrived.push_back({flit.packet, false, 0});
            if (flit.tail) {
                n.arrived.back().is_whole = true;
                n.arrived.back().last = cycle;
            }
            return;
        }
        if (flit.head) {
            to.fill ^= 1U;
            to.buffers[to.fill].is_open = true;
        }
        to.buffers[to.fill].flits.push_back(flit);
    }

    NetworkConfiguration c_;
    Torus torus_;
    std::function<bool(std::uint64_t, unsigned, const Packet &)> accept_;
    std::vector<Node> nodes_;
    std::vector<Link> links_;
    bool moved_ = false;
};

} // namespace skerry::sim::dnoc
