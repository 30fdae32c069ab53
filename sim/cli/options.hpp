// SPDX-License-Identifier: BSD-3-Clause
// What skerry-sim was asked to do.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/core.hpp"

namespace skerry::sim {

struct Options {
    std::string machine = "epiphany-iii";
    std::string pes; // empty: as many as cores
    std::string cores = "all";
    std::uint64_t max_cycles = never;
    bool disassemble = false;
    bool stats = false;
    bool linker_symbols = false;
    bool allow_code_writes = false;
    bool gdb_files = false;
    bool label = false;
    bool tag_output = false;
    bool summary = false;
    bool quiet = false;
    double timeout_seconds = 0; // 0: none
    std::vector<std::string> environment;
    std::string json;
    std::string trace;
    std::string report;
    std::vector<std::string> breaks;
    std::string gdb;
    std::vector<std::string> program; // with its arguments; empty for --linker-symbols
};

// Empty, or what is wrong with them. Ends the process when it is asked for help.
std::string read_options(int count, char **words, const std::string &machines, Options &options);

} // namespace skerry::sim
