// SPDX-License-Identifier: BSD-3-Clause
// DMA units with memories, without cores. They are connected by a network of fixed latency, in which each node sends a flit a
// cycle and a route is the number of the target, or by a simulated torus. Memory and the simple network can be made busy.
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dnoc/packet_network.hpp"
#include "mppa_dma/dma_unit.hpp"

namespace skerry::sim {

class DmaWire : private dnoc::PacketPort {
  public:
    static constexpr std::uint64_t latency = 20; // from the last flit at the sender to the receiver
    static constexpr std::uint32_t memory_base = 0x40000000;
    static constexpr std::uint32_t memory_bytes = 1 << 20;
    static constexpr std::uint32_t cores = 17;
    static constexpr MppaDmaConfiguration inputs{};

    struct Notified {
        std::uint32_t node, cores;
        std::uint64_t cycle;
        bool operator==(const Notified &) const = default;
    };
    struct Sent {
        std::uint64_t cycle;
        unsigned node;
        dnoc::Packet packet;
    };

    explicit DmaWire(std::uint32_t nodes, const MppaDmaConfiguration &configuration = {}) : free_at_(nodes) {
        add(nodes, configuration, *this);
    }
    explicit DmaWire(const dnoc::NetworkConfiguration &torus, const MppaDmaConfiguration &configuration = {})
        : torus_(std::make_unique<dnoc::PacketNetwork>(torus)) {
        add(torus.nodes(), configuration, *torus_);
        for (unsigned k = 0; k < torus.nodes(); k++) torus_->attach(k, unit(k));
    }
    MppaDma &unit(std::uint32_t node) {
        return nodes_[node]->unit;
    }
    std::uint8_t *memory(std::uint32_t node, std::uint32_t address = memory_base) {
        return nodes_[node]->memory.data() + (address - memory_base);
    }

    // -- what a program does ----------------------------------------------------------------------------------------
    Access store(std::uint32_t node, std::uint32_t offset, std::uint64_t value, unsigned size = 4,
                 std::uint32_t core = 0) {
        return unit(node).store(core, offset, size, value, now);
    }
    // Repeats a store that is refused, as a core does. Returns false if it is refused for more than `most` cycles.
    bool store_in_time(std::uint32_t node, std::uint32_t offset, std::uint64_t value, unsigned size = 4,
                       std::uint32_t core = 0, std::uint64_t most = 100'000) {
        for (; most > 0; most--) {
            if (store(node, offset, value, size, core) == Access::done) return true;
            step();
        }
        return false;
    }
    std::uint32_t load(std::uint32_t node, std::uint32_t offset, std::uint32_t core = 0) {
        std::uint64_t value = 0;
        return unit(node).load(core, offset, 4, value, now) == Access::done ? static_cast<std::uint32_t>(value) : 0;
    }
    void header(std::uint32_t node, std::uint32_t header, std::uint32_t target, std::uint32_t tag,
                std::uint32_t shaper = 0) {
        const std::uint32_t at = mppa::headers_base + header * mppa::header_bytes;
        store(node, at + mppa::header_route, torus_ ? torus_->torus().route(node, target).value() : target);
        store(node, at + mppa::header_target, mppa::header_valid | shaper << mppa::header_shaper_shift | tag);
    }
    static std::uint32_t tag_at(std::uint32_t tag, std::uint32_t word) {
        return mppa::tags_base + tag * mppa::tag_bytes + word;
    }
    void tag(std::uint32_t node, std::uint32_t tag, std::uint32_t address, std::uint32_t size,
             std::uint32_t mode = mppa::mode_offset, std::uint32_t slot = 0) {
        store(node, tag_at(tag, mppa::tag_address), address);
        store(node, tag_at(tag, mppa::tag_size), size);
        store(node, tag_at(tag, mppa::tag_mode), mode | slot << mppa::tag_slot_shift);
    }
    std::uint32_t transfers(std::uint32_t node, std::uint32_t tag) {
        return load(node, tag_at(tag, mppa::tag_transfers));
    }
    void program(std::uint32_t node, std::uint32_t first, std::span<const mppa::MicroInstruction> instructions) {
        for (const mppa::MicroInstruction &i : instructions) {
            store(node, mppa::program_base + 8 * first++, mppa::encode(i), 8);
        }
    }
    Access start(std::uint32_t node, std::uint32_t first, std::uint32_t header,
                 std::initializer_list<std::uint32_t> parameters, std::uint32_t micro_core = mppa::any_micro_core,
                 std::uint32_t core = 0) {
        std::uint32_t at = mppa::parameters_base;
        for (const std::uint32_t p : parameters) {
            store(node, at, p, 4, core);
            at += 4;
        }
        return store(node, mppa::micro_start + 4 * micro_core, first | header << mppa::start_header_shift, 4, core);
    }

