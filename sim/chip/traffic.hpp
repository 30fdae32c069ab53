// SPDX-License-Identifier: BSD-3-Clause
// Carries the accesses of cores and of their DMA over the network, to other cores and off the chip. Contains the
// network, the link to external memory, and one node for each core. The node receives the accesses that arrive at its
// core.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "chip/address_map.hpp"
#include "chip/observer.hpp"
#include "chip/scheduler.hpp"
#include "chip/write_order.hpp"
#include "events/message.hpp"
#include "link/link.hpp"
#include "noc/network.hpp"

namespace skerry::sim {

// The interface through which a node's DMA receives the replies to its read requests. (Replies to the requests of the
// node's core go to Core::complete.)
class ReplyPort {
  public:
    virtual ~ReplyPort() = default;
    // Accepts the reply to a request that the DMA has sent. Returns false if the receiver is busy in this cycle; the
    // network then offers the reply again. The receiver must accept the reply within a bounded time, even while it
    // cannot send anything itself. If it did not, the meshes (the networks for writes and for requests) could deadlock.
    virtual bool reply(std::uint64_t cycle, const Transaction &reply) = 0;
    // Returns true if all registers of this range of offsets can be written now. Only the AUTO registers of a slave DMA
    // channel can be busy: the channel takes its data from them, and has not written its previous element yet.
    virtual bool takes(std::uint32_t, unsigned) const {
        return true;
    }
};

// The interface of an object that waits until all stores of a core have arrived.
class StoreWaiter {
  public:
    virtual ~StoreWaiter() = default;
    virtual void stores_arrived(std::uint32_t core, std::uint64_t cycle) = 0;
};

// The interface through which the network delivers messages and stores to event units (chip/event_units.hpp). Used only
// if the machine has event units.
class MessagePort {
  public:
    virtual ~MessagePort() = default;
    // Executes a store that has arrived at an event line of a node (32 bytes of a counter or a queue). The offsets of
    // event lines begin at events::lines_base.
    virtual Access arrive_store(std::uint32_t node, const Transaction &store, std::uint64_t cycle) = 0;
    // Delivers a message that has arrived at a node. The result becomes part of the answer.
    virtual Delivery arrive(std::uint32_t node, const Transaction &message, std::uint64_t cycle) = 0;
    // Handles the answer to a message that a node has sent.
    virtual void answered(std::uint32_t node, const Transaction &reply, std::uint64_t cycle) = 0;
};

// The interface through which the network tells copy units what has arrived (chip/copy_units.hpp). Used only if the
// machine has copy units.
class CopyEnds {
  public:
    virtual ~CopyEnds() = default;
    // Accepts the reply to a request of a node's copy unit. Returns false if the node's memory is busy in this cycle.
    virtual bool reply(std::uint32_t node, const Transaction &reply, std::uint64_t cycle) = 0;
    // Handles the arrival of a write of a copy unit.
    virtual void landed(const Transaction &write, std::uint64_t cycle) = 0;
};

// The senders that share a node's entry into the network: the core, its DMA or its copy unit, the core's memory, and its
// event unit. The memory replies to requests of other nodes. No core has both DMA and a copy unit.
enum class Sender : std::uint8_t { core, dma, reply, events };
// The tag of a transaction names its sender: core_tag for the core, message_tag for its event unit. The numbers from
// first_dma_tag on are for its DMA, or those from first_copy_tag on for its copy unit. A reply has the tag of its request.
constexpr std::uint16_t core_tag = 0;
constexpr std::uint16_t first_dma_tag = 1;
constexpr std::uint16_t first_copy_tag = 0xff00;
constexpr std::uint16_t message_tag = 0xffff;

class Traffic final : public RemotePort, private FarMemory {
  public:
    Traffic(AddressMap &map, Scheduler &scheduler, const Observers &observers, StoreWaiter &waiter);
    Traffic(const Traffic &) = delete;
    Traffic &operator=(const Traffic &) = delete;

    // Returns the next cycle in which the network or the link acts, or never.
    std::uint64_t next_at() const {
        return std::min(network_at_, link_.next_at());
    }
    void step(std::uint64_t cycle);

    // Sends a remote access (to memory outside the core that makes it). The access is accepted if there is memory or a
    // register at its address and the network has a free place. core/ports.hpp explains the results.
    Acceptance offer(Core &core, const RemoteAccess &access, std::uint64_t now) override;
    // Sends a transaction into the network at a node. The caller sets address, data, kind, size and tag. Returns false
    // in two cases; the caller must then try again in the next cycle:
    // * The buffer is full. The next cycle is then reserved for the refused sender, if it is not reserved yet.
    // * This cycle is reserved for another sender of the node.
    bool inject(std::uint64_t cycle, std::uint32_t node, Mesh mesh, Transaction transaction, Sender sender);
    // Returns the mesh (one of the chip's three networks) that carries a write or a request to this address.
    Mesh mesh_for(Transaction::Kind kind, std::uint32_t address) const;
    void attach_replies(std::uint32_t node, ReplyPort &port) {
        reply_ports_[node] = &port;
    }
    void attach_messages(MessagePort &port) {
        messages_ = &port;
    }
    void attach_copies(CopyEnds &ends) {
        copies_ = &ends;
    }
    // A core can send a message by a command to its event unit. message_posted() counts such a message as under way,
    // and message_arrived() counts it as arrived. So await_stores() can wait for messages too.
    void message_posted(std::uint32_t core) {
        under_way_[core].messages++;
    }
    void message_arrived(std::uint32_t core, std::uint64_t cycle);
    void set_group(std::uint32_t node, std::uint16_t group) {
        network_.set_group(node, group);
    }

