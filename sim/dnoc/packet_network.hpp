// SPDX-License-Identifier: BSD-3-Clause
// Simulates a network of packets with wormhole switching. The work for a packet does not depend on its number of flits: the
// state of a packet is the cycle in which its header crossed each link so far, and the cycle in which its last flit crosses
// that link, as soon as it is certain. packet_network.cpp derives these cycles. The test compares them with a model that
// moves each flit.
//
// Rules, for a packet whose route has the links 0 (from its DMA unit into the router) to n (from the last router into the
// receiver):
// * A link carries one flit a cycle. From the header until the last flit it carries one packet only.
// * A flit that crosses a link in cycle c can cross the next one in c + 1 at the earliest, and the header in c + hop_cycles.
// * At its end a link has two buffers. Packets use them in turn. A flit crosses the link only if its packet's buffer had
//   place for it at the begin of the cycle, and a header only if that buffer was empty.
// * The header of a packet competes for its next link when the packet is the first in its input.
// * Among headers that compete for a link, the first behind the input of the last winner wins.
// * A header crosses the link into a receiver only if the receiver has place for the whole packet. So the flits of a packet
//   that has reached its receiver move without a stop.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "dnoc/configuration.hpp"
#include "dnoc/packet.hpp"
#include "dnoc/torus.hpp"

namespace skerry::sim::dnoc {

struct PacketCounters { // of one link
    std::uint64_t packets = 0;
    std::uint64_t flits = 0;
    std::uint64_t waited = 0; // cycles that headers waited for this link, summed up over the packets
};

class PacketNetwork final : public PacketPort {
  public:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    // Throws std::invalid_argument, with the reason, if problem_of() finds one.
    explicit PacketNetwork(const NetworkConfiguration &configuration);

    // Sets the receiver of a node's packets. Must be called for each node before the first packet is sent there.
    void attach(unsigned node, PacketSink &sink) {
        sinks_[node] = &sink;
    }
    bool is_route(unsigned node, Route route) const override {
        return torus_.destination(node, route).has_value();
    }
    bool offer(std::uint64_t cycle, unsigned node, const Packet &packet) override;
    bool has_room(std::uint64_t cycle, unsigned node) const override;

    // Returns the next cycle in which the network acts, or never. step() must be called in this cycle.
    std::uint64_t next_at() const {
        return events_.empty() ? never : events_.top().at;
    }
    void step(std::uint64_t cycle);
    // Calls a function when next_at() has possibly become smaller because of a call of offer().
    void on_change(std::function<void()> changed) {
        changed_ = std::move(changed);
    }

    // The time for which one packet holds a link.
    struct Use {
        unsigned node = 0;       // the link is an output of this node's router,
        Direction output{};      // this one,
        bool entry = false;      // or the link from the node's DMA unit into its router
        std::uint64_t first = 0; // cycle in which the header crosses the link
        std::uint64_t last = 0;  // cycle of the last flit, which can be a later one than the present
        unsigned flits = 0;
    };
    // Calls a function for each packet and link as soon as the last crossing is certain.
    void on_use(std::function<void(const Use &)> used) {
        used_ = std::move(used);
    }

    bool idle() const {
        return in_flight_ == 0;
    }
    // Returns true if packets are in the network, and none of them will ever move again: they hold links and wait for each
    // other. So this must be a mistake in the routes.
    bool is_stuck() const {
        return in_flight_ != 0 && events_.empty();
    }
    std::size_t in_flight() const {
        return in_flight_;
    }

    const Torus &torus() const {
        return torus_;
    }
    // Returns the counters of the output of a node's router. `injection` is the link from the node's DMA unit.
    const PacketCounters &counters(unsigned node, Direction output) const {
        return links_[link_of(node, static_cast<unsigned>(output))].counters;
    }
    const PacketCounters &injection_counters(unsigned node) const {
        return links_[link_of(node, injection)].counters;
    }