    // -- time ---------------------------------------------------------------------------------------------------------

    // One cycle: units act, then packets arrive.
    void step() {
        for (auto &node : nodes_) {
            if (node->unit.ready_at() <= now) {
                node->unit.run(now);
                runs++;
            }
        }
        if (torus_ && torus_->next_at() <= now) torus_->step(now);
        std::vector<bool> is_blocked(nodes_.size());
        std::erase_if(under_way_, [&](const Travelling &t) {
            if (t.at > now || is_blocked[t.to]) return false;
            if (unit(t.to).accept(now, t.packet)) return true;
            is_blocked[t.to] = true;
            return false;
        });
        now++;
    }
    bool idle() const {
        for (const auto &node : nodes_) {
            if (node->unit.busy()) return false;
        }
        return under_way_.empty() && (!torus_ || torus_->idle());
    }
    // Steps until nothing is under way, or until a fault. Returns false if this takes more than `most` cycles.
    bool drain(std::uint64_t most = 1'000'000) {
        for (; !idle() && faults.empty() && most > 0; most--) step();
        return idle() || !faults.empty();
    }

    std::uint64_t now = 100;
    std::uint64_t runs = 0;
    std::vector<Notified> notified;
    std::vector<std::string> faults;
    std::vector<Sent> sent;
    std::function<bool()> is_busy; // if set: returns true if a memory or the network refuses an access now

  private:
    struct Travelling {
        std::uint64_t at;
        std::uint32_t to;
        dnoc::Packet packet;
    };
    struct Node final : MppaDmaPort {
        Node(DmaWire &owner, std::uint32_t number, std::uint32_t nodes, const MppaDmaConfiguration &configuration,
             dnoc::PacketPort &network)
            : wire(owner), index(number), memory(memory_bytes),
              unit({.number = number, .nodes = nodes, .clusters = nodes, .cores = cores}, configuration, *this,
                   network) {
        }
        bool can_read(std::uint32_t address, std::uint32_t bytes) const override {
            return address >= memory_base && address - memory_base <= memory_bytes - bytes;
        }
        bool can_write(std::uint32_t address, std::uint32_t bytes) const override {
            return can_read(address, bytes);
        }
        bool read(std::uint32_t address, std::span<std::uint8_t> to, std::uint64_t) override {
            if (wire.refuses()) return false;
            std::memcpy(to.data(), wire.memory(index, address), to.size());
            return true;
        }
        bool write(std::uint32_t address, std::span<const std::uint8_t> from, std::uint64_t) override {
            if (wire.refuses()) return false;
            std::memcpy(wire.memory(index, address), from.data(), from.size());
            return true;
        }
        void notify(std::uint32_t which, std::uint64_t now) override {
            wire.notified.push_back({index, which, now});
        }
        void fault(const MppaFault &fault, std::uint64_t) override {
            wire.faults.push_back(text_of(fault));
        }
        void changed(std::uint64_t) override {
        }
        DmaWire &wire;
        std::uint32_t index;
        std::vector<std::uint8_t> memory;
        MppaDma unit;
    };

    void add(std::uint32_t nodes, const MppaDmaConfiguration &configuration, dnoc::PacketPort &network) {
        for (std::uint32_t k = 0; k < nodes; k++) {
            nodes_.push_back(std::make_unique<Node>(*this, k, nodes, configuration, network));
        }
    }
    bool is_route(unsigned, dnoc::Route route) const override {
        return route < nodes_.size();
    }
    bool has_room(std::uint64_t cycle, unsigned node) const override {
        return free_at_[node] <= cycle;
    }
    bool offer(std::uint64_t cycle, unsigned node, const dnoc::Packet &packet) override {
        if (!has_room(cycle, node) || refuses()) return false;
        free_at_[node] = cycle + packet.flits();
        under_way_.push_back({cycle + packet.flits() + latency, packet.route, packet});
        sent.push_back({cycle, node, packet});
        return true;
    }
    bool refuses() {
        return is_busy && is_busy();
    }

    std::vector<std::uint64_t> free_at_; // by node: cycle from which its next packet can begin
    std::unique_ptr<dnoc::PacketNetwork> torus_;
    std::vector<std::unique_ptr<Node>> nodes_;
    std::vector<Travelling> under_way_;
};

} // namespace skerry::sim
