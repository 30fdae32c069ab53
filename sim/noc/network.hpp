// SPDX-License-Identifier: BSD-3-Clause
// Declares the interface of the on-chip network, and the parts that its two kinds have in common: the node to which an
// address leads, the receivers of transactions, and counters. The two kinds are a mesh of routers (mesh.hpp) and a
// crossbar (crossbar.hpp). Both have three parts, one for each element of the enumeration Mesh. Transactions in
// different parts can overtake each other.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "noc/configuration.hpp"
#include "noc/history.hpp"
#include "noc/transaction.hpp"

namespace skerry::sim {

// The counters of one link. In a mesh, a link is an output of a router, and the output Port::local is the link to the
// router's core. In a crossbar, there are only links to receivers: Port::local of each node, and the links off the
// chip.
struct LinkCounters {
    std::uint64_t transactions = 0;
    std::uint64_t stalled = 0;   // cycles in which a transaction was ready to cross, but no transaction could cross
    std::uint64_t contended = 0; // cycles in which more than one input requested the link
};

class Network {
  public:
    // `unclaimed` receives each transaction whose destination is a node or link without a sink (receiver), for example
    // an absent core. `unclaimed` receives the transaction in the cycle in which a sink would have received it. Throws
    // std::invalid_argument, with the reason, if the configuration is invalid.
    Network(const NetworkConfiguration &configuration, Sink &unclaimed);
    virtual ~Network() = default;
    Network(const Network &) = delete;
    Network &operator=(const Network &) = delete;

    void attach(unsigned node, Sink &sink);
    void attach_link(Port edge, Sink &sink);
    // Sets the multicast group (a number) of a node; 0 for none. A node receives the multicasts of its group.
    void set_group(unsigned node, std::uint16_t group);
    std::uint16_t group(unsigned node) const {
        return group_[node];
    }

    // offer() inserts a transaction from a node's core. offer_from_link() inserts a transaction from an off-chip link.
    // Both functions return false if the buffer is full; the caller must then offer the transaction again in a later
    // cycle. A call has the same effect before, after and during step(cycle). (A sink, which receives transactions, can
    // make a call during a step.)
    virtual bool offer(std::uint64_t cycle, unsigned node, Mesh mesh, const Transaction &transaction) = 0;
    virtual bool offer_from_link(std::uint64_t cycle, Port edge, Mesh mesh, const Transaction &transaction) = 0;
    // Returns true if offer() would insert a transaction in this cycle.
    virtual bool has_room(std::uint64_t cycle, unsigned node, Mesh mesh) const = 0;

    // Simulates one cycle. Each call must have a later cycle than the previous call. The caller can leave out cycles
    // in which the network is idle.
    void step(std::uint64_t cycle) {
        if (in_flight_ != 0) {
            step_active(cycle);
        }
    }
    bool idle() const {
        return in_flight_ == 0;
    }
    // Returns true if a write, or a multicast, is in the network. Slow, because it visits all buffers.
    virtual bool holds_write() const = 0;
    std::size_t in_flight() const { // number of transactions; a multicast counts once until its last copy has arrived
        return in_flight_;
    }

    unsigned nodes() const {
        return nodes_;
    }
    bool is_on_chip(std::uint32_t address) const;
    unsigned node_of(std::uint32_t address) const; // requires is_on_chip(address)
    // Returns the number of hops of a transaction to `address` that begins at node `from`. A hop is the way from one
    // router to the next.
    virtual unsigned hops(unsigned from, std::uint32_t address) const = 0;

    std::size_t link(Mesh mesh, unsigned node, Port output) const {
        return router_index(mesh, node) * port_count + index(output);
    }
    std::span<const LinkCounters> counters() const { // the index is link()
        return counters_;
    }
    const LinkHistory &history() const { // the index is link()
        return history_;
    }

  protected:
    struct Destination {
        std::uint16_t node;
        Port port;
    };
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    static constexpr unsigned index(Port port) {
        return static_cast<unsigned>(port);
    }
    std::size_t router_index(Mesh mesh, unsigned node) const {
        return static_cast<std::size_t>(mesh) * nodes_ + node;
    }
    Destination destination(std::uint32_t address) const;
    Sink &sink(unsigned node, unsigned output) const {
        return output == index(Port::local) ? *node_sinks_[node] : *link_sinks_[output];
    }
    // Counts a cycle in which at least one transaction requested a link. `crossed` is true if one of these transactions
    // crossed the link in this cycle.
    void count_link(std::size_t link, bool contended, bool crossed) {
        LinkCounters &counters = counters_[link];
        counters.transactions += crossed;
        counters.stalled += !crossed;
        counters.contended += contended;
        if (!history_.enabled()) return;
        if (crossed) history_.add_transaction(link);
        else history_.add_stall(link);
    }
    virtual void step_active(std::uint64_t cycle) = 0;

    NetworkConfiguration configuration_;
    unsigned nodes_;
    std::size_t in_flight_ = 0;
    std::vector<std::uint8_t> row_, column_; // by node
    std::vector<std::uint16_t> group_;       // by node
    std::array<std::uint16_t, port_count> link_node_{};
    std::vector<LinkCounters> counters_;
    LinkHistory history_;

  private:
    void place_nodes();

    std::vector<Sink *> node_sinks_;
    std::array<Sink *, port_count> link_sinks_{};
};

// Makes a network of the kind that the configuration names.
std::unique_ptr<Network> make_network(const NetworkConfiguration &configuration, Sink &unclaimed);

} // namespace skerry::sim
