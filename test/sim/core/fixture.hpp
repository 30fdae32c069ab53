// SPDX-License-Identifier: BSD-3-Clause
// A chip with one of the recorded sequences in its first core, at code_base; data in another bank.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "chip/chip.hpp"
#include "chip/machine_file.hpp"

namespace skerry::sim {

constexpr std::uint32_t code_base = 0x100;
constexpr std::uint32_t data_base = 0x2000; // bank 1 of four

std::vector<std::uint16_t> sequence(std::string_view name);

// A core of a chip whose cores are Epiphany's.
inline EpiphanyCore &epiphany(Chip &chip, std::uint32_t index) {
    return dynamic_cast<EpiphanyCore &>(chip.core(index));
}

struct Bench {
    Chip chip;
    EpiphanyCore &core = epiphany(chip, 0);

    explicit Bench(std::string_view name, const Machine &machine = *find_machine("epiphany-iii")) : chip(machine) {
        put(name, code_base);
        core.state.r[40] = data_base;
    }
    void put(std::string_view name, std::uint32_t at, std::uint32_t which = 0) {
        const std::vector<std::uint16_t> code = sequence(name);
        for (std::size_t k = 0; k < code.size(); k++) {
            chip.core(which).memory.write(at + 2 * static_cast<std::uint32_t>(k), code[k]);
        }
    }
    // The vector of an interrupt branches there.
    void vector(Interrupt interrupt, std::uint32_t handler) {
        const std::uint32_t at = 4 * static_cast<std::uint32_t>(interrupt);
        core.memory.write(at, (handler - at) / 2 << 8 | 0xe8);
    }
    // Runs to BKPT; returns the cycles before it.
    std::uint64_t run() {
        begin();
        ending = chip.run(1'000'000);
        core.settle(chip.now());
        return core.counters.cycles() - 1;
    }
    void begin(std::uint32_t cores = 1) {
        chip.start(cores, code_base);
        for (std::uint32_t k = 0; k < cores; k++) epiphany(chip, k).state.interrupt_pending = 0;
    }
    std::uint64_t stalled(Stall cause) const {
        return core.counters[cause];
    }
    // Cycles between the first core and another on an empty mesh.
    std::uint64_t one_way(std::uint32_t other, Mesh mesh) const {
        const MeshConfiguration &c = chip.machine().network_part.meshes[static_cast<unsigned>(mesh)];
        const std::uint32_t there = chip.machine().core_id(other) << 20;
        return (c.injection_half_cycles + chip.network().hops(0, there) * c.hop_half_cycles + 1) / 2;
    }
    Ending ending;
};

} // namespace skerry::sim
