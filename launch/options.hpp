// SPDX-License-Identifier: BSD-3-Clause
// Reads the command line of oshrun.
#pragma once

#include "hosts.hpp"
#include "node_part.hpp"
#include "node_starter.hpp"
#include "placement.hpp"
#include "program.hpp"

#include <cstdint>
#include <optional>

namespace skerry {

struct Options {
    int pes = 1;              // number of PEs of the whole job
    bool pes_given = false;   // the user has given the number of PEs
    int first_pe = 0;         // rank of the first PE that this oshrun starts
    int own_pes = 1;          // number of PEs that this oshrun starts
    int nodes = 1;            // more than 1 only for tests, which run several nodes on this machine
    std::optional<Bind> bind; // operand of --bind; empty if the option is not given
    bool tag_output = false;
    bool stats = false;
    std::optional<double> timeout_seconds;
    uint64_t heap_bytes = 0;
    bool huge_pages = false;
    std::string tuning;           // values measured on this processor (tuning.hpp); empty if there are none
    Program program;              // empty for a job on several hosts: each node searches the program itself
    std::optional<NodePart> part; // set if this oshrun runs one node's part of a job of several nodes

    // The hosts of a job on several nodes (cluster.hpp). The list is empty for a job on this machine.
    std::vector<Host> hosts;
    bool in_allocation = false;     // the user has named no hosts; `hosts` has those of a Slurm allocation
    std::optional<Starter> starter; // operand of --launcher
    std::vector<std::string> command, exports;
};

// Reads main's arguments. `processors` is the default of -n. Ends oshrun with an error message if the arguments are
// wrong. Ends oshrun too after the text of --help or --version.
Options parse_options(int argument_count, char **arguments, int processors);

} // namespace skerry
