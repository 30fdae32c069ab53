// SPDX-License-Identifier: BSD-3-Clause
// Defines the parameters of a node's DMA unit that a machine description can set. Hascoet et al. (2017) give only a sum:
// 100 cycles of hardware for the data network and the micro-core's accesses to memory. How these cycles divide into the
// following ones is our input.
#pragma once
#include <cstdint>

namespace skerry::sim {

struct MppaDmaConfiguration {
    // Cycles from the store that starts a micro-core to its first instruction.
    unsigned start = 50;
    // Cycles from the read of a micro-core in a bank until the bytes are in its packet. Reads follow each other in each
    // cycle.
    unsigned read = 17;
    // Cycles from a complete packet until its first flit can enter the network, of a micro-core's or a core's packet.
    unsigned send = 10;
    // Cycles from the last flit of a packet until its first bytes are written.
    unsigned receive = 10;
    // Jobs of a micro-core that were started and have not ended. A core that starts one more waits.
    unsigned jobs = 8;
    // Cycles that a core waits for the value of a register.
    unsigned load = 8;
};

namespace mppa {

constexpr unsigned most_jobs = 64;           // the largest value of MppaDmaConfiguration::jobs
constexpr unsigned most_cores = 32;          // of a cluster: a tag notifies cores by the bits of a word
constexpr std::uint32_t most_idle = 1 << 16; // instructions of a program one after the other that move no byte

} // namespace mppa

} // namespace skerry::sim
