// SPDX-License-Identifier: BSD-3-Clause
// A machine as data: how many cores, where they stand in the address map, how much memory there is.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dma/timing.hpp"
#include "link/configuration.hpp"
#include "noc/configuration.hpp"

namespace skerry::sim {

// External memory as the cores see it.
struct Window {
    std::uint32_t base;
    std::uint32_t size;
};

struct Machine {
    std::string name;
    std::uint32_t rows;
    std::uint32_t columns;
    std::uint32_t first_row; // an address is row << 26 | column << 20 | offset
    std::uint32_t first_column;
    std::uint32_t local_memory; // bytes a core
    std::uint32_t megahertz;
    std::vector<Window> external;        // where a core stands in the same place, the core is meant
    NetworkConfiguration network_part{}; // without the places of cores and links
    LinkConfiguration link{};
    DmaTiming dma{};
    HostAccess host{};

    std::uint32_t cores() const {
        return rows * columns;
    }
    std::uint32_t core_id(std::uint32_t index) const {
        return (first_row + index / columns) << 6 | (first_column + index % columns);
    }
};

std::span<const Machine> known_machines();
const Machine *find_machine(std::string_view name);
// Empty, or what cannot be.
std::string problem_of(const Machine &machine);

} // namespace skerry::sim
