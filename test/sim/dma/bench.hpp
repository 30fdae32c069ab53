// SPDX-License-Identifier: BSD-3-Clause
// A DMA engine in a chip of bytes by address: reads are answered a fixed time after they were asked, writes arrive at
// once and are written down. Banks and the network can be taken by the cycle.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "dma/dma.hpp"

namespace skerry::sim {

constexpr std::uint32_t own_core = 0x808;
constexpr std::uint32_t own_base = own_core << 20;
constexpr std::uint32_t far_base = 0x849U << 20; // another core
constexpr std::uint32_t external = 0x8e000000;
constexpr std::uint32_t own_memory = 0x8000;

constexpr std::uint32_t doubles = 3 << dma_config::data_size_shift;
constexpr std::uint32_t words = 2 << dma_config::data_size_shift;
constexpr std::uint32_t master = dma_config::enable | dma_config::master;

struct Descriptor {
    std::uint32_t config = master | doubles;
    std::uint32_t inner_stride = 8 << 16 | 8; // destination in the upper half
    std::uint32_t count = 1 << 16 | 1;        // outer in the upper half
    std::uint32_t outer_stride = 0;
    std::uint32_t source = 0x2000;
    std::uint32_t destination = 0x4000;
};

inline SpecialRegister dma_register(unsigned channel, SpecialRegister of_channel_0) {
    return static_cast<SpecialRegister>(static_cast<unsigned>(of_channel_0) + 8 * channel);
}

// So that no test depends on what was fitted.
constexpr DmaTiming quick{
    .start = 1, .descriptor = 1, .element_interval = 3, .read_interval = 5, .outstanding_reads = 8};

class Bench : public DmaPort {
  public:
    explicit Bench(const DmaTiming &timing = quick) : dma(own_core, *this, timing) {
    }

    // ---- the chip ----
    Access read_own(std::uint32_t offset, unsigned size, std::uint64_t &value, std::uint64_t cycle) override {
        if (offset >= own_memory) return Access::fault;
        if (bank_taken && bank_taken(cycle)) return Access::again;
        value = peek(offset, size);
        accesses.push_back({cycle, offset, size, false});
        return Access::done;
    }
    Access write_own(std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t cycle) override {
        if (offset >= own_memory) return Access::fault;
        if (bank_taken && bank_taken(cycle)) return Access::again;
        poke(offset, size, value);
        accesses.push_back({cycle, offset, size, true});
        return Access::done;
    }
    Acceptance send_write(std::uint32_t address, unsigned size, std::uint64_t value, std::uint64_t cycle) override {
        if (address == nowhere) return Acceptance::fault;
        if (network_full && network_full(cycle)) return Acceptance::refused;
        poke(address, size, value);
        accesses.push_back({cycle, address, size, true});
        return Acceptance::taken;
    }
    Acceptance send_read(std::uint32_t address, unsigned size, std::uint16_t tag, std::uint64_t cycle) override {
        if (address == nowhere) return Acceptance::fault;
        if (network_full && network_full(cycle)) return Acceptance::refused;
        accesses.push_back({cycle, address, size, false});
        replies.push_back({cycle + round_trip, tag, peek(address, size)});
        most_outstanding = std::max(most_outstanding, replies.size());
        return Acceptance::taken;
    }
    bool is_core(std::uint32_t address) const override {
        return address < external;
    }
    void interrupt(Interrupt which, std::uint64_t cycle) override {
        interrupts.push_back({cycle, which});
    }
    void dma_stopped(unsigned channel) override {
        stopped.push_back(channel);
    }

    // ---- bytes; below 1 MB and at own_base are the same ----
    std::uint64_t peek(std::uint32_t address, unsigned size) {
        std::uint64_t value = 0;
        for (unsigned k = 0; k < size; k++) value |= std::uint64_t{bytes[global(address + k)]} << (8 * k);
        return value;
    }
    void poke(std::uint32_t address, unsigned size, std::uint64_t value) {
        for (unsigned k = 0; k < size; k++) bytes[global(address + k)] = static_cast<std::uint8_t>(value >> (8 * k));
    }
    static std::uint32_t global(std::uint32_t address) {
        return address < core_space ? address | own_base : address;
    }
    void fill(std::uint32_t address, std::uint32_t count) {
        for (std::uint32_t k = 0; k < count; k++) poke(address + k, 1, k * 7 + 1);
    }
    bool same(std::uint32_t a, std::uint32_t b, std::uint32_t count) {
        for (std::uint32_t k = 0; k < count; k++) {
            if (peek(a + k, 1) != peek(b + k, 1)) return false;
        }
        return true;
    }

    // ---- what a program does ----
    void put(std::uint32_t at, const Descriptor &d) {
        poke(at, 4, d.config);
        poke(at + 4, 4, d.inner_stride);
        poke(at + 8, 4, d.count);
        poke(at + 12, 4, d.outer_stride);
        poke(at + 16, 4, d.source);
        poke(at + 20, 4, d.destination);
    }
    Access write(SpecialRegister which, std::uint32_t value, unsigned channel = 0) {
        return dma.write_register(dma_register(channel, which), value, now);
    }
    std::uint32_t read(SpecialRegister which, unsigned channel = 0) {
        return dma.read_register(dma_register(channel, which));
    }
    void start(std::uint32_t descriptor, unsigned channel = 0) {
        write(SpecialRegister::dma0_config, descriptor << 16 | dma_config::startup, channel);
    }
    void start(const Descriptor &d, unsigned channel = 0) {
        put(0x100 + 0x40 * channel, d);
        start(0x100 + 0x40 * channel, channel);
    }
    // Moves on until nothing more happens, or to a cycle; returns the cycles.
    std::uint64_t run(std::uint64_t until = 1'000'000) {
        const std::uint64_t begin = now;
        while (now < until) {
            const std::uint64_t answer = replies.empty() ? ~std::uint64_t{0} : replies.front().at;
            const std::uint64_t next = std::min(answer, dma.ready_at);
            if (next >= until) break;
            now = std::max(now, next);
            if (answer <= now) {
                if (dma.reply(replies.front().tag, replies.front().value, now)) replies.pop_front();
                else replies.front().at = now + 1;
            }
            if (dma.ready_at <= now) dma.run(now);
        }
        if (until != 1'000'000) now = until;
        return now - begin;
    }

    struct Happened {
        std::uint64_t at;
        std::uint32_t address;
        unsigned size;
        bool write;
    };
    struct Answer {
        std::uint64_t at;
        std::uint16_t tag;
        std::uint64_t value;
    };
    std::uint64_t now = 1000;
    std::uint64_t round_trip = 20;
    std::uint32_t nowhere = 0x12345678;
    std::map<std::uint32_t, std::uint8_t> bytes;
    std::deque<Answer> replies;
    std::size_t most_outstanding = 0;
    std::vector<Happened> accesses;
    std::vector<std::pair<std::uint64_t, Interrupt>> interrupts;
    std::vector<unsigned> stopped;
    std::function<bool(std::uint64_t)> bank_taken;
    std::function<bool(std::uint64_t)> network_full;
    Dma dma;
};

} // namespace skerry::sim