    // What a packet in the network holds, and what its header waits for, for reports.
    struct Held {
        unsigned node = 0;  // the link is an output of this node's router,
        Direction output{}; // this one,
        bool entry = false; // or the link from the node's DMA unit into its router
        bool operator==(const Held &) const = default;
    };
    struct Wait {
        unsigned packet = 0; // a number, while the packet is in the network
        unsigned source = 0;
        unsigned destination = 0;
        unsigned tag = 0;
        std::vector<Held> held; // the links that the packet holds, from its last flit to its header
        Held wanted;
        // The packet that holds the link or the buffer behind it. The packet's own number if it waits for itself, because
        // its route has a link twice, or if the receiver has no place.
        unsigned blocker = 0;
    };
    // Returns the packets whose headers wait for something that is not certain to become free.
    std::vector<Wait> waits() const;

  private:
    static constexpr unsigned injection = directions; // index of the link from a node's DMA unit
    static constexpr unsigned outputs = directions + 1;
    static constexpr unsigned most_links = most_hops + 2;
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    struct Worm { // a packet in the network
        Packet packet;
        std::array<std::uint32_t, most_links> links{};
        std::array<std::uint64_t, most_links> crossed{}; // by the header
        std::array<std::uint8_t, most_links> buffers{};  // the packet's buffer at the end of each of these links
        std::uint8_t link_count = 0;
        std::uint8_t at = 0;      // links that the header has crossed
        std::uint8_t certain = 0; // links whose last crossing is certain
    };
    struct Buffer {                 // at the end of a link
        std::uint64_t empty_at = 0; // cycle from which it is empty, never if that is not certain yet
        std::uint32_t worm = none;  // the packet in it, if that is not certain
    };
    struct Contender {
        std::uint32_t worm;
        unsigned input;
        std::uint64_t ready_at;
    };
    struct Link {
        std::uint32_t to = none;    // node of the router at its end
        unsigned input = 0;         // of that router
        std::uint64_t free_at = 0;  // cycle from which the next packet can use it, never if that is not certain yet
        std::uint32_t owner = none; // the packet that uses it, if the end is not certain
        std::array<Buffer, 2> buffers;
        unsigned turn = 0;           // number of the buffer of the next packet
        std::uint32_t second = none; // the packet whose header waits in its buffer behind another packet
        std::vector<Contender> contenders;
        unsigned last_input = 0; // input of the last winner
        std::uint64_t try_at = never;
        PacketCounters counters;
    };
    struct Node {
        std::deque<std::uint32_t> waiting;  // packets behind the one whose header competes for the entry
        std::vector<std::uint64_t> sent_at; // last crossings of the entry that are certain, ascending
        unsigned sending = 0;               // packets that were offered, without those of sent_at
        std::deque<std::uint32_t> arrived;  // packets that were received, or are being received, in order
        std::uint64_t offer_at = never;     // cycle of the event that offers the first of `arrived`
    };
    struct Event {
        std::uint64_t at;
        std::uint32_t link; // or number of links + node, to offer a packet to a receiver
        bool operator>(const Event &other) const {
            return at != other.at ? at > other.at : link > other.link;
        }
    };

    std::uint32_t link_of(unsigned node, unsigned output) const {
        return node * outputs + output;
    }
    bool is_delivery(std::uint32_t link) const {
        return link % outputs == static_cast<unsigned>(Direction::local);
    }
    void try_later(std::uint32_t link, std::uint64_t cycle);
    void try_now(std::uint32_t link, std::uint64_t cycle);
    void cross(std::uint32_t link, const Contender &winner, std::uint64_t cycle);
    void compete(std::uint32_t worm, unsigned input, std::uint64_t ready_at);
    void settle(std::uint32_t worm);
    void set_last_crossing(std::uint32_t worm, unsigned position, std::uint64_t cycle);
    void leave_buffer(std::uint32_t link, unsigned buffer, std::uint64_t cycle);
    void enter_next(unsigned node, std::uint64_t cycle);
    void deliver(unsigned node, std::uint64_t cycle);
    void schedule_delivery(unsigned node, std::uint64_t cycle);
    Held held(std::uint32_t link) const;

    Torus torus_;
    std::vector<Link> links_;
    std::vector<Node> nodes_;
    std::vector<PacketSink *> sinks_;
    std::deque<Worm> worms_; // a deque, so that a receiver can look at a packet while it sends others
    std::vector<std::uint32_t> free_worms_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::size_t in_flight_ = 0;
    std::function<void()> changed_;
    std::function<void(const Use &)> used_;
};

} // namespace skerry::sim::dnoc
