// SPDX-License-Identifier: BSD-3-Clause
// Simulates an on-chip network of routers cycle by cycle: three meshes of routers with finite input buffers, a
// round-robin arbiter for each output, and back-pressure. The simulation follows each transaction and uses no averages.
// A transaction that waits occupies a place in a buffer and blocks the transactions behind it.
//
// Why a step can visit the routers in any order: its result depends only on the content of the buffers at its start.
// * Hops and injection take at least one cycle.
// * A freed place can be used only from the next cycle on.
//
// Why a deadlock within a mesh is impossible:
// * A transaction never turns from a column to a row, except to leave the chip.
// * Each transaction is complete in one buffer.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "noc/network.hpp"

namespace skerry::sim {

class MeshNetwork final : public Network {
  public:
    MeshNetwork(const NetworkConfiguration &configuration, Sink &unclaimed);

    // A transaction that meets no other transaction arrives in cycle + ceil((injection + hops * hop) / 2). The times
    // `injection` and `hop` are in half cycles.
    bool offer(std::uint64_t cycle, unsigned node, Mesh mesh, const Transaction &transaction) override {
        return insert(cycle, node, Port::local, mesh, transaction);
    }
    bool offer_from_link(std::uint64_t cycle, Port edge, Mesh mesh, const Transaction &transaction) override {
        return insert(cycle, link_node_[index(edge)], edge, mesh, transaction);
    }
    bool has_room(std::uint64_t cycle, unsigned node, Mesh mesh) const override;
    bool holds_write() const override;
    unsigned hops(unsigned from, std::uint32_t address) const override;

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
    // The last two members have 32 bits although 8 would be enough. The compiler must assume that a store to a char
    // changes any object. With std::uint8_t it would read the other members again after each store.
    struct Router {
        std::array<Buffer, port_count> inputs;
        std::array<std::uint64_t, port_count> output_free{}; // half cycle from which an output is free
        std::array<std::uint32_t, port_count> last_served{}; // by output: the input whose entry left last
        std::uint32_t occupied = 0;                          // the inputs that have entries, one bit for each port
        // The outputs that lead to another router, one bit for each port.
        std::uint32_t neighbours = 0;
    };
    static constexpr unsigned everywhere = 255;

    Entry &entry(std::size_t router, unsigned input, std::uint32_t position) {
        return entries_[((router * port_count + input) << stride_bits_) + (position & stride_mask_)];
    }

    void build_routers();
    unsigned route(unsigned node, unsigned input, const Entry &moving) const;
    bool is_full(const Buffer &buffer, unsigned depth, std::uint64_t cycle) const {
        return buffer.count + (buffer.taken_from == cycle) >= depth;
    }
    bool insert(std::uint64_t cycle, unsigned node, Port port, Mesh mesh, const Transaction &transaction);
    void push(Mesh mesh, unsigned node, unsigned input, const Entry &added);

    void step_active(std::uint64_t cycle) override;
    void step_router(Mesh mesh, unsigned node);
    unsigned ready_by(std::size_t router, unsigned inputs, std::uint64_t time);
    void deliver(Mesh mesh, unsigned node, unsigned output, unsigned inputs);
    void forward(Mesh mesh, unsigned node, unsigned output, unsigned inputs);
    bool served(std::size_t router, unsigned output, unsigned input);
    void count(std::size_t router, unsigned output, unsigned inputs, bool crossed);
    void release(std::uint32_t slot);

    unsigned stride_bits_ = 0; // log2 of the number of entries that a buffer can hold
    std::uint32_t stride_mask_ = 0;
    std::uint64_t cycle_ = 0;

    std::vector<Router> routers_;       // by mesh and node
    std::vector<Entry> entries_;        // by router, input, position
    std::vector<std::uint64_t> active_; // a bit for each router, set if it has entries; each mesh begins a new word
    std::size_t words_ = 0;             // number of words in active_ for each mesh
    std::vector<Transaction> transactions_;
    std::vector<std::uint16_t> copies_; // by slot: number of entries that refer to the slot
    std::vector<std::uint32_t> free_slots_;

    std::array<std::int32_t, port_count> step_to_{};
};

} // namespace skerry::sim
