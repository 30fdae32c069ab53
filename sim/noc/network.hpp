// SPDX-License-Identifier: BSD-3-Clause
// Simulates the on-chip network cycle by cycle: three meshes of routers with finite input buffers, a round-robin
// arbiter for each output, and back-pressure. Nothing is averaged or reserved ahead: a transaction that waits occupies
// a place in a buffer and blocks the transactions behind it.
//
// The order in which a step visits the routers does not matter, because the result of a step depends only on the
// content of the buffers at the start of the step. There are two reasons for this. Hops and injection take at least one
// cycle. A freed place can be used only from the next cycle on.
//
// A deadlock within a mesh is impossible: a transaction never turns from a column to a row, except out of the chip, and
// each transaction is complete in one buffer.
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

// The counters of one link, which is an output of a router in one mesh. The output Port::local is the link to the core.
struct LinkCounters {
    std::uint64_t transactions = 0;
    std::uint64_t stalled = 0;   // cycles in which a transaction was ready to cross, but no transaction could cross
    std::uint64_t contended = 0; // cycles in which more than one input requested the link
};

class Network {
  public:
    // `unclaimed` receives each transaction to a node or link without an attached sink (mostly an absent core), in the
    // cycle in which the attached sink would receive it. Throws std::invalid_argument, with the reason, if the
    // configuration is invalid.
    Network(const NetworkConfiguration &configuration, Sink &unclaimed);
    Network(const Network &) = delete;
    Network &operator=(const Network &) = delete;

    void attach(unsigned node, Sink &sink);
    void attach_link(Port edge, Sink &sink);
    // Sets the multicast group whose transactions a node receives; 0 for none.
    void set_group(unsigned node, std::uint16_t group);
    std::uint16_t group(unsigned node) const {
        return group_[node];
    }

    // offer() inserts a transaction from a node's core; offer_from_link() inserts a transaction from an off-chip link.
    // Both functions return false if the buffer is full: the caller must offer again in a later cycle. A call has the
    // same effect before step(cycle), after step(cycle), and during step(cycle), when a sink makes the call. A
    // transaction that meets no other arrives in cycle + ceil((injection + hops * hop) / 2); injection and hop are in
    // half cycles.
    bool offer(std::uint64_t cycle, unsigned node, Mesh mesh, const Transaction &transaction) {
        return insert(cycle, node, Port::local, mesh, transaction);
    }
    bool offer_from_link(std::uint64_t cycle, Port edge, Mesh mesh, const Transaction &transaction) {
        return insert(cycle, link_node_[index(edge)], edge, mesh, transaction);
    }
    // Returns true if offer() would insert a transaction in this cycle.
    bool has_room(std::uint64_t cycle, unsigned node, Mesh mesh) const;

    // Simulates one cycle. Each call must have a later cycle than the call before. No call is needed for a cycle in
    // which the network is idle.
    void step(std::uint64_t cycle) {
        if (in_flight_ != 0) {
            step_active(cycle);
        }
    }
    bool idle() const {
        return in_flight_ == 0;
    }
    // Returns true if a write is in the network, a multicast included. Visits all buffers, so it is slow.
    bool holds_write() const;
    std::size_t in_flight() const { // number of transactions; a multicast counts once until its last copy has arrived
        return in_flight_;
    }

    unsigned nodes() const {
        return nodes_;
    }
    bool is_on_chip(std::uint32_t address) const;
    unsigned node_of(std::uint32_t address) const; // requires is_on_chip(address)
    // Returns the number of hops from a node to the node where a transaction to `address` leaves the network.
    unsigned hops(unsigned from, std::uint32_t address) const;

    std::size_t link(Mesh mesh, unsigned node, Port output) const {
        return router_index(mesh, node) * port_count + index(output);
    }
    std::span<const LinkCounters> counters() const { // the index is link()
        return counters_;
    }
    const LinkHistory &history() const { // the index is link()
        return history_;
    }

  private:
    struct Entry {
        std::uint64_t ready; // half cycle from which the entry can leave this router
        std::uint32_t slot;  // index in transactions_
        std::uint16_t target;
        std::uint16_t outputs : 8;    // outputs by which the entry must still leave, one bit for each port
        std::uint16_t final_port : 8; // port by which it leaves the network at the target, or `everywhere` (multicast)
    };
    struct Buffer {
        std::uint64_t taken_from = never; // last cycle in which an entry left; its place is free from the next cycle on
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };
    // For speed, the members are not std::uint8_t: the compiler must assume that a store to a char changes any object.
    // So it would read the other members again after each store.
    struct Router {
        std::array<Buffer, port_count> inputs;
        std::array<std::uint64_t, port_count> output_free{}; // half cycle from which an output is free
        std::array<std::uint32_t, port_count> last_served{}; // by output: the input whose entry left last
        std::uint32_t occupied = 0;                          // inputs with entries, one bit for each port
        std::uint32_t neighbours = 0;                        // outputs to another router, one bit for each port
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
    unsigned stride_bits_ = 0; // log2 of the number of entries that a buffer can hold
    std::uint32_t stride_mask_ = 0;
    std::uint64_t cycle_ = 0;
    std::size_t in_flight_ = 0;

    std::vector<Router> routers_;       // by mesh and node
    std::vector<Entry> entries_;        // by router, input, position
    std::vector<std::uint64_t> active_; // a bit for each router, set if it has entries; each mesh begins a new word
    std::size_t words_ = 0;             // number of words in active_ for each mesh
    std::vector<Transaction> transactions_;
    std::vector<std::uint16_t> copies_; // by slot: number of entries that refer to the slot
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
