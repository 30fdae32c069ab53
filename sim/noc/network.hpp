// SPDX-License-Identifier: BSD-3-Clause
// The on-chip network, cycle by cycle: three meshes of routers with finite input buffers, a round-robin arbiter an
// output and back-pressure. Nothing is averaged or reserved ahead: a transaction that waits stands in a buffer and
// blocks what is behind it.
//
// A step looks only at what was in the buffers when it began (hops and injection take a cycle at least, and a freed
// place is seen in the next cycle), so the order in which routers are visited changes nothing. Each mesh is free of
// deadlock: transactions turn from rows to columns and never back, except out of the chip, and every one is complete in
// one buffer.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "noc/configuration.hpp"
#include "noc/history.hpp"
#include "noc/transaction.hpp"

namespace skerry::sim {

// One link: a router's output in one mesh, local included (what arrived at the core).
struct LinkCounters {
    std::uint64_t transactions = 0;
    std::uint64_t stalled = 0;   // cycles in which something was ready to cross and nothing could
    std::uint64_t contended = 0; // cycles in which more than one input wanted it
};

class Network {
  public:
    // `unclaimed` takes, at the place where they would have arrived, transactions to nodes and links that nothing is
    // attached to: absent cores, above all. Throws std::invalid_argument with a reason.
    Network(const NetworkConfiguration &configuration, Sink &unclaimed);
    Network(const Network &) = delete;
    Network &operator=(const Network &) = delete;

    void attach(unsigned node, Sink &sink);
    void attach_link(Port edge, Sink &sink);
    // The multicast group a node listens to, 0 for none.
    void set_group(unsigned node, std::uint16_t group);

    // From a node's core, or from an off-chip link into the chip. False: no room, offer again in a later cycle. May be
    // called before step(cycle), after it, and by a sink during it, all with the same effect. A lone transaction
    // arrives in cycle + ceil((injection + hops * hop) / 2), each in half cycles.
    bool offer(std::uint64_t cycle, unsigned node, Mesh mesh, const Transaction &transaction) {
        return insert(cycle, node, Port::local, mesh, transaction);
    }
    bool offer_from_link(std::uint64_t cycle, Port edge, Mesh mesh, const Transaction &transaction) {
        return insert(cycle, link_node_[index(edge)], edge, mesh, transaction);
    }
    // The same, asked ahead: whether an offer would be taken.
    bool has_room(std::uint64_t cycle, unsigned node, Mesh mesh) const;

    // Everything that happens in one cycle. Cycles grow; those in which the network is idle may be left out.
    void step(std::uint64_t cycle) {
        if (in_flight_ != 0) {
            step_active(cycle);
        }
    }
    bool idle() const {
        return in_flight_ == 0;
    }
    std::size_t in_flight() const { // transactions; a multicast is one until its last copy has arrived
        return in_flight_;
    }

    unsigned nodes() const {
        return nodes_;
    }
    bool is_on_chip(std::uint32_t address) const;
    unsigned node_of(std::uint32_t address) const; // is_on_chip(address) holds
    // Row and column steps to where the transaction leaves the network.
    unsigned hops(unsigned from, std::uint32_t address) const;

    std::size_t link(Mesh mesh, unsigned node, Port output) const {
        return router_index(mesh, node) * port_count + index(output);
    }
    std::span<const LinkCounters> counters() const { // by link()
        return counters_;
    }
    const LinkHistory &history() const { // by link()
        return history_;
    }

  private:
    struct Entry {
        std::uint64_t ready; // half cycle from which it may leave
        std::uint32_t slot;  // of transactions_
        std::uint16_t target;
        std::uint16_t outputs : 8;    // still to be served, a bit a port: more than one only in a multicast
        std::uint16_t final_port : 8; // out of which it leaves at the target, or everywhere
    };
    struct Buffer {
        std::uint64_t taken_from = never; // the last cycle in which an entry left: its place is not free in that cycle
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };
    // No narrower integers than these: what is stored in a char may alias anything and would be read again after each
    // store.
    struct Router {
        std::array<Buffer, port_count> inputs;
        std::array<std::uint64_t, port_count> output_free{}; // half cycle
        std::array<std::uint32_t, port_count> last_served{}; // input, by output
        std::uint32_t occupied = 0;                          // inputs with entries, a bit a port
        std::uint32_t neighbours = 0;                        // outputs that lead to another router
    };
    struct Destination {
        std::uint16_t node;
        Port port;
    };
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    static constexpr unsigned everywhere = 255;

    static constexpr unsigned index(Port port) {
        return static_cast<unsigned>(port);
    }
    std::size_t router_index(Mesh mesh, unsigned node) const {
        return static_cast<std::size_t>(mesh) * nodes_ + node;
    }
    Entry &entry(std::size_t router, unsigned input, std::uint32_t position) {
        return entries_[((router * port_count + input) << stride_bits_) + (position & stride_mask_)];
    }

    void build_routers();
    Destination destination(std::uint32_t address) const;
    unsigned route(unsigned node, unsigned input, const Entry &moving) const;
    bool is_full(const Buffer &buffer, unsigned depth, std::uint64_t cycle) const {
        return buffer.count + (buffer.taken_from == cycle) >= depth;
    }
    bool insert(std::uint64_t cycle, unsigned node, Port port, Mesh mesh, const Transaction &transaction);
    void push(Mesh mesh, unsigned node, unsigned input, const Entry &added);

    void step_active(std::uint64_t cycle);
    void step_router(Mesh mesh, unsigned node);
    unsigned ready_by(std::size_t router, unsigned inputs, std::uint64_t time);
    void deliver(Mesh mesh, unsigned node, unsigned output, unsigned inputs);
    void forward(Mesh mesh, unsigned node, unsigned output, unsigned inputs);
    bool served(std::size_t router, unsigned output, unsigned input);
    void count(std::size_t router, unsigned output, unsigned inputs, bool crossed);
    void release(std::uint32_t slot);

    NetworkConfiguration configuration_;
    unsigned nodes_;
    unsigned stride_bits_ = 0; // room for entries of a buffer: a power of two
    std::uint32_t stride_mask_ = 0;
    std::uint64_t cycle_ = 0;
    std::size_t in_flight_ = 0;

    std::vector<Router> routers_;       // by mesh and node
    std::vector<Entry> entries_;        // by router, input, position
    std::vector<std::uint64_t> active_; // a bit a router with entries; each mesh begins a word
    std::size_t words_ = 0;             // of active_, a mesh
    std::vector<Transaction> transactions_;
    std::vector<std::uint16_t> copies_; // by slot: entries that refer to it
    std::vector<std::uint32_t> free_slots_;

    std::vector<std::uint8_t> row_, column_; // by node
    std::vector<std::uint16_t> group_;       // by node
    std::array<std::int32_t, port_count> step_to_{};
    std::array<std::uint16_t, port_count> link_node_{};
    Sink *unclaimed_;
    std::vector<Sink *> node_sinks_;
    std::array<Sink *, port_count> link_sinks_{};

    std::vector<LinkCounters> counters_;
    LinkHistory history_;
};

} // namespace skerry::sim
