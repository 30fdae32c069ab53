// SPDX-License-Identifier: BSD-3-Clause
// Gets the part of the job that this node has to run from the oshrun that the user has started (the first oshrun).
#pragma once

#include "channel.hpp"
#include "node_part.hpp"
#include "wire_up.hpp"

#include <string>
#include <vector>

namespace skerry {

// A numeric address and a port. Both are empty if they are not known.
struct Address {
    std::string name, port;
};

struct Frame {
    FrameKind kind;
    std::string text;
};

// The part of the job that this node has to run. oshrun has sent it.
struct Start {
    int node = 0;
    std::string name; // of this node, as oshrun knows it
    SharedProcessors shared;
    std::vector<NodeRange> nodes;
    std::string folder;
    std::vector<std::string> environment, arguments;
    int columns = 0;           // of oshrun's terminal; 0: no terminal
    std::vector<Frame> next{}; // frames that have arrived after the frame `start`, before it was handled
};

// Sends this node's name to oshrun, and waits for the answer: the part of the job that this node has to run. `by_daemon`:
// a daemon of mpirun or srun has started this process.
Start receive_start(Channel &channel, const Address &own, bool by_daemon);

// Replaces the environment of this process by `given`, the environment of the oshrun that the user started. Keeps the
// variables that describe this node or this login.
void take_environment(const std::vector<std::string> &given);

// Ends the daemon of mpirun or prterun that has started this process: orted or prted. Called if the node is cut off from
// oshrun. The mpirun on the other side of the cut can no longer end its daemon, which would wait for ever. oshrun has
// started mpirun for this job alone, so the daemon serves no other job.
void end_daemon();

} // namespace skerry
