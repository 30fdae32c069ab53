// SPDX-License-Identifier: BSD-3-Clause
#include "race/race_report.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "chip/describe.hpp"
#include "trace/functions.hpp"

namespace skerry::sim {
namespace {

constexpr std::size_t most_described = 20;

const char *verb_of(AccessKind kind) {
    switch (kind) {
    case AccessKind::load: return "loads";
    case AccessKind::store: return "stores";
    case AccessKind::atomic: break;
    }
    return "changes atomically";
}

// The header whose inline functions start copies. A race is reported at the line of the program that calls them.
constexpr std::string_view copying_header = "skerry_omp.h";

// Returns the source line of an instruction, or its address if the line is not known.
std::string place_of(std::uint32_t pc, const LineTable &lines) {
    const SourceLine line = lines.find_outside(pc, copying_header);
    return line.file != nullptr ? fmt::format("{}:{}", *line.file, line.line) : fmt::format("{:#x}", pc);
}

} // namespace

std::string describe_races(const RaceDetector &detector, const Chip &chip, const ElfImage &image,
                           const LineTable &lines) {
    if (detector.races().empty()) return {};
    const Functions functions(image);
    const auto describe_access = [&](const PastAccess &access) {
        const std::uint32_t function = functions.find(access.pc).function;
        const std::string_view construct = detector.construct_of(functions[function].begin);
        return fmt::format("  {}{} {} at {} in {}{}, cycle {}\n", core_name(chip.core(detector.core_of(access))),
                           detector.is_of_copy(access) ? "'s copy" : "", verb_of(access.kind),
                           place_of(access.pc, lines), functions[function].name,
                           construct.empty() ? std::string() : fmt::format(" (omp {})", construct), access.cycle);
    };
    std::string text;
    bool has_lines = true;
    std::set<std::pair<std::string, std::string>> seen;
    for (const Race &race : detector.races()) {
        std::pair<std::string, std::string> places{place_of(race.earlier.pc, lines), place_of(race.later.pc, lines)};
        if (places.second < places.first) std::swap(places.first, places.second);
        if (!seen.insert(std::move(places)).second || seen.size() > most_described) continue;
        for (const std::uint32_t pc : {race.earlier.pc, race.later.pc}) has_lines &= lines.find(pc).file != nullptr;
        const std::string name = image.name_of(race.address);
        text += fmt::format("skerry-sim: race on {} byte{} at {:#x}{}\n{}{}", race.bytes, race.bytes == 1 ? "" : "s",
                            race.address, name.empty() ? name : fmt::format(" <{}>", name),
                            describe_access(race.earlier), describe_access(race.later));
    }
    const std::size_t pairs = seen.size();
    return text + fmt::format("skerry-sim: --check-races: {} pair{} of places race{}{}{}\n", pairs,
                              pairs == 1 ? "" : "s", pairs == 1 ? "s" : "",
                              pairs > most_described ? fmt::format("; the first {} are shown", most_described) : "",
                              has_lines ? "" : "; compile with -g to see source lines");
}

} // namespace skerry::sim
