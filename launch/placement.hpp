// SPDX-License-Identifier: BSD-3-Clause
// Which processors this job may use, and which of them each PE gets.
#pragma once

#include <vector>

namespace skerry {

enum class Bind { none, core, socket };

// A set of processors as sched_setaffinity takes it.
using ProcessorSet = std::vector<unsigned long>;

struct Processors {
    std::vector<int> allowed; // numbers that this process may run on, ascending
    int usable = 1;           // how many can be busy at once: fewer than allowed where a control group limits the time
};

Processors available_processors();

// One set per PE, empty for Bind::none. PEs fill cores before hardware threads and begin again when all are taken;
// sockets get PEs of neighbouring ranks.
std::vector<ProcessorSet> place(Bind bind, int pes, const Processors &processors);

} // namespace skerry
