// SPDX-License-Identifier: BSD-3-Clause
// Defines the parameters of copy units that a machine description can set. A copy unit is the part of a core's network
// interface that copies memory while the core computes. Tendulkar et al. (2011) have such copies (RDMA), but give none of
// these numbers.
#pragma once

namespace skerry::sim {

struct CopyConfiguration {
    // Number of copies that a unit has begun and that are not complete; 0: the machine has no copy units.
    unsigned copies = 0;
    // Number of requests of a unit for words of other memories that are not answered yet. To read a word in each cycle, a
    // unit needs as many requests as the way there and back has cycles.
    unsigned reads = 64;
    // Cycles from the arrival of a line in another memory until its acknowledgement has arrived at the unit.
    unsigned acknowledge = 30;
};

namespace copies {

constexpr unsigned most_copies = 64; // the largest value of CopyConfiguration::copies
constexpr unsigned line_bytes = 32;  // a copy is acknowledged by lines of the destination

} // namespace copies

} // namespace skerry::sim
