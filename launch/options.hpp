// SPDX-License-Identifier: BSD-3-Clause
// The command line of oshrun.
#pragma once

#include "placement.hpp"
#include "program.hpp"

#include <cstdint>
#include <optional>

namespace skerry {

struct Options {
    int pes = 1;
    std::optional<Bind> bind; // as asked for
    bool tag_output = false;
    bool stats = false;
    std::optional<double> timeout_seconds;
    uint64_t heap_bytes = 0;
    bool huge_pages = false;
    std::string tuning; // what was measured on this processor (tuning.hpp); empty: nothing
    Program program;
};

// Ends oshrun with a line, or with the help text, when there is nothing to run. `processors` is the default of -n.
Options parse_options(int argument_count, char **arguments, int processors);

} // namespace skerry
