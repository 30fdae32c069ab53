// SPDX-License-Identifier: BSD-3-Clause
// Checks that the values of a machine fit together. For example, every core must lie within the address map.
#include "chip/machine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "memory/access.hpp"
#include "mppa_dma/registers.hpp"

namespace skerry::sim {
namespace {

constexpr std::uint32_t side = 64; // number of rows, and of columns, that addresses can name
constexpr std::uint32_t page = 4096;

std::optional<Problem> problem_of_cores(const Machine &m) {
    if (m.rows == 0 || m.rows > side) return Problem{"chip.rows", "a machine has 1 to 64 rows"};
    if (m.columns == 0 || m.columns > side) return Problem{"chip.columns", "a machine has 1 to 64 columns"};
    if (m.first_row > side - m.rows) {
        return Problem{"chip.first_row", fmt::format("the last of {} rows would lie beyond row 63", m.rows)};
    }
    if (m.first_column > side - m.columns) {
        return Problem{"chip.first_column",
                       fmt::format("the last of {} columns would lie beyond column 63", m.columns)};
    }
    if (m.first_row == 0 && m.first_column == 0) {
        return Problem{"chip.first_column",
                       "no core can be at row 0, column 0, because its addresses mean a core's own memory"};
    }
    for (const Position &p : m.absent) {
        if (p.row >= m.rows || p.column >= m.columns) {
            return Problem{"chip.absent_cores",
                           fmt::format("[{}, {}] is not within {} x {} cores", p.row, p.column, m.rows, m.columns)};
        }
        if (std::ranges::count(m.absent, p) > 1) {
            return Problem{"chip.absent_cores", fmt::format("[{}, {}] is listed twice", p.row, p.column)};
        }
    }
    if (m.present_cores() == 0) return Problem{"chip.absent_cores", "no core is left"};
    return std::nullopt;
}

bool overlap(const Window &a, const Window &b) {
    return a.base - b.base < b.size || b.base - a.base < a.size;
}

// Checks that no other memory and no core has an address in the range of a memory that all cores access: `section`,
// shared_memory or mutexes.
std::optional<Problem> problem_of_shared(const Machine &m, const SharedMemoryConfiguration &of,
                                         std::string_view section) {
    if (of.size == 0) return std::nullopt;
    const Window shared{of.base, of.size};
    const auto wrong = [&](std::string rule) { return Problem{std::string(section), std::move(rule)}; };
    if (shared.size % page != 0 || shared.base % page != 0 || shared.base > 0U - shared.size) {
        return wrong(
            fmt::format("{:#x} bytes at {:#010x} are not pages of 4 KB within 4 GB", shared.size, shared.base));
    }
    if (!std::has_single_bit(of.banks)) return wrong("the number of banks must be a power of two");
    if (shared.base < core_space) return wrong("addresses below 1 MB mean a core's own memory");
    for (const Window &w : m.external) {
        if (overlap(shared, w)) return wrong(fmt::format("it overlaps external memory at {:#010x}", w.base));
    }
    for (std::uint32_t k = 0; k < m.cores(); k++) {
        const Window core{m.core_id(k) << 20, core_space};
        if (!overlap(shared, core)) continue;
        return wrong(fmt::format("core ({},{}) has addresses in this memory", core.base >> 26, core.base >> 20 & 63));
    }
    return std::nullopt;
}

// Checks the addresses that only the cores of one cluster have: they must not be those of another memory.
std::optional<Problem> problem_of_global_addresses(const Machine &m) {
    if (m.cluster.global == 0) return std::nullopt;
    const auto wrong = [](const std::string &rule) { return Problem{"cluster.global_address", rule}; };
    const std::uint64_t bytes = std::uint64_t{m.shared.size} * m.clusters();
    if (m.cluster.global % page != 0 || m.cluster.global + bytes > std::uint64_t{1} << 32) {
        return wrong(fmt::format("{:#x} bytes at {:#010x} are not pages of 4 KB within 4 GB", bytes, m.cluster.global));
    }
    const Window global{m.cluster.global, static_cast<std::uint32_t>(bytes)};
    if (overlap(global, {m.shared.base, m.shared.size})) return wrong("it overlaps the shared memory");
    for (const Window &w : m.external) {
        if (overlap(global, w)) return wrong(fmt::format("it overlaps external memory at {:#010x}", w.base));
    }
    const Window last{m.core_id(m.cores() - 1) << 20, core_space};
    if (global.base < last.base + last.size) return wrong("cores have addresses in this range");
    return std::nullopt;
}

std::optional<Problem> problem_of_clusters(const Machine &m) {
    if (m.cluster.cores == 0) return std::nullopt;
    if (m.shared.size == 0) return Problem{"cluster", "the cores of a cluster need shared_memory"};
    if (m.cores() % m.cluster.cores != 0) {
        return Problem{"cluster.cores", fmt::format("{} cores are not a multiple of {}", m.cores(), m.cluster.cores)};
    }
    if (m.cluster.managers >= m.cluster.cores) {
        return Problem{"cluster.manager_cores", "must be less than the number of cores"};
    }
    if (m.job_cores().empty()) return Problem{"chip.absent_cores", "only manager cores are left"};
    return problem_of_global_addresses(m);
}

std::optional<Problem> problem_of_instruction_cache(const Machine &m) {
    const InstructionCacheConfiguration &c = m.instruction_cache;
    if (c.size == 0) return std::nullopt;
    if (m.shared.size == 0) return Problem{"instruction_cache", "is for code in shared_memory"};
    if (!std::has_single_bit(c.size)) return Problem{"instruction_cache.size_bytes", "must be a power of two"};
    if (!std::has_single_bit(c.line)) return Problem{"instruction_cache.line_bytes", "must be a power of two"};
    if (!std::has_single_bit(c.ways)) return Problem{"instruction_cache.ways", "must be a power of two"};
    if (c.line * c.ways > c.size) return Problem{"instruction_cache.size_bytes", "must be at least one set of lines"};
    return std::nullopt;
}

std::optional<Problem> problem_of_memory(const Machine &m) {
    if (!std::has_single_bit(m.local_memory) || m.local_memory < page || m.local_memory > 512 * 1024) {
        return Problem{"chip.local_memory_bytes", "local memory is a power of two from 4 KB to 512 KB"};
    }
    for (auto w = m.external.begin(); w != m.external.end(); ++w) {
        if (w->size == 0 || w->size % page != 0 || w->base % page != 0 || w->base > 0U - w->size) {
            return Problem{"external_memory",
                           fmt::format("{:#x} bytes at {:#010x} are not pages of 4 KB within 4 GB", w->size, w->base)};
        }
        for (auto other = m.external.begin(); other != w; ++other) {
            if (overlap(*w, *other)) {
                return Problem{"external_memory", fmt::format("the range at {:#010x} overlaps the range at {:#010x}",
                                                              w->base, other->base)};
            }
        }
    }
    return std::nullopt;
}

// Checks that no core lies in the last window of external memory (a range of its addresses). Skerry's programs allocate
// memory from the last window. If a core had an address of the window, an access to external memory would reach the
// core.
std::optional<Problem> problem_of_last_window(const Machine &m) {
    if (m.external.empty()) return std::nullopt;
    const Window &w = m.external.back();
    for (std::uint32_t k = 0; k < m.cores(); k++) {
        const std::uint32_t core = m.core_id(k) << 20;
        if (core - w.base >= w.size && w.base - core >= core_space) continue;
        return Problem{"external_memory", fmt::format("the last range, at {:#010x}, contains addresses of core ({},{})",
                                                      w.base, core >> 26, core >> 20 & 63)};
    }
    return std::nullopt;
}

// Checks the networks between clusters, and that the registers of their nodes have addresses of their own.
std::optional<Problem> problem_of_clusters_networks(const Machine &m) {
    const dnoc::NetworkConfiguration &n = m.data_network;
    if (n.rows == 0) return std::nullopt;
    if (m.cluster.cores == 0) return Problem{"data_network", "is between clusters, and the section cluster is missing"};
    if (const std::string rule = dnoc::problem_of(n); !rule.empty()) return Problem{"data_network", rule};
    if (const std::string rule = dnoc::problem_of(m.control_network); !rule.empty()) {
        return Problem{"control_network", rule};
    }
    if (n.clusters() + n.io_nodes != m.clusters()) {
        return Problem{"data_network.rows",
                       fmt::format("{} x {} clusters and {} I/O nodes are not the machine's {} clusters", n.rows,
                                   n.columns, n.io_nodes, m.clusters())};
    }
    if (m.cluster.cores > mppa::most_cores) {
        return Problem{"cluster.cores", fmt::format("a cluster of a network has at most {}", mppa::most_cores)};
    }
    if (m.external.size() < n.io_nodes) {
        return Problem{"io.nodes", "each I/O node has a DDR memory: the first ranges of external_memory"};
    }
    const Window registers{mppa::registers_base, mppa::registers_bytes * n.io_units};
    if (overlap(registers, {m.shared.base, m.shared.size})) {
        return Problem{"shared_memory", "it overlaps the registers of the networks' nodes"};
    }
    for (const Window &w : m.external) {
        if (overlap(registers, w)) {
            return Problem{"external_memory",
                           fmt::format("the range at {:#010x} overlaps the registers of the networks' nodes", w.base)};
        }
    }
    for (std::uint32_t k = 0; k < m.cores(); k++) {
        if (overlap(registers, {m.core_id(k) << 20, core_space})) {
            return Problem{"chip.first_row", "cores have the addresses of the registers of the networks' nodes"};
        }
    }
    return std::nullopt;
}

std::optional<Problem> problem_of_links(const Machine &m) {
    struct Edge {
        Port port;
        std::string_view key;
        bool row;
    };
    constexpr std::array<Edge, 4> edges = {{{Port::north, "network.north_link_column", false},
                                            {Port::east, "network.east_link_row", true},
                                            {Port::south, "network.south_link_column", false},
                                            {Port::west, "network.west_link_row", true}}};
    for (const Edge &e : edges) {
        const int place = m.network_part.link_position[static_cast<unsigned>(e.port)];
        const auto end = static_cast<int>(e.row ? m.rows : m.columns);
        if (place != NetworkConfiguration::no_link && (place < 0 || place >= end)) {
            return Problem{std::string(e.key),
                           fmt::format("must be a {} from 0 to {}", e.row ? "row" : "column", end - 1)};
        }
        if (e.port == m.network_part.default_exit && place == NetworkConfiguration::no_link) {
            return Problem{"network.default_exit",
                           fmt::format("must be an edge with a link, and {} is missing", e.key)};
        }
    }
    return std::nullopt;
}

} // namespace

bool Machine::is_absent(std::uint32_t index) const {
    return std::ranges::find(absent, Position{index / columns, index % columns}) != absent.end();
}

std::vector<std::uint32_t> Machine::job_cores() const {
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t k = 0; k < cores(); k++) {
        const bool is_manager = cluster.cores != 0 && k % cluster.cores >= cluster.cores - cluster.managers;
        const bool is_io = cluster_of(k) >= compute_clusters();
        if (!is_manager && !is_io && !is_absent(k)) chosen.push_back(k);
    }
    return chosen;
}

