// SPDX-License-Identifier: BSD-3-Clause
// Implements the option --break. Each time a core reaches one of the given places, prints the state of this core and lets the run
// continue. A place is searched for in each program of the job, when the program starts.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chip/chip.hpp"
#include "gdb/stops.hpp"
#include "host/line_table.hpp"

namespace skerry::sim {

class Breaks final : public Observer {
  public:
    // `first` is the image of the (first) program, and `lines` its lines.
    Breaks(Chip &chip, const ElfImage &first, const LineTable &lines) : chip_(chip), first_(first), lines_(lines) {
    }

    // Makes the run stop at these places. If `stops` is not null, it has the breakpoints, and who owns it reports the hits. Returns
    // an empty string, or the text of the error.
    std::string add(const std::vector<std::string> &places, Stops *stops);
    // Returns lines about the places that no program of the job has.
    std::string missing() const;

    bool before(std::uint32_t, Core &, std::uint64_t) override {
        return true;
    }
    void program_starts(std::uint32_t index, Core &core, std::uint64_t cycle, const StartedProgram &program) override;
    void sent(std::uint64_t, std::uint32_t, const Transaction &) override {
    }
    void landed(std::uint64_t, std::uint32_t, const Transaction &) override {
    }

  private:
    struct Wanted {
        std::string place;
        std::string error; // why the first program has no such place
        bool found = false;
    };
    bool report(const Hit &hit);
    const LineTable &lines_of(const ElfImage &image);

    Chip &chip_;
    const ElfImage &first_;
    const LineTable &lines_;
    std::vector<Wanted> wanted_;
    std::optional<Stops> stops_;
    std::map<const ElfImage *, LineTable> lines_of_started_;
    std::map<std::pair<const ElfImage *, std::uint32_t>, unsigned> hits_;
};

} // namespace skerry::sim
