// SPDX-License-Identifier: BSD-3-Clause
// Defines the interface of the parts that observe a run: profiles, traces and debuggers. Observers do not change the
// simulated timing. The chip calls all observers before each cycle in which a core acts. A chip without observers pays
// only one test in each cycle.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "dnoc/packet.hpp"
#include "noc/transaction.hpp"

namespace skerry::sim {

class Core;
struct ElfImage;

// A program that runs on PEs of a job, if the job's first program has started it.
struct StartedProgram {
    std::uint32_t number = 0; // 1, 2, ... in the order of their first start; the first program has number 0
    std::string name;
    std::string path;                // absolute
    const ElfImage *image = nullptr; // lives as long as the chip
};

enum class PacketWay : std::uint8_t { sent, received };
enum class NodeNetwork : std::uint8_t { data, control }; // the two networks between an MPPA's nodes
constexpr unsigned node_networks = 2;

// A packet of an MPPA's network when a node sends it, or when it has arrived.
struct PacketEvent {
    NodeNetwork network = NodeNetwork::data;
    PacketWay way = PacketWay::sent;
    std::uint32_t from = 0;   // node
    std::uint32_t to = 0;     // node
    std::uint32_t core = 0;   // the core that stands for the node of this event in reports (MppaNodes::core_of)
    std::uint32_t sender = 0; // in its node: a core, or behind the cores a micro-core
    std::uint32_t job = 0;    // number of the micro-core's job; 0 if a core has sent the packet
    std::uint32_t tag = 0;    // Rx tag or mailbox of the destination
    std::uint32_t flits = 0;  // also the number of cycles that the packet takes on a link
    std::uint32_t bytes = 0;  // of the payload
};

// The time for which a packet holds a link of an MPPA's network.
struct LinkUse {
    NodeNetwork network = NodeNetwork::data;
    std::uint32_t node = 0;   // the link is this output of the node's router,
    dnoc::Direction output{}; // or, if it is `local`, the link from the router to the node's own unit
    std::uint64_t first = 0;  // cycles
    std::uint64_t last = 0;
    std::uint32_t flits = 0;
};

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
    // Called before core `index`, which does not run, begins to execute another program. Programs begin in the order of their
    // numbers; one can begin again.
    virtual void program_starts(std::uint32_t, Core &, std::uint64_t, const StartedProgram &) {
    }
    // Called when a node of an MPPA sends a packet, or has received one.
    virtual void packet(std::uint64_t, const PacketEvent &) {
    }
    // Called for each packet and each link between routers, or into a node, that it crosses. The time can be in the future.
    virtual void link(const LinkUse &) {
    }
    // Called when a DMA unit of I/O node `io_node` reads or writes bytes of its DDR memory.
    virtual void ddr(std::uint64_t, std::uint32_t, PacketWay, std::uint32_t) {
    }
    // Called when a DMA unit has written bytes to the memory of its cluster or I/O node, or to its DDR. The arguments are the
    // number of the cluster, the address and the number of bytes.
    virtual void written(std::uint32_t, std::uint32_t, std::uint32_t) {
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
    void program_starts(std::uint32_t index, Core &core, std::uint64_t cycle, const StartedProgram &program) const {
        for (Observer *o : list_) o->program_starts(index, core, cycle, program);
    }
    void packet(std::uint64_t cycle, const PacketEvent &event) const {
        for (Observer *o : list_) o->packet(cycle, event);
    }
    void link(const LinkUse &use) const {
        for (Observer *o : list_) o->link(use);
    }
    void ddr(std::uint64_t cycle, std::uint32_t io_node, PacketWay way, std::uint32_t bytes) const {
        for (Observer *o : list_) o->ddr(cycle, io_node, way, bytes);
    }

    void written(std::uint32_t cluster, std::uint32_t address, std::uint32_t bytes) const {
        for (Observer *o : list_) o->written(cluster, address, bytes);
    }

  private:
    std::vector<Observer *> list_;
};

} // namespace skerry::sim
