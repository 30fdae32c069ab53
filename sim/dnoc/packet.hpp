// SPDX-License-Identifier: BSD-3-Clause
// Defines a packet of the data network of the MPPA (Hascoet et al. 2017), the route that its header has, and the two
// interfaces between the network and a DMA unit: PacketPort, by which the unit sends, and PacketSink, by which it receives.
//
// A node of the network is one DMA unit with its router. The clusters are the first nodes, row by row. The I/O nodes of the
// chip follow, each with several DMA units. So the number of a packet's node is the number of a DMA unit.
#pragma once
#include <array>
#include <cstdint>

namespace skerry::sim::dnoc {

constexpr unsigned flit_bytes = 4;     // a link carries one flit a cycle
constexpr unsigned header_flits = 2;   // route and tag in the first, the offset in the second
constexpr unsigned payload_flits = 32; // of a typical packet
constexpr unsigned most_payload = 248; // bytes: with its header, the largest packet has 64 flits
constexpr unsigned most_hops = 8;      // links between routers on a route
constexpr unsigned direction_bits = 3; // of one hop in a route

// An output of a router. `local` leads to the router's own DMA unit, and `io` from a cluster's router to the router of an
// I/O node, or back.
enum class Direction : std::uint8_t { local, north, east, south, west, io };
constexpr unsigned directions = 6;

// A route is a list of directions, chosen by the sender: bits 0 to 2 for the sender's router, bits 3 to 5 for the next
// one, and so on. It ends at the first `local`, so route 0 leads back to the sender. Bits 24 to 31 are 0.
using Route = std::uint32_t;

constexpr Direction first_hop(Route route) {
    return static_cast<Direction>(route & ((1U << direction_bits) - 1));
}
constexpr Route rest_of(Route route) {
    return route >> direction_bits;
}

struct Packet {
    Route route = 0;
    std::uint32_t offset = 0;     // bytes from the begin of the tag's window
    std::uint16_t source = 0;     // node that has sent the packet: for reports, not part of the header
    std::uint16_t bytes = 0;      // of the payload: 0 to most_payload
    std::uint16_t job = 0;        // number of the micro-core's job, 0 if a core has sent it: for reports, like `sender`
    std::uint8_t sender = 0;      // number of the core in its node; those of micro-cores follow
    std::uint8_t tag = 0;         // Rx tag of the destination, or its mailbox in the control network
    bool end_of_transfer = false; // the receiver counts it behind the payload
    std::array<std::uint8_t, most_payload> payload{};

    unsigned flits() const {
        return header_flits + (bytes + flit_bytes - 1) / flit_bytes;
    }
};

// The interface by which DMA units send packets.
class PacketPort {
  public:
    virtual ~PacketPort() = default;
    // Returns true if a packet with this route can travel from a node: each hop has a link. Otherwise the sender must not
    // offer the packet.
    virtual bool is_route(unsigned node, Route route) const = 0;
    // Takes a packet at a node. Its first flit crosses the link into the router in the next cycle at the earliest. Returns
    // false if the node's send buffer is full. The caller must then offer the packet again in a later cycle. The result
    // does not depend on whether the network was advanced before or after the call in this cycle. Packets of one node are
    // sent in the order of the calls.
    virtual bool offer(std::uint64_t cycle, unsigned node, const Packet &packet) = 0;
    // Returns true if offer() would take a packet in this cycle.
    virtual bool has_room(std::uint64_t cycle, unsigned node) const = 0;
};

// The interface by which a DMA unit receives packets.
class PacketSink {
  public:
    virtual ~PacketSink() = default;
    // Takes a packet whose last flit has arrived in the previous cycle. Returns false if the unit cannot take it in this
    // cycle. The packet then stays in the node's receive buffer, and is offered again in the next cycle. While the buffer
    // is full, packets to this node wait and hold their links. A packet must not be refused for ever. accept() may send
    // packets by a PacketPort. Packets from one node on one route arrive in the order in which they were sent.
    virtual bool accept(std::uint64_t cycle, const Packet &packet) = 0;
};

} // namespace skerry::sim::dnoc
