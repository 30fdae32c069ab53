// SPDX-License-Identifier: BSD-3-Clause
// Connects the DMA engine of each core to the core's memory and to the network, and runs the engines. In each cycle it
// visits only the engines that know the next cycle in which they act (Dma::ready_at). An engine does not know this
// cycle while it waits for a reply, or for a write to one of its registers.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "chip/address_map.hpp"
#include "chip/observer.hpp"
#include "chip/scheduler.hpp"
#include "chip/traffic.hpp"
#include "dma/dma.hpp"

namespace skerry::sim {

class Engines {
  public:
    Engines(AddressMap &map, Scheduler &scheduler, Traffic &traffic, const Observers &observers)
        : map_(map), scheduler_(scheduler), traffic_(traffic), observers_(observers) {
    }

    // Adds the DMA engine of a core. The cores must be added in the order of their indices.
    void add(Core &core);

    // Returns the earliest cycle in which a DMA engine acts, or `never`.
    std::uint64_t next_at() const {
        return next_at_;
    }
    // Runs the DMA engines that are ready in this cycle.
    void step(std::uint64_t cycle);

    // Returns true if a DMA engine has something to do, or if replies to an engine are on their way.
    bool busy() const;
    const Dma &dma(std::uint32_t index) const {
        return engines_[index]->dma;
    }
    Access write_register(std::uint32_t index, SpecialRegister which, std::uint32_t value, std::uint64_t now);
    void pause(std::uint32_t index, bool paused, std::uint64_t now);

  private:
    class Engine final : public DmaPort, public ReplyPort {
      public:
        Engine(Engines &all, Core &core, std::uint32_t index)
            : dma(all.map_.machine().core_id(index), *this, all.map_.machine().dma), all_(all), core_(core),
              index_(index) {
        }
        Access read_own(std::uint32_t offset, unsigned size, std::uint64_t &value, std::uint64_t now) override;
        Access write_own(std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now) override;
        Acceptance send_write(std::uint32_t address, unsigned size, std::uint64_t value, std::uint64_t now) override;
        Acceptance send_read(std::uint32_t address, unsigned size, std::uint16_t tag, std::uint64_t now) override;
        bool is_core(std::uint32_t address) const override;
        void interrupt(Interrupt which, std::uint64_t now) override;
        void dma_stopped(unsigned channel) override;
        bool reply(std::uint64_t cycle, const Transaction &reply) override;
        bool takes(std::uint32_t offset, unsigned size) const override;

        Dma dma;
        bool moving = false; // true while Engines::moving_ has this engine's index

      private:
        Acceptance send(const Transaction &transaction, RemoteKind kind, std::uint64_t now);

        Engines &all_;
        Core &core_;
        std::uint32_t index_;
    };

    void changed(std::uint32_t index, std::uint64_t now);

    AddressMap &map_;
    Scheduler &scheduler_;
    Traffic &traffic_;
    const Observers &observers_;
    std::vector<std::unique_ptr<Engine>> engines_;
    std::vector<std::uint32_t> moving_; // indices of the engines that have a next cycle (ready_at)
    std::uint64_t next_at_ = never;     // the earliest cycle in which an engine of moving_ acts
};

} // namespace skerry::sim
