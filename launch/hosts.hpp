// SPDX-License-Identifier: BSD-3-Clause
// The machines (hosts) of a job of several nodes: which they are, and which PEs run on which of them.
#pragma once

#include "wire_up.hpp"

#include <optional>
#include <string>
#include <vector>

namespace skerry {

struct Host {
    std::string name;
    int slots = 0; // number of PEs that the user allows there; 0: not given
};

// Reads the operand of --hosts, such as "a:16,b:16,c". A host that is named twice gets the sum of its slots. Ends oshrun
// with an error message if the operand is wrong.
std::vector<Host> parse_hosts(const std::string &text);

// Reads a host file. Each line has a host as --hosts has it, or "NAME slots=N". # begins a comment.
std::vector<Host> read_host_file(const std::string &path);

// Returns the nodes of the Slurm allocation in which oshrun was called. A node has as many slots as tasks, or as
// processors if the user has not asked for a number of tasks. Returns an empty list outside an allocation, in a process that
// srun has started, and in a process that a PE has started. Ends oshrun with an error message if Slurm does not name the nodes.
std::vector<Host> find_allocation();

// Returns true if the name is this machine's own.
bool is_this_machine(const std::string &name);

// Spreads `pes` PEs over the hosts, in runs of ranks, in the order of the hosts. Fills the hosts' slots in order. If no
// host has slots, spreads the PEs evenly. Without `pes`, each host gets as many PEs as it has slots or, if it has none,
// processors. A host that gets no PE has count 0. Ends oshrun with an error message if there are too few slots.
std::vector<NodeRange> distribute(const std::vector<Host> &hosts, const std::vector<int> &processors,
                                  std::optional<int> pes);

} // namespace skerry