    // Returns false if all stores of a core have arrived (multicast stores do not count), and, if `messages` is true,
    // all messages of its commands. Otherwise returns true, and calls StoreWaiter::stores_arrived once, in the cycle in
    // which the last of them arrives.
    bool await_stores(std::uint32_t core, bool messages) {
        UnderWay &under_way = under_way_[core];
        under_way.awaits_messages = messages;
        under_way.is_awaited = !under_way.has_arrived();
        return under_way.is_awaited;
    }
    // Returns true if a write, or a multicast, is under way. Slow, because it visits all buffers of the network.
    bool holds_write() const {
        return link_.holds_write() || network_.holds_write();
    }
    // Returns true if a store of core `by` is a multicast (a store to a group of cores) that would write protected
    // bytes. The bytes are in the memory of a core that receives the store.
    bool is_protected_multicast(const Core &by, std::uint32_t address, std::uint8_t bytes) const;

    const Network &network() const {
        return network_;
    }
    const Link &link() const {
        return link_;
    }

  private:
    // The receiver of all transactions that arrive at one core's node.
    class Node final : public Sink {
      public:
        Node(Traffic &traffic, std::uint32_t index) : traffic_(traffic), index_(index) {
        }
        bool accept(std::uint64_t cycle, const Transaction &transaction) override {
            return traffic_.arrive(index_, cycle, transaction);
        }

      private:
        Traffic &traffic_;
        std::uint32_t index_;
    };
    // The receiver of transactions that leave the chip. This receiver also gets transactions to absent cores (places
    // without a core).
    class Exit final : public Sink {
      public:
        explicit Exit(Traffic &traffic) : traffic_(traffic) {
        }
        bool accept(std::uint64_t cycle, const Transaction &transaction) override {
            return traffic_.leave(cycle, transaction);
        }

      private:
        Traffic &traffic_;
    };
    struct Turn {
        std::uint64_t cycle = never;
        Sender sender = Sender::core;
    };

    std::uint16_t multicast_group(const Core &by, const RemoteAccess &access) const;
    bool group_protects(std::uint16_t group, std::uint32_t address, std::uint8_t bytes) const;
    std::uint32_t order_place(std::uint32_t address) const;
    // Returns true if a request can be answered now. A request must not overtake earlier writes of its sender. All of
    // them must have arrived at the request's destination.
    bool may_read(const Transaction &request, unsigned place) const;
    bool may_inject(std::uint64_t cycle, std::uint32_t node, Mesh mesh, Sender sender);
    void give_room(std::uint64_t cycle);

    bool arrive(std::uint32_t node, std::uint64_t cycle, const Transaction &transaction);
    bool arrive_write(std::uint32_t node, std::uint64_t cycle, const Transaction &transaction);
    void late_protection(const Transaction &multicast);
    bool arrive_request(std::uint32_t node, std::uint64_t cycle, const Transaction &transaction);
    bool arrive_message(std::uint32_t node, std::uint64_t cycle, const Transaction &transaction);
    bool leave(std::uint64_t cycle, const Transaction &transaction);
    std::uint64_t access(std::uint64_t cycle, const Transaction &transaction) override;
    void landed(std::uint64_t cycle, const Transaction &write);
    bool is_of_copy(const Transaction &t) const {
        return copies_ != nullptr && t.tag >= first_copy_tag && t.tag != message_tag;
    }

    AddressMap &map_;
    Scheduler &scheduler_;
    const Observers &observers_;
    StoreWaiter &waiter_;
    Exit exit_;
    std::vector<Node> nodes_;
    std::vector<ReplyPort *> reply_ports_;
    MessagePort *messages_ = nullptr; // null if the machine has no event units
    CopyEnds *copies_ = nullptr;      // null if the machine has no copy units
    std::unique_ptr<Network> made_network_;
    Network &network_;
    Link link_;
    std::uint64_t network_at_ = never; // next cycle in which the network advances
    WriteOrder order_;
    std::vector<std::array<Turn, mesh_count>> turns_; // by node and mesh: the cycle that is reserved for one sender
    std::vector<std::pair<std::uint32_t, Mesh>> want_room_;
    // Stores of a core (without multicasts) and messages of its commands that are under way.
    struct UnderWay {
        std::uint32_t stores = 0;
        std::uint32_t messages = 0;
        bool is_awaited = false;      // true if the waiter waits for the core's stores,
        bool awaits_messages = false; // and for its messages
        bool has_arrived() const {
            return stores == 0 && (messages == 0 || !awaits_messages);
        }
    };
    void end_wait(std::uint32_t core, std::uint64_t cycle);
    std::vector<UnderWay> under_way_; // by core
};

} // namespace skerry::sim
