// SPDX-License-Identifier: BSD-3-Clause
// Connects the copy unit of each core (RDMA) to the core's memory, to its event unit and to the network. Runs the units
// that have something to do. The words of a copy travel as writes and as read requests, which have the copy's number in
// their tags. An acknowledgement is not a transaction (access on the network), like the arrival of a store, for which a
// fence waits.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "chip/address_map.hpp"
#include "chip/scheduler.hpp"
#include "chip/traffic.hpp"
#include "events/event_unit.hpp"
#include "rdma/copy_unit.hpp"

namespace skerry::sim {

class CopyUnits final : private CopyEnds {
  public:
    CopyUnits(AddressMap &map, Scheduler &scheduler, Traffic &traffic);

    // Adds the copy unit of the core with the next index, which has this event unit. Does nothing if the machine has no
    // copy units.
    void add(Core &core, EventUnit &events);
    // Begins a copy of a core, for its event unit (EventPort::copy).
    Access begin(std::uint32_t index, const Copy &copy, std::uint64_t at, std::uint64_t now);

    // Returns the earliest cycle in which a copy unit acts, or `never`.
    std::uint64_t next_at() const {
        return next_at_;
    }
    // Runs the copy units that are ready in this cycle.
    void step(std::uint64_t cycle);
    // Returns the number of bytes that a core's unit has copied; 0 if the machine has no copy units.
    std::uint64_t bytes(std::uint32_t index) const {
        return units_.empty() ? 0 : units_[index]->model.bytes();
    }
    // Returns true if a copy is not complete.
    bool busy() const {
        return std::ranges::any_of(units_, [](const auto &unit) { return unit->model.busy(); });
    }

  private:
    class Unit final : public CopyPort {
      public:
        Unit(CopyUnits &all, Core &core, EventUnit &events, std::uint32_t index)
            : model(all.map_.machine().copies, *this), all_(all), core_(core), events_(events), index_(index) {
        }
        bool is_own(std::uint32_t address) const override {
            return address < core_space || address >> 20 == core_.id();
        }
        bool read_own(std::uint32_t address, unsigned size, std::uint64_t &value, std::uint64_t now) override;
        bool write_own(std::uint32_t address, unsigned size, std::uint64_t value, std::uint64_t now) override;
        bool send_write(std::uint32_t address, unsigned size, std::uint64_t value, unsigned number,
                        std::uint64_t now) override;
        bool send_read(std::uint32_t address, unsigned size, unsigned number, std::uint64_t now) override;
        void acknowledged(const Copy &copy, std::uint32_t bytes, std::uint64_t now) override;
        void finished(const Copy &copy) override {
            events_.copy_finished(copy);
        }
        void changed(std::uint64_t now) override;
        bool fits(const Copy &copy) const;

        CopyUnit model;
        bool active = false; // true while CopyUnits::active_ has this unit's index

      private:
        CopyUnits &all_;
        Core &core_;
        EventUnit &events_;
        std::uint32_t index_;
    };

    bool reply(std::uint32_t node, const Transaction &reply, std::uint64_t cycle) override;
    void landed(const Transaction &write, std::uint64_t cycle) override;

    AddressMap &map_;
    Scheduler &scheduler_;
    Traffic &traffic_;
    std::vector<std::unique_ptr<Unit>> units_; // empty if the machine has none
    std::vector<std::uint32_t> active_;        // indices of the units that have a next cycle
    std::uint64_t next_at_ = never;            // the earliest cycle in which a unit of active_ acts
};

} // namespace skerry::sim
