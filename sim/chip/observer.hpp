// SPDX-License-Identifier: BSD-3-Clause
// Defines the interface of the parts that observe a run: profiles, traces and debuggers. Observers do not change the
// simulated timing. The chip calls all observers before each cycle in which a core acts. A chip without observers pays
// only one test in each cycle.
#pragma once
#include <cstdint>
#include <vector>

#include "noc/transaction.hpp"

namespace skerry::sim {

class Core;

enum class PacketWay : std::uint8_t { sent, received };

class Observer {
  public:
    static constexpr std::uint32_t external = 0xffffffff; // in place of a core's index: the destination is off the chip

    virtual ~Observer() = default;
    // Called before core `index` executes, or tries again, the instruction at its pc. Returns false to end the run
    // before any core acts in this cycle. The chip then repeats this call when the next run begins.
    virtual bool before(std::uint32_t index, Core &core, std::uint64_t cycle) = 0;
    // Called when a write or a request of a core or of its DMA enters the network. The transaction's tag (a number)
    // tells whether the core or the DMA sent it. `to` is the index of the destination's core, or `external`.
    virtual void sent(std::uint64_t cycle, std::uint32_t to, const Transaction &transaction) = 0;
    // Called when a write has arrived and has changed the memory or the register at its destination.
    virtual void landed(std::uint64_t cycle, std::uint32_t to, const Transaction &write) = 0;
    // Called after each cycle in which a core's DMA acts. Also called when a register write, a pause or a reply has
    // reached the DMA. The arguments are the cycle and the core's index.
    virtual void dma(std::uint64_t, std::uint32_t) {
    }
    // Called when a DMA unit of an MPPA's node sends a packet, or has received one. `core` is the index of the core that
    // stands for the unit in reports (MppaNodes::core_of). `flits` is also the number of cycles that the packet takes on
    // a link, and `bytes` the length of its payload.
    virtual void packet(std::uint64_t, std::uint32_t, PacketWay, std::uint32_t, std::uint32_t) {
    }
};

// The observers of a chip: profiles, traces, debuggers.
class Observers {
  public:
    void add(Observer &observer) {
        list_.push_back(&observer);
    }
    bool empty() const {
        return list_.empty();
    }
    // Calls all observers, even after one of them has asked to end the run. Returns false if at least one has asked
    // to end the run.
    bool before(std::uint32_t index, Core &core, std::uint64_t cycle) const {
        bool goes_on = true;
        for (Observer *o : list_) goes_on = o->before(index, core, cycle) && goes_on;
        return goes_on;
    }
    void sent(std::uint64_t cycle, std::uint32_t to, const Transaction &transaction) const {
        for (Observer *o : list_) o->sent(cycle, to, transaction);
    }
    void landed(std::uint64_t cycle, std::uint32_t to, const Transaction &write) const {
        for (Observer *o : list_) o->landed(cycle, to, write);
    }
    void dma(std::uint64_t cycle, std::uint32_t index) const {
        for (Observer *o : list_) o->dma(cycle, index);
    }
    void packet(std::uint64_t cycle, std::uint32_t core, PacketWay way, std::uint32_t flits,
                std::uint32_t bytes) const {
        for (Observer *o : list_) o->packet(cycle, core, way, flits, bytes);
    }

  private:
    std::vector<Observer *> list_;
};

} // namespace skerry::sim
