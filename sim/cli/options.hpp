// SPDX-License-Identifier: BSD-3-Clause
// Reads the options of skerry-sim from the command line.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/core.hpp"

namespace skerry::sim {

struct Options {
    std::string machine = "epiphany-iii";
    std::string pes; // number of PEs; empty: one PE for each core of `cores`
    std::string cores = "all";
    std::uint64_t max_cycles = never;
    bool disassemble = false;
    bool stats = false;
    bool linker_symbols = false;
    bool library = false;
    bool allow_code_writes = false;
    bool gdb_files = false;
    bool check_races = false;
    bool label = false;
    bool tag_output = false;
    bool summary = false;
    bool quiet = false;
    bool io_node = false;
    double timeout_seconds = 0; // 0: no timeout
    std::vector<std::string> environment;
    std::string json;
    std::string trace;
    std::string report;
    std::vector<std::string> breaks;
    std::string gdb;
    std::vector<std::string> program; // its path and arguments; can be empty if linker_symbols or library is true
};

// Reads the command line into `options`. Returns an empty string, or the text of the error. `machines` is the text that
// lists the machines in the help. Ends the process if the user asks for help.
std::string read_options(int count, char **words, const std::string &machines, Options &options);

} // namespace skerry::sim
