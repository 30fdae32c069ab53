// SPDX-License-Identifier: BSD-3-Clause
// A machine as data: how many cores, where they stand in the address map, how much memory there is, how its parts are
// timed. machine_file.hpp reads one from a file.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dma/timing.hpp"
#include "link/configuration.hpp"
#include "noc/configuration.hpp"

namespace skerry::sim {

// External memory as the cores see it.
struct Window {
    std::uint32_t base = 0;
    std::uint32_t size = 0;
};

// Counted from the first core.
struct Position {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    bool operator==(const Position &) const = default;
};

struct Machine {
    std::string name;
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    std::uint32_t first_row = 0; // an address is row << 26 | column << 20 | offset
    std::uint32_t first_column = 0;
    std::uint32_t local_memory = 0; // bytes a core
    std::uint32_t megahertz = 0;
    std::vector<Window> external;      // where a core stands in the same place, the core is meant
    std::vector<Position> absent;      // places without a core
    NetworkConfiguration network_part; // without the places of cores: see network()
    LinkConfiguration link;
    HostAccess host;
    DmaTiming dma;

    // Places for cores, numbered row by row; of some the core may be absent.
    std::uint32_t cores() const {
        return rows * columns;
    }
    std::uint32_t present_cores() const {
        return cores() - static_cast<std::uint32_t>(absent.size());
    }
    bool is_absent(std::uint32_t index) const;
    std::uint32_t core_id(std::uint32_t index) const {
        return (first_row + index / columns) << 6 | (first_column + index % columns);
    }
    NetworkConfiguration network() const;
};

// What cannot be: a value, as the file names it, and the rule that it breaks.
struct Problem {
    std::string key;
    std::string rule;
};
std::optional<Problem> problem_of(const Machine &machine);

} // namespace skerry::sim
