// SPDX-License-Identifier: BSD-3-Clause
// Connects the event unit of each core (counters, queues, command buffers) to the core and to the network. Runs the
// units that have something to send. How a message travels:
// * A message is one transaction (access on the network) on the mesh of read requests. The data of the transaction is
//   the number of the slot in which the sending unit keeps the message.
// * The answer travels as a read reply. A message that cannot be taken yet blocks neither writes nor replies.
// * Like a read request, a message does not overtake earlier writes of its core to the same destination
//   (chip/write_order.hpp).
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "chip/address_map.hpp"
#include "chip/copy_units.hpp"
#include "chip/scheduler.hpp"
#include "chip/traffic.hpp"
#include "events/event_unit.hpp"

namespace skerry::sim {

class EventUnits final : private MessagePort {
  public:
    EventUnits(AddressMap &map, Scheduler &scheduler, Traffic &traffic, CopyUnits &copies);

    // Adds the event unit and the copy unit of the core with the next index. Does nothing if the machine has no event
    // units.
    void add(Core &core);

    // Returns the earliest cycle in which an event unit acts, or `never`.
    std::uint64_t next_at() const {
        return next_at_;
    }
    // Runs the event units that are ready in this cycle.
    void step(std::uint64_t cycle);
    // Returns true if a message of a unit waits to be sent or answered. A request that waits in an empty queue for an
    // item does not count. The queue has already answered that it took this request.
    bool busy() const {
        return std::ranges::any_of(units_, [](const auto &unit) { return unit->model.busy(); });
    }

  private:
    class Unit final : public EventPort, public EventLines {
      public:
        Unit(EventUnits &all, Core &own_core, std::uint32_t index)
            : model(all.map_.machine().events, *this), core(own_core), all_(all), index_(index) {
        }
        bool send(const Message &message, unsigned slot, std::uint64_t now) override;
        bool reachable(const Message &message) const override;
        Access copy(const Copy &copy, std::uint64_t at, std::uint64_t now) override {
            return all_.copies_.begin(index_, copy, at, now);
        }
        void started(const Message &message, std::uint64_t now) override;
        void changed(std::uint64_t now) override;
        std::uint32_t sizes() const override {
            const Machine &machine = all_.map_.machine();
            return machine.events.lines | machine.copies.copies << 16;
        }
        bool has(std::uint32_t offset, unsigned size) const override {
            return model.has(offset, size);
        }
        std::uint64_t load(std::uint32_t offset, unsigned size) const override {
            return model.load(offset, size);
        }
        Access store(std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now) override {
            return model.store(offset, size, value, true, now);
        }

        EventUnit model;
        Core &core;
        bool active = false; // true while EventUnits::active_ has this unit's index

      private:
        EventUnits &all_;
        std::uint32_t index_;
    };

    Access arrive_store(std::uint32_t node, const Transaction &store, std::uint64_t cycle) override;
    Delivery arrive(std::uint32_t node, const Transaction &transaction, std::uint64_t cycle) override;
    void answered(std::uint32_t node, const Transaction &reply, std::uint64_t cycle) override;
    Delivery deliver(Core &core, const Message &message, std::uint64_t cycle);

    AddressMap &map_;
    Scheduler &scheduler_;
    Traffic &traffic_;
    CopyUnits &copies_;
    std::vector<std::unique_ptr<Unit>> units_; // empty if the machine has none
    std::vector<std::uint32_t> active_;        // indices of the units that have a next cycle
    std::uint64_t next_at_ = never;            // the earliest cycle in which a unit of active_ acts
};

} // namespace skerry::sim
