// SPDX-License-Identifier: BSD-3-Clause
#include "cli/breaks.hpp"

#include <cstdio>

#include <fmt/format.h>

#include "chip/describe.hpp"
#include "cli/places.hpp"

namespace skerry::sim {
namespace {

constexpr unsigned hits_printed = 16; // largest number of reports for one breakpoint

} // namespace

std::string Breaks::add(const std::vector<std::string> &places, Stops *stops) {
    if (stops == nullptr) {
        stops = &stops_.emplace(chip_, [this](const Hit &hit) { return report(hit); });
        if (chip_.can_start_programs()) {
            stops->set_groups(groups_of_pes(chip_));
            chip_.add_observer(*this);
        }
        chip_.add_observer(*stops);
    }
    for (const std::string &place : places) {
        Wanted wanted{place, {}};
        for (const std::uint32_t address : find_places(place, first_, lines_, wanted.error)) {
            stops->add_breakpoint(address, chip_.can_start_programs() ? 1 : Stops::every_group);
            wanted.found = true;
        }
        if (!wanted.found && !chip_.can_start_programs()) return fmt::format("--break {}: {}", place, wanted.error);
        wanted_.push_back(std::move(wanted));
    }
    return {};
}

std::string Breaks::missing() const {
    std::string text;
    for (const Wanted &wanted : wanted_) {
        if (!wanted.found)
            text += fmt::format("skerry-sim: --break {}: no program of the job has this place; the first one: {}\n",
                                wanted.place, wanted.error);
    }
    return text;
}

// Called for each core of the PE.
void Breaks::program_starts(std::uint32_t index, Core &, std::uint64_t, const StartedProgram &program) {
    const std::uint32_t group = stops_->group_of(index);
    stops_->clear_group(group);
    for (Wanted &wanted : wanted_) {
        std::string error;
        for (const std::uint32_t address : find_places(wanted.place, *program.image, lines_of(*program.image), error)) {
            stops_->add_breakpoint(address, group);
            wanted.found = true;
        }
    }
}

bool Breaks::report(const Hit &hit) {
    const Core &core = chip_.core(hit.core);
    const ElfImage &image = chip_.image_of(core, first_);
    const unsigned count = ++hits_[{&image, hit.address & (core_space - 1)}];
    if (count > hits_printed) return true;
    chip_.flush();
    fmt::print(stderr, "skerry-sim: break{}\n{}", words_for(hit.address, image, lines_of(image)),
               describe_core(chip_, core, first_));
    if (count == hits_printed)
        fmt::print(stderr, "skerry-sim: break: this place was reached again; later times are not shown\n");
    return true;
}

const LineTable &Breaks::lines_of(const ElfImage &image) {
    if (&image == &first_) return lines_;
    const auto found = lines_of_started_.find(&image);
    return found != lines_of_started_.end() ? found->second
                                            : lines_of_started_.emplace(&image, LineTable(image)).first->second;
}

} // namespace skerry::sim
