// SPDX-License-Identifier: BSD-3-Clause
// Describes barriers, and waits for segments, by variables of Skerry's library in the memory of PE 0 (src/mppa/barrier_served.c,
// changes.c).
#include "chip/program_waits.hpp"

#include <bit>
#include <cstring>
#include <span>
#include <vector>

#include <fmt/format.h>

namespace skerry::sim {
namespace {

constexpr std::uint32_t clusters_max = 16;
constexpr std::uint32_t all_clusters = (1U << clusters_max) - 1;
constexpr std::uint32_t last_pe = clusters_max + 1;
constexpr std::uint32_t program_ended = 2; // a state in skerry_outcomes
constexpr std::uint32_t program_runs = 1;

struct Barrier { // struct skerry_mppa_barrier
    std::uint64_t clusters;
    std::uint32_t arrived;
    std::uint32_t round;
    std::uint32_t count;
    std::uint32_t waiting;
};

// Returns the array `name` in the memory of PE 0, or nothing.
template <typename T> std::vector<T> array_of(Chip &chip, const ElfImage &first, const char *name) {
    const Symbol *symbol = first.find(name);
    const auto core = chip.core_of_first_program();
    if (symbol == nullptr || !core) return {};
    std::vector<std::uint8_t> bytes(symbol->size / sizeof(T) * sizeof(T));
    if (bytes.empty() || !chip.read(chip.core(*core), symbol->address, bytes)) return {};
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

// Returns the clusters of a set, for example "clusters 0, 2".
std::string names(std::uint32_t clusters, const std::vector<std::uint32_t> &outcomes) {
    std::string text = std::popcount(clusters) == 1 ? "cluster" : "clusters";
    std::string separator = " ";
    for (std::uint32_t cluster = 0; cluster < clusters_max; cluster++) {
        if ((clusters >> cluster & 1) == 0) continue;
        text += fmt::format("{}{}", separator, cluster);
        separator = ", ";
        if (cluster + 1 >= outcomes.size()) continue;
        const std::uint32_t state = outcomes[cluster + 1] & 0xff;
        if (state == program_ended) text += " (its program has ended)";
        else if (state != program_runs) text += " (no program was started there)";
    }
    return text;
}

std::string joined(const std::string &one, const std::string &other) {
    return one.empty() || other.empty() ? one + other : one + ", " + other;
}

std::string describe_barrier(const Barrier &barrier, bool is_of_all, const std::vector<std::uint32_t> &outcomes) {
    const std::uint64_t set = is_of_all ? (std::uint64_t{1} << barrier.count) - 1 : barrier.clusters;
    const std::uint32_t waiting = barrier.waiting >> 1 & all_clusters;
    std::string present = waiting == 0 ? "" : names(waiting, {});
    if ((barrier.waiting & 1) != 0) present = joined(present, "I/O 128");
    if ((barrier.waiting >> last_pe & 1) != 0) present = joined(present, "I/O 192");
    std::string text =
        fmt::format("  {}: {} of {} programs have arrived, and wait: {}",
                    is_of_all ? "mppa_rpc_barrier_all" : "mppa_rpc_barrier", barrier.arrived, barrier.count, present);
    if (set > all_clusters) return text + "\n"; // other bits: a number, not a set
    const auto missing = static_cast<std::uint32_t>(set) & ~waiting;
    const bool has_io = barrier.count > static_cast<std::uint32_t>(std::popcount(set));
    const bool misses_io = has_io && (barrier.waiting & (1U | 1U << last_pe)) == 0;
    const std::string absent = joined(missing == 0 ? "" : names(missing, outcomes), misses_io ? "an I/O program" : "");
    return text + (absent.empty() ? "\n" : fmt::format("; missing: {}\n", absent));
}

struct Awaited { // struct request of src/mppa/changes.c
    std::uint64_t value;
    std::uint32_t what;
    std::uint32_t unused;
};

std::string name_of_pe(std::uint64_t pe) {
    return pe == 0 ? "I/O 128" : pe == last_pe ? "I/O 192" : fmt::format("cluster {}", pe - 1);
}

// Describes what src/mppa/changes.c keeps: the PEs that wait for segments and programs.
std::string describe_changes(Chip &chip, const ElfImage &first) {
    std::string text;
    const auto waiting = array_of<std::uint32_t>(chip, first, "skerry_mppa_waiting");
    const auto awaited = array_of<Awaited>(chip, first, "skerry_mppa_awaited");
    if (waiting.empty()) return text;
    for (std::uint32_t pe = 0; pe < awaited.size(); pe++) {
        if ((waiting[0] >> pe & 1) == 0) continue;
        const Awaited &change = awaited[pe];
        if (change.what == 1)
            text += fmt::format("  mppa_async_segment_clone: {} waits for segment {}, which no program has created\n",
                                name_of_pe(pe), change.value);
        else if (change.what == 2)
            text += fmt::format("  {} uses the default segment of {}, which runs no program that has initialized it\n",
                                name_of_pe(pe), name_of_pe(change.value));
        else
            text += fmt::format("  mppa_rpc_barrier_all: {} waits until the master calls mppa_rpc_server_init\n",
                                name_of_pe(pe));
    }
    return text;
}

} // namespace

std::string describe_waits(Chip &chip, const ElfImage &first) {
    std::string text;
    const auto outcomes = array_of<std::uint32_t>(chip, first, "skerry_outcomes");
    const auto barriers = array_of<Barrier>(chip, first, "skerry_mppa_barriers");
    for (const Barrier &barrier : barriers)
        if (barrier.arrived != 0) text += describe_barrier(barrier, &barrier == &barriers.front(), outcomes);
    return text + describe_changes(chip, first);
}

} // namespace skerry::sim
