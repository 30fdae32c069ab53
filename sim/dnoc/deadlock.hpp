// SPDX-License-Identifier: BSD-3-Clause
// Describes packets that wait for each other for ever: a list of what each one holds and wants, and a drawing of the torus.
#pragma once
#include <string>

#include "dnoc/packet_network.hpp"

namespace skerry::sim::dnoc {

// Returns the packets of one circle of `network`, as lines of text, or an empty text if there is none. `name` is the
// network's name for the first line. Other packets may still move.
std::string describe_deadlock(const PacketNetwork &network, const std::string &name);

} // namespace skerry::sim::dnoc
