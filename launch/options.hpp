// SPDX-License-Identifier: BSD-3-Clause
// Reads the command line of oshrun.
#pragma once

#include "placement.hpp"
#include "program.hpp"

#include <cstdint>
#include <optional>

namespace skerry {

struct Options {
    int pes = 1;
    int nodes = 1;            // more than 1 only for tests, which run several nodes on this machine
    std::optional<Bind> bind; // operand of --bind; empty if the option is not given
    bool tag_output = false;
    bool stats = false;
    std::optional<double> timeout_seconds;
    uint64_t heap_bytes = 0;
    bool huge_pages = false;
    std::string tuning; // values measured on this processor (tuning.hpp); empty if there are none
    Program program;
};

// Reads main's arguments. Ends oshrun with an error message if they are wrong, and after it has printed the text of
// --help or --version. `processors` is the default of -n.
Options parse_options(int argument_count, char **arguments, int processors);

} // namespace skerry
