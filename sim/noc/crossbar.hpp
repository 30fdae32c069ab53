// SPDX-License-Identifier: BSD-3-Clause
// Simulates an on-chip network in which each sender has a line to each receiver, as in the prototype of Tendulkar et al.
// (2011). Senders and receivers are the nodes and the links off the chip (endpoints). A transaction that meets no other
// arrives one_way cycles after it was offered, wherever it goes.
//
// A receiver accepts transactions of one sender for a turn of `turn` cycles, at most one transaction a cycle. Then the
// next sender that waits has a turn. So of senders that store one word to the same receiver at the same time, each
// further one arrives `turn` cycles later, and a sender that stores a block is as fast as alone. The configuration says
// which of this is known (noc/configuration.hpp).
//
// A transaction waits in the buffer of its sender until its receiver takes it, and blocks the transactions behind it. A
// receiver has taken at most one_way transactions that have not arrived yet. Nothing waits for another receiver after it
// was taken, so there is no deadlock within a part. There is no multicast, which only Epiphany's cores use.
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
        std::uint64_t time; // in an input: when it was offered; in an output: when it arrives
        std::uint32_t to;   // endpoint
    };
    // A queue of entries with a fixed number of places.
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
        std::uint64_t turn_ends = 0; // the sender `owner` has the turn before this cycle
        std::uint32_t owner = 0;
        // The endpoints that request the output in this cycle: their number, the lowest, and the lowest behind `owner`.
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
    // By part: how many transactions wait in inputs, and how many are in outputs.
    std::array<std::uint32_t, mesh_count> waiting_{}, under_way_{};
};

} // namespace skerry::sim
