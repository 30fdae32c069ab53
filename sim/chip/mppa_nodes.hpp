// SPDX-License-Identifier: BSD-3-Clause
// Joins the clusters of an MPPA by its two networks. Each cluster has one DMA unit with mailboxes, and each I/O node has
// several. The cores of a cluster (or of an I/O node, which is a cluster too) have the registers of their units at
// mppa::registers_base. The units read and write the cluster's shared memory, and those of an I/O node also its DDR.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chip/address_map.hpp"
#include "chip/ddr.hpp"
#include "chip/observer.hpp"
#include "chip/scheduler.hpp"
#include "cnoc/control_unit.hpp"
#include "dnoc/packet_network.hpp"
#include "mppa_dma/dma_unit.hpp"

namespace skerry::sim {

class MppaNodes {
  public:
    MppaNodes(AddressMap &map, Scheduler &scheduler, const Observers &observers);
    MppaNodes(const MppaNodes &) = delete;
    MppaNodes &operator=(const MppaNodes &) = delete;

    // Gives a core of the map the registers of its node. Does nothing if the machine has no networks.
    void add(Core &core);

    // Returns the next cycle in which a unit or a network acts, or never.
    std::uint64_t next_at() const {
        return next_at_;
    }
    // Advances the units and networks that are ready in this cycle.
    void step(std::uint64_t cycle);
    // Returns the number of calls of step().
    std::uint64_t steps() const {
        return steps_;
    }
    // Returns true if a packet or word is under way, or if a unit has work to do. Packets that can never move again do not
    // count.
    bool busy() const;
    // Looks for packets that wait for each other for ever while other packets move. (step() finds those that are left when
    // nothing moves.) Slow, because it visits all links.
    void find_deadlock();
    // Returns the first mistake of the program that a unit or a network has found, or an empty text.
    const std::string &failure() const {
        return failure_;
    }

    // Returns the DMA unit of a node, whose registers a test can set without a program.
    MppaDma &dma(std::uint32_t node) {
        return units_[node]->dma;
    }
    // Returns the number of jobs that the micro-cores of a node have ended.
    std::uint64_t jobs(std::uint32_t node) const {
        return units_[node]->dma.counters().jobs;
    }
    const ControlUnit::Counters &words(std::uint32_t node) const {
        return units_[node]->control.counters();
    }
    // Returns a network. The machine must have nodes.
    const dnoc::PacketNetwork &network(NodeNetwork network) const {
        return network == NodeNetwork::data ? *data_ : *control_;
    }
    // What one node has sent or received over the data network.
    struct Traffic {
        std::uint64_t packets = 0;
        std::uint64_t bytes = 0;
        std::uint64_t flits = 0; // and cycles of its link
    };
    Traffic traffic(std::uint32_t node, PacketWay way) const;
    std::uint32_t node_count() const {
        return static_cast<std::uint32_t>(units_.size());
    }
    // Returns the core that stands for a node in reports: the manager of a cluster, or a core of an I/O node for each of
    // its units.
    std::uint32_t core_of(std::uint32_t node) const;
    // Returns the number of the I/O node whose unit a node is, or nothing for a cluster.
    std::optional<std::uint32_t> io_node_of(std::uint32_t node) const;
    // Returns a node as text: "cluster 3" or "I/O node 0, unit 2".
    std::string name_of(std::uint32_t node) const;
    const Ddr &ddr(std::uint32_t io_node) const {
        return map_.ddr(io_node);
    }

    // Returns what was sent and received, as lines of text. Empty if the machine has no networks.
    std::string statistics(std::uint64_t cycles) const;

  private:
    // A DMA unit with its mailboxes.
    class Unit final : public MppaDmaPort, public ControlPort, public dnoc::PacketPort, public dnoc::PacketSink {
      public:
        Unit(MppaNodes &all, std::uint32_t number, std::uint32_t cluster);

