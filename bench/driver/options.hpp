// SPDX-License-Identifier: BSD-3-Clause
// The command line of skerry bench.
#pragma once

#include "command.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skerry::bench {

struct Peer {
    std::string name; // as given by NAME=, or found from the wrapper's place
    std::string wrapper;
    Words launcher; // with its flags
};

struct Options {
    std::vector<std::string> benchmarks; // empty: all
    int pes = 2;
    std::vector<size_t> sizes; // empty: the programs' own, 8 B to 16 MB
    int repeat = 5;
    double seconds = 0; // of one measurement in one run; 0: chosen by kind
    bool limits = true, json = false, quick = false, table = false, pairs = false;
    bool s3 = false;           // the paper's experiments as well
    std::string plot, machine; // machine: of a simulated chip; empty: this one
    std::vector<Peer> peers;
};

// Prints and exits for --help, --version and --list. Throws Failure.
Options parse_options(int count, char **words);

} // namespace skerry::bench
