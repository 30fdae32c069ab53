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

// Reads the operand of --hosts, such as "a:16,b:16,c". The number after a name is the number of slots: the PEs that the
// host can run. A host that is named twice gets the sum of its slots. Ends oshrun with an error message if the operand
// is wrong.
std::vector<Host> parse_hosts(const std::string &text);

// Reads a host file. Each line has a host in the form of --hosts, or "NAME slots=N". The character # begins a comment.
std::vector<Host> read_host_file(const std::string &path);

// Returns the nodes of the Slurm allocation (the machines that Slurm has given to the user) in which oshrun was called.
// A node has as many slots as tasks. If the user has not asked for a number of tasks, a node has as many slots as
// processors. Returns an empty list if oshrun was called outside an allocation, by a process that srun has started, or
// by a PE. Ends oshrun with an error message if Slurm does not name the nodes.
std::vector<Host> find_allocation();

// Returns true if the name is a name of the machine on which oshrun runs.
bool is_this_machine(const std::string &name);

// Ends oshrun with an error message: the user wants `pes` PEs, and the hosts have fewer slots. `in_allocation`: the hosts
// are those of a Slurm allocation, and the user has named none.
[[noreturn]] void refuse_pes(int pes, int slots, bool in_allocation);

// The ranks of each host's PEs. If they cannot be spread over the hosts, `refusal` is the error message, and `ranges` is empty.
struct Distribution {
    std::vector<NodeRange> ranges;
    std::string refusal;
};

// Spreads `pes` PEs over the hosts. Each host gets consecutive ranks, in the order of the hosts.
// * If hosts have slots (PEs that a host can run), fills the slots of one host after the other.
// * If no host has slots, spreads the PEs evenly.
// * If `pes` is empty, each host gets one PE for each slot. A host without slots gets one PE for each processor.
//
// A host that gets no PE has count 0. Refuses more PEs than there are slots, and more than a job can have.
Distribution distribute(const std::vector<Host> &hosts, const std::vector<int> &processors, std::optional<int> pes,
                        bool in_allocation);

} // namespace skerry
