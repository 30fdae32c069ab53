// SPDX-License-Identifier: BSD-3-Clause
// Simulates an on-chip network in which each sender has a line to each receiver, as in the prototype of Tendulkar et
// al. (2011). Senders and receivers are called endpoints: the nodes and the links off the chip. A transaction that
// meets no other transaction arrives one_way cycles after it was offered, for all pairs of endpoints.
//
// How receivers share their time (noc/configuration.hpp says which rules come from a source):
// * A receiver accepts transactions of one sender for `turn` cycles, at most one a cycle. Then the next sender that
//   waits has a turn.
// * If several senders store one word each to the same receiver at the same time, each word arrives `turn` cycles after
//   the word before.
// * A sender that stores a block needs as much time as if it were alone.
//
// Why no deadlock is possible within one of the three parts of the crossbar (on-chip writes, read requests, off-chip
// writes):
// * A transaction waits in the buffer of its sender until its receiver takes it. The transaction blocks the
//   transactions behind it.
// * A receiver has taken at most one_way transactions that have not arrived yet.
// * A transaction that was taken waits for no other receiver.
//
// The crossbar has no multicast. Only Epiphany's cores use multicast, and they have a mesh.
#pragma once
#include <cstdint>
#include <vector>

#include "noc/network.hpp"

namespace skerry::sim {

class Crossbar final : public Network {
  public:
    Crossbar(const NetworkConfiguration &configuration, Sink &unclaimed);

    bool offer(std::uint64_t cycle, unsigned node, Mesh mesh, const Transaction &transaction) override {
        return insert(cycle, node, mesh, transaction);
    }
    bool offer_from_link(std::uint64_t cycle, Port edge, Mesh mesh, const Transaction &transaction) override {
        return insert(cycle, endpoint_of_link(edge), mesh, transaction);
    }
    bool has_room(std::uint64_t cycle, unsigned node, Mesh mesh) const override {
        return !is_full(inputs_[at(mesh, node)], cycle);
    }
    bool holds_write() const override;
    unsigned hops(unsigned, std::uint32_t) const override {
        return 1;
    }

  private:
    struct Entry {
        Transaction transaction;
        std::uint64_t time; // cycle: in an input, when the transaction was offered; in an output, when it arrives
        std::uint32_t to;   // receiver of the transaction
    };
    // A queue of transactions (accesses in the network) with a fixed number of places.
    class Queue {
      public:
        explicit Queue(unsigned places) : entries_(places) {
        }
        std::uint32_t count() const {
            return count_;
        }
        const Entry &operator[](std::uint32_t position) const {
            return entries_[(first_ + position) % entries_.size()];
        }
        void push(const Entry &added) {
            entries_[(first_ + count_++) % entries_.size()] = added;
        }
        void pop() {
            first_ = static_cast<std::uint32_t>((first_ + 1) % entries_.size());
            count_--;
        }

      private:
        std::vector<Entry> entries_;
        std::uint32_t first_ = 0;
        std::uint32_t count_ = 0;
    };
    struct Input {
        Queue waiting;
        std::uint64_t taken_from = never; // last cycle in which an entry left; its place is free from the next cycle on
    };
    struct Output {
        Queue under_way;
        std::uint64_t turn_ends = 0; // first cycle in which the sender `owner` no longer has the turn
        std::uint32_t owner = 0;
        // The endpoints (senders) that request this output in this cycle: their number, the lowest of them, and the
        // lowest that is greater than `owner`.
        std::uint32_t requests = 0, lowest = 0, next = 0;
        bool owner_requests = false;
    };

    std::uint32_t endpoint_of_link(Port edge) const {
        return nodes_ + index(edge) - 1;
    }
    std::size_t at(Mesh mesh, std::uint32_t endpoint) const {
        return static_cast<std::size_t>(mesh) * endpoints_ + endpoint;
    }
    std::size_t link_of(Mesh mesh, std::uint32_t endpoint) const;
    bool is_full(const Input &input, std::uint64_t cycle) const {
        return input.waiting.count() + (input.taken_from == cycle) >= configuration_.crossbar.buffer_depth;
    }
    bool insert(std::uint64_t cycle, std::uint32_t from, Mesh mesh, const Transaction &transaction);
    void step_active(std::uint64_t cycle) override;
    void deliver(std::uint64_t cycle, Mesh mesh, std::uint32_t endpoint);
    void request(std::uint64_t cycle, Mesh mesh, std::uint32_t from);
    void grant(std::uint64_t cycle, Mesh mesh, std::uint32_t endpoint);

    std::uint32_t endpoints_; // the nodes, then the four edges
    std::vector<Input> inputs_;
    std::vector<Output> outputs_;
    // For each of the three parts of the crossbar: the number of transactions that wait at their sender, and the number
    // that are on their way to a receiver.
    std::array<std::uint32_t, mesh_count> waiting_{}, under_way_{};
};

} // namespace skerry::sim
