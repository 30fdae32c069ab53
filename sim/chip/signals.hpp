// SPDX-License-Identifier: BSD-3-Clause
// Implements the signals between cores that use wires of their own and not the network: WAND (a barrier of all cores),
// SYNC (an interrupt of all cores), and the breakpoint that stops all cores.
#pragma once
#include <cstdint>

#include "chip/address_map.hpp"
#include "chip/scheduler.hpp"

namespace skerry::sim {

class Signals {
  public:
    Signals(AddressMap &map, Scheduler &scheduler) : map_(map), scheduler_(scheduler) {
    }
    // Schedules the WAND interrupt if every running core has now executed WAND, the barrier instruction.
    void wand(Core &core);
    // Returns the cycle in which all cores receive the interrupt that ends the barrier WAND, or `never`.
    std::uint64_t wand_at() const {
        return wand_at_;
    }
    // Delivers the interrupt that ends the barrier WAND to all cores. Must be called in cycle wand_at().
    void deliver_wand();
    // Sends the SYNC interrupt to all cores.
    void sync(Core &core);
    // Stops every running core at its next instruction.
    void multicore_breakpoint(Core &core);

  private:
    AddressMap &map_;
    Scheduler &scheduler_;
    std::uint64_t wand_at_ = never;
};

} // namespace skerry::sim
