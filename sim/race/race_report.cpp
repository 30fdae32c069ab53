// SPDX-License-Identifier: BSD-3-Clause
#include "race/race_report.hpp"

#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "chip/describe.hpp"
#include "host/line_table.hpp"
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

// The pairs of places of which races have been described, and the text.
struct Description {
    std::set<std::pair<std::string, std::string>> seen;
    bool has_lines = true;
    std::string text;
};

void describe(const RaceDetectors::One &one, const Chip &chip, const LineTable &lines, Description &description) {
    const Functions functions(one.image);
    const std::string of_program = one.program.empty() ? "" : fmt::format(" ({})", one.program);
    const auto describe_access = [&](const PastAccess &access) {
        const std::uint32_t function = functions.find(access.pc).function;
        const std::string_view construct = one.detector.construct_of(functions[function].begin);
        return fmt::format("  {}{} {} at {} in {}{}{}, cycle {}\n", core_name(chip.core(one.detector.core_of(access))),
                           RaceDetector::is_of_copy(access) ? "'s copy" : "", verb_of(access.kind),
                           place_of(access.pc, lines), functions[function].name, of_program,
                           construct.empty() ? std::string() : fmt::format(" (omp {})", construct), access.cycle);
    };
    auto &seen = description.seen;
    for (const Race &race : one.detector.races()) {
        std::pair<std::string, std::string> places{place_of(race.earlier.pc, lines) + of_program,
                                                   place_of(race.later.pc, lines) + of_program};
        if (places.second < places.first) std::swap(places.first, places.second);
        if (!seen.insert(std::move(places)).second || seen.size() > most_described) continue;
        for (const std::uint32_t pc : {race.earlier.pc, race.later.pc})
            description.has_lines &= lines.find(pc).file != nullptr;
        const std::string name = one.image.name_of(race.address);
        description.text +=
            fmt::format("skerry-sim: race on {} byte{} at {:#x}{}\n{}{}", race.bytes, race.bytes == 1 ? "" : "s",
                        race.address, name.empty() ? name : fmt::format(" <{}>", name), describe_access(race.earlier),
                        describe_access(race.later));
    }
}

} // namespace

std::string describe_races(const RaceDetectors &detectors, const Chip &chip) {
    Description all;
    std::map<const ElfImage *, LineTable> tables;
    for (const auto &one : detectors.all()) {
        if (one->detector.races().empty()) continue;
        describe(*one, chip, tables.try_emplace(&one->image, one->image).first->second, all);
    }
    const std::size_t pairs = all.seen.size();
    if (pairs == 0) return {};
    return all.text + fmt::format("skerry-sim: --check-races: {} pair{} of places race{}{}{}\n", pairs,
                                  pairs == 1 ? "" : "s", pairs == 1 ? "s" : "",
                                  pairs > most_described ? fmt::format("; the first {} are shown", most_described) : "",
                                  all.has_lines ? "" : "; compile with -g to see source lines");
}

} // namespace skerry::sim
