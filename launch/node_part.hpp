// SPDX-License-Identifier: BSD-3-Clause
// Describes the part of a job of several nodes that this oshrun runs. skerry-node (node.cpp) passes the description in
// the environment variable SKERRY_NODE. A socket connects skerry-node to this oshrun. Through the socket skerry-node
// sends commands to the supervisor, the parent of the PEs, and the supervisor sends reports. Both are lines of text:
//
//     command               what the supervisor does
//     stop                  kills the PEs, and prints no error message
//     end SIGNAL SECONDS    sends the signal to the PEs, kills PEs that still run SECONDS later, prints no message
//     signal SIGNAL         sends the signal to the PEs
//     pause, resume         stops the PEs (SIGSTOP), and continues them (SIGCONT)
//     watch                 from now on reports `stands` when no PE of this node does anything (standstill.hpp)
//     confirm ROUND         reports `confirmed` if no PE has done anything since the last report `stands`
//
//     report                what has happened
//     refused CODE TEXT     oshrun ends with this exit code and error message before any PE runs
//     program HASH          the program was found; HASH identifies the content of its file
//     ended PE              the process of a PE has ended
//     uninitialized CODE TEXT  a PE has ended before shmem_init; CODE and TEXT are the exit code of the job and the error
//                           message if PEs of other nodes wait in shmem_init
//     left                  a PE has called shmem_finalize for the last time
//     stands SENT EXECUTED WAITING ENDED  no PE of this node does anything (see below)
//     moves                 a PE does something again after `stands`
//     confirmed ROUND       no PE has done anything since the last report `stands`
//     failed CODE           the part of the job ends with this exit code
//     line TEXT             error message for this failure
//     usage FIGURES         for --stats: the resources that a PE has used (write_usage in stats.hpp)
//
// SENT and EXECUTED are the numbers of network messages that this node has sent and executed. WAITING has the ranks of
// the PEs that wait, or is "-". ENDED has words for an ended PE, or is empty.
#pragma once

#include "program.hpp"

#include <optional>
#include <string>

namespace skerry {

// Several nodes of a job can be on one machine, for example containers. Numbers of PEs of other nodes that use the same
// processors as this node.
struct SharedProcessors {
    int others = 0; // PEs of all other such nodes
    int before = 0; // PEs of those nodes whose ranks come before the ranks of this node
};

struct NodePart {
    int first = 0, count = 0; // ranks of the node's PEs
    int wire_up = -1;         // descriptor of the file with the nodes (wire_up.hpp); -1 if the job has one node
    int control = -1;         // descriptor of the socket
    int columns = 0;          // columns of the terminal of the oshrun that the user started; 0: no terminal
    SharedProcessors shared;
    std::string name; // name of the node
};

// Reads the environment variable SKERRY_NODE and removes it from the environment. Returns an empty value if the
// variable is not set. Ends oshrun with an error message if the variable has a wrong form.
std::optional<NodePart> find_node_part();

// Returns a text that identifies the content of a file.
std::string hash_of_file(const std::string &path);

} // namespace skerry
