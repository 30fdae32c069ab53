// SPDX-License-Identifier: BSD-3-Clause
// Whoever looks at a run from outside: profiles, traces, debuggers. A chip without observers pays one test a cycle; one
// with observers comes back to them before every cycle of a core, and takes the same cycles as without.
#pragma once
#include <cstdint>

#include "noc/transaction.hpp"

namespace skerry::sim {

class Core;

class Observer {
  public:
    static constexpr std::uint32_t external = 0xffffffff; // in place of a core: what lies off the chip

    virtual ~Observer() = default;
    // Core `index` is about to execute, or to try again, what stands at its pc. False: the run shall end before anything
    // happens in this cycle; the same is then asked again when it goes on.
    virtual bool before(std::uint32_t index, Core &core, std::uint64_t cycle) = 0;
    // A write or a request of a core, or by its tag of its DMA, has entered the network; a write has had its effect.
    virtual void sent(std::uint64_t cycle, std::uint32_t to, const Transaction &transaction) = 0;
    virtual void landed(std::uint64_t cycle, std::uint32_t to, const Transaction &write) = 0;
    // A DMA channel of this core has been set or has done something.
    virtual void dma(std::uint64_t, std::uint32_t) {
    }
};

} // namespace skerry::sim
