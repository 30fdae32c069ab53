// SPDX-License-Identifier: BSD-3-Clause
// Declares the options of skerry bench and the function that reads them from the command line.
#pragma once

#include "command.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skerry::bench {

struct Peer {
    std::string name; // given by NAME=, or derived from the wrapper's path
    std::string wrapper;
    Words launcher; // the launcher and its flags
};

struct Options {
    std::vector<std::string> benchmarks; // empty: all
    int pes = 2;
    std::vector<size_t> sizes; // empty: the programs' defaults, 8 B to 16 MB
    int repeat = 5;
    double seconds = 0; // time of one measurement in one run; 0: chosen by the kind of measurement
    bool limits = true, json = false, quick = false, table = false, pairs = false;
    bool segments = false;     // true: also run the experiments of Hascoet et al. (2017)
    std::string plot, machine; // machine: a simulated chip; empty: this machine
    std::vector<Peer> peers;
};

// Reads the command line. Prints and exits for --help, --version and --list. Throws Failure if the command line is
// wrong.
Options parse_options(int count, char **words);

} // namespace skerry::bench
