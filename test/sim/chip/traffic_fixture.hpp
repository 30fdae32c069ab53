// SPDX-License-Identifier: BSD-3-Clause
// A chip whose cores run sequences of traffic.s, and one that plays DMA.
#pragma once
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "chip/chip.hpp"
#include "chip/machine_file.hpp"

namespace skerry::sim {

constexpr std::uint32_t code_at = 0x100;  // bank 0
constexpr std::uint32_t data_at = 0x2000; // bank 1 of 32 KB
constexpr std::uint32_t outside = 0x8e000000;

inline const std::vector<std::uint16_t> &traffic_sequence(std::string_view name) {
    static const std::map<std::string, std::vector<std::uint16_t>, std::less<>> all = {
#define X(name, ...) {#name, {__VA_ARGS__}},
#include "traffic.inc"
#undef X
    };
    const auto found = all.find(name);
    if (found == all.end()) throw std::invalid_argument("no sequence is called " + std::string(name));
    return found->second;
}

struct Crowd {
    Chip chip;

    explicit Crowd(const Machine &machine = *find_machine("epiphany-iii")) : chip(machine) {
    }
    EpiphanyCore &core(std::uint32_t k) {
        return dynamic_cast<EpiphanyCore &>(chip.core(k));
    }
    // An offset of core k as every core sees it.
    std::uint32_t global(std::uint32_t k, std::uint32_t offset) {
        return chip.core(k).id() << 20 | offset;
    }
    std::array<std::uint32_t, 64> &put(std::uint32_t k, std::string_view name, std::uint32_t at = code_at) {
        std::uint32_t to = at;
        for (const std::uint16_t half : traffic_sequence(name)) {
            core(k).memory.write(to, half);
            to += 2;
        }
        return core(k).state.r;
    }
    // All of the first `cores` until each has come to its BKPT; false if that takes too long.
    bool run(std::uint32_t cores, std::uint64_t most = 1'000'000) {
        begin(cores);
        for (;;) {
            bool active = false;
            for (std::uint32_t k = 0; k < cores; k++) active = active || core(k).active();
            if (!active) return settle();
            const Ending ending = chip.run(most);
            if (ending.kind != EndKind::stopped || core(ending.core).stop.kind != StopKind::breakpoint) return false;
        }
    }
    void begin(std::uint32_t cores) {
        chip.start(cores, code_at);
        for (std::uint32_t k = 0; k < cores; k++) core(k).state.interrupt_pending = 0;
    }
    // What is still under way arrives.
    bool settle() {
        return chip.run().kind == EndKind::deadlock && chip.network().idle();
    }
    std::uint32_t word(std::uint32_t k, std::uint32_t offset) {
        return core(k).memory.read<std::uint32_t>(offset);
    }
    std::uint32_t outside_word(std::uint32_t offset) {
        const Place place = chip.locate(outside + offset);
        return place.memory->read<std::uint32_t>(place.offset);
    }
};

// Keeps `most` reads of one address under way from each core, as a DMA engine would.
class Readers final : public ReplyPort {
  public:
    Readers(Chip &chip, std::uint32_t node, std::uint32_t address, unsigned most)
        : chip_(chip), node_(node), address_(address), most_(most) {
        chip.traffic().attach_replies(node, *this);
    }
    bool reply(std::uint64_t, const Transaction &) override {
        under_way--;
        replies++;
        return true;
    }
    void offer(std::uint64_t cycle) {
        if (under_way == most_) return;
        Transaction t;
        t.kind = Transaction::Kind::read_request;
        t.address = address_;
        t.tag = first_dma_tag;
        if (chip_.traffic().inject(cycle, node_, Mesh::read_request, t, Sender::dma)) under_way++;
    }
    unsigned under_way = 0;
    std::uint64_t replies = 0;

  private:
    Chip &chip_;
    std::uint32_t node_;
    std::uint32_t address_;
    unsigned most_;
};

} // namespace skerry::sim
