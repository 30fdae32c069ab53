// SPDX-License-Identifier: BSD-3-Clause
// Finds the processors that this job is allowed to use, and assigns them to the PEs.
#pragma once

#include <string>
#include <vector>

namespace skerry {

enum class Bind { none, core, socket };

// A set of processors, in the form of the bit mask of sched_setaffinity.
using ProcessorSet = std::vector<unsigned long>;

struct Processors {
    std::vector<int> allowed; // numbers of the processors that this process is allowed to run on, ascending
    int usable = 1;           // number of processors that can be busy at once, after the CPU limits of control groups
};

Processors available_processors();

// Returns a text that identifies the processors on which this process is allowed to run: two nodes of a job have the
// same text if they use the same processors of the same machine. Containers on one machine are such nodes. Returns an
// empty text if the kernel does not identify the machine.
std::string identify_processors();

// Returns one set of processors per PE.
// * Bind::none: an empty vector.
// * Bind::core: each PE gets one processor. The first PEs get one hardware thread of each core, the next PEs get the
//   other hardware threads. Further PEs share these processors in the same order.
// * Bind::socket: each PE gets all processors of a socket. PEs of neighbouring ranks get the same socket.
std::vector<ProcessorSet> place(Bind bind, int pes, const Processors &processors);

} // namespace skerry
