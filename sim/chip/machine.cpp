// SPDX-License-Identifier: BSD-3-Clause
// The machines that are known by name, and what a machine may be.
#include "chip/machine.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

namespace skerry::sim {
namespace {

// Where GCC's and newlib's own linker script puts a program (text at 0x80000000, stack below 0x82000000), and the
// window of the Parallella board.
const std::vector<Window> usual_windows = {{0x80000000, 0x02000000}, {0x8e000000, 0x02000000}};

const std::array<Machine, 3> machines = {{
    {"epiphany-iii", 4, 4, 32, 8, 32 * 1024, 600, usual_windows},
    {"epiphany-iv", 8, 8, 32, 8, 32 * 1024, 800, usual_windows},
    {"epiphany-1024", 32, 32, 0, 8, 64 * 1024, 600, usual_windows},
}};

} // namespace

std::span<const Machine> known_machines() {
    return machines;
}

const Machine *find_machine(std::string_view name) {
    const auto found = std::ranges::find(machines, name, &Machine::name);
    return found == machines.end() ? nullptr : &*found;
}

std::string problem_of(const Machine &m) {
    constexpr std::uint32_t side = 64;
    if (m.rows == 0 || m.columns == 0) return "a machine needs at least one row and one column";
    if (m.rows > side || m.first_row > side - m.rows) return fmt::format("rows must lie within 0 to {}", side - 1);
    if (m.columns > side || m.first_column > side - m.columns) {
        return fmt::format("columns must lie within 0 to {}", side - 1);
    }
    if (m.core_id(0) == 0) return "no core can stand in row 0, column 0: its addresses mean a core's own memory";
    if (!std::has_single_bit(m.local_memory) || m.local_memory < 4096 || m.local_memory > 512 * 1024) {
        return "local memory must be a power of two from 4 KB to 512 KB";
    }
    if (m.megahertz == 0) return "the clock must run";
    for (const Window &w : m.external) {
        if (w.size == 0 || w.size % 4096 != 0 || w.base % 4096 != 0 || w.base > 0U - w.size) {
            return fmt::format("the external window at {:#x} must consist of 4 KB pages", w.base);
        }
    }
    return {};
}

} // namespace skerry::sim
