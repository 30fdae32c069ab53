// SPDX-License-Identifier: BSD-3-Clause
// Defines the parameters of a packet network that a machine description can set. Hascoet et al. (2017) give the width of a
// link, the size of packets and the torus of 16 clusters. The times, the sizes of the buffers and the places of the I/O nodes
// are our inputs (docs/design/mppa-machine.md).
#pragma once
#include <string>

namespace skerry::sim::dnoc {

struct NetworkConfiguration {
    unsigned rows = 0; // of the torus of clusters; 0: the machine has no such network
    unsigned columns = 0;
    unsigned io_nodes = 0; // 0 to 2. The first has links to the clusters of row 0, the second to those of the last row
    unsigned io_units = 1; // DMA units of each I/O node, each with a link to the cluster in the column of its number
    unsigned hop_cycles = 3; // from the cycle in which a header crosses a link until it can cross the next one
    // Each input of a router has two buffers, each for flits of one packet. A packet crosses a router without gaps if a
    // buffer has at least hop_cycles + 1 flits.
    unsigned buffer_flits = 8;
    unsigned send_packets = 2;    // packets that a node can have offered and not completely sent
    unsigned receive_packets = 2; // packets that arrive at a node, or wait there until the DMA unit takes them

    unsigned clusters() const {
        return rows * columns;
    }
    unsigned nodes() const {
        return clusters() + io_nodes * io_units;
    }
};

constexpr unsigned most_nodes = 1024;
constexpr unsigned most_io_nodes = 2;

// Returns the rule that a configuration breaks, or an empty text.
std::string problem_of(const NetworkConfiguration &configuration);

} // namespace skerry::sim::dnoc
