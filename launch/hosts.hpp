// SPDX-License-Identifier: BSD-3-Clause
// Finds the machines (hosts) of a job of several nodes, and decides which PEs run on which host.
#pragma once

#include "wire_up.hpp"

#include <optional>
#include <string>
#include <vector>

namespace skerry {

struct Host {
    std::string name;
    int slots = 0; // number of PEs that the user allows on this host; 0: not given
};

// Reads the operand of --hosts, such as "a:16,b:16,c". A host that is named twice gets the sum of its slots. Ends oshrun
// with an error message if the operand is wrong.
std::vector<Host> parse_hosts(const std::string &text);

// Reads a host file. Each line has a host in the form of --hosts, or "NAME slots=N". The character # begins a comment.
std::vector<Host> read_host_file(const std::string &path);

// Returns the nodes of the Slurm allocation in which oshrun was called. A node has as many slots as tasks, or as
// processors if the user has not asked for a number of tasks. Returns an empty list if oshrun was called outside an
// allocation, by a process that srun has started, or by a PE. Ends oshrun with an error message if Slurm does not name
// the nodes.
std::vector<Host> find_allocation();

// Returns true if the name is this machine's own.
bool is_this_machine(const std::string &name);

// Spreads `pes` PEs over the hosts: each host gets consecutive ranks, in the order of the hosts. Fills the slots of one
// host after the other. If no host has slots, spreads the PEs evenly. Without `pes`, each host gets one PE for each
// slot or, if it has no slots, one PE for each processor. A host that gets no PE has count 0. Ends oshrun with an error
// message if there are too few slots.
std::vector<NodeRange> distribute(const std::vector<Host> &hosts, const std::vector<int> &processors,
                                  std::optional<int> pes);

} // namespace skerry