        bool can_read(std::uint32_t address, std::uint32_t bytes) const override;
        bool can_write(std::uint32_t address, std::uint32_t bytes) const override;
        bool read(std::uint32_t address, std::span<std::uint8_t> to, std::uint64_t now) override;
        bool write(std::uint32_t address, std::span<const std::uint8_t> from, std::uint64_t now) override;
        void notify(std::uint32_t cores, std::uint64_t now) override;
        void fault(const MppaFault &fault, std::uint64_t now) override;
        void fault(const ControlFault &fault, std::uint64_t now) override;
        void changed(std::uint64_t now) override;

        // The packets of the data network pass here, so that observers see them.
        bool is_route(unsigned node, dnoc::Route route) const override {
            return all_.data_->is_route(node, route);
        }
        bool has_room(std::uint64_t cycle, unsigned node) const override {
            return all_.data_->has_room(cycle, node);
        }
        bool offer(std::uint64_t cycle, unsigned node, const dnoc::Packet &packet) override;
        bool accept(std::uint64_t cycle, const dnoc::Packet &packet) override;

      private:
        // Passes the words of the control network on, so that observers see them.
        class Words final : public dnoc::PacketPort, public dnoc::PacketSink {
          public:
            explicit Words(Unit &unit) : unit_(unit) {
            }
            bool is_route(unsigned node, dnoc::Route route) const override {
                return unit_.all_.control_->is_route(node, route);
            }
            bool has_room(std::uint64_t cycle, unsigned node) const override {
                return unit_.all_.control_->has_room(cycle, node);
            }
            bool offer(std::uint64_t cycle, unsigned node, const dnoc::Packet &packet) override;
            bool accept(std::uint64_t cycle, const dnoc::Packet &packet) override;

          private:
            Unit &unit_;
        };
        Place place(std::uint32_t address, std::uint32_t bytes) const;
        void observe(NodeNetwork network, PacketWay way, std::uint64_t cycle, const dnoc::Packet &packet) const;

        MppaNodes &all_;
        std::uint32_t number_;
        std::uint32_t cluster_;
        SharedMemory &shared_;
        Ddr *ddr_; // null in a cluster
        DdrReader ddr_reader_;

      public:
        MppaDma dma;
        Words words;
        ControlUnit control;
        bool active = false; // true while MppaNodes::active_ has this unit's number
    };
    // The registers of a cluster's units, as its cores see them.
    class Registers final : public DevicePort {
      public:
        Registers(MppaNodes &all, std::uint32_t first_unit, std::uint32_t units)
            : all_(all), first_unit_(first_unit), units_(units) {
        }
        bool has(std::uint32_t address) const override {
            return address - mppa::registers_base < units_ * mppa::registers_bytes;
        }
        unsigned load_cycles() const override;
        Access load(const Core &core, std::uint32_t address, unsigned size, std::uint64_t &value,
                    std::uint64_t now) override;
        Access store(const Core &core, std::uint32_t address, unsigned size, std::uint64_t value,
                     std::uint64_t now) override;

      private:
        Unit &unit_at(std::uint32_t address) const {
            return *all_.units_[first_unit_ + (address - mppa::registers_base) / mppa::registers_bytes];
        }
        std::uint32_t number_of(const Core &core) const;

        MppaNodes &all_;
        std::uint32_t first_unit_;
        std::uint32_t units_;
    };

    void fail(const std::string &text);
    void observe(NodeNetwork network, const dnoc::PacketNetwork::Use &use) const;
    void note(std::uint64_t at) {
        next_at_ = std::min(next_at_, at);
        scheduler_.yield();
    }

    AddressMap &map_;
    Scheduler &scheduler_;
    const Observers &observers_;
    std::unique_ptr<dnoc::PacketNetwork> data_; // null if the machine has no networks
    std::unique_ptr<dnoc::PacketNetwork> control_;
    std::vector<std::unique_ptr<Unit>> units_;          // by number of the node in the networks
    std::vector<std::unique_ptr<Registers>> registers_; // by cluster, I/O nodes last
    std::vector<std::uint32_t> active_;                 // numbers of the units that have a next cycle
    std::uint64_t next_at_ = never;
    std::uint64_t steps_ = 0;
    std::string failure_;
};

} // namespace skerry::sim