std::vector<std::uint32_t> Machine::cores_of_cluster(std::uint32_t number) const {
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t k = number * cluster.cores; k < (number + 1) * cluster.cores; k++) {
        if (!is_absent(k)) chosen.push_back(k);
    }
    return chosen;
}

NetworkConfiguration Machine::network() const {
    NetworkConfiguration whole = network_part;
    whole.rows = rows;
    whole.columns = columns;
    whole.first_row = first_row;
    whole.first_column = first_column;
    return whole;
}

std::optional<Problem> problem_of(const Machine &m) {
    if (auto problem = problem_of_cores(m)) return problem;
    if (auto problem = problem_of_memory(m)) return problem;
    if (auto problem = problem_of_last_window(m)) return problem;
    if (auto problem = problem_of_shared(m, m.shared, "shared_memory")) return problem;
    if (auto problem = problem_of_shared(m, m.mutexes, "mutexes")) return problem;
    if (auto problem = problem_of_clusters(m)) return problem;
    if (auto problem = problem_of_instruction_cache(m)) return problem;
    if (auto problem = problem_of_clusters_networks(m)) return problem;
    if (m.shared.size != 0 && m.mutexes.size != 0) {
        return Problem{"mutexes", "a machine with shared_memory has its mutexes there"};
    }
    if (m.network_part.topology == Topology::crossbar && m.kind == CoreKind::epiphany) {
        return Problem{"network.topology", "a crossbar has no multicast, which Epiphany's cores use"};
    }
    if (m.events.lines != 0 && m.kind != CoreKind::riscv) {
        return Problem{"events.lines", "Epiphany's cores have no counters and queues"};
    }
    if (m.copies.copies != 0 && m.events.lines == 0) {
        return Problem{"rdma.copies_under_way", "only command lines can start copies: events.lines must not be 0"};
    }
    if (m.megahertz == 0) return Problem{"chip.clock_megahertz", "must not be 0"};
    return problem_of_links(m);
}

} // namespace skerry::sim
