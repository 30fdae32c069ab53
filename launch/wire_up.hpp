// SPDX-License-Identifier: BSD-3-Clause
// Creates the memory file that describes the nodes of a job: which PEs are on which node, and the network addresses of
// the nodes' ports (src/machine/linux/network.h). A port is a PE that receives messages for all PEs of its node.
#pragma once

#include "../src/machine/linux/network.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skerry {

// The PEs of a node: `count` PEs from rank `first` on.
struct NodeRange {
    int first, count;
};

// A memory file with the nodes of a job, mapped into this process. PEs can write to the file, so nothing in it is
// trusted.
class WireUp {
  public:
    // Ends oshrun with an error message if the file cannot be created.
    explicit WireUp(const std::vector<NodeRange> &nodes);
    ~WireUp();
    WireUp(const WireUp &) = delete;
    WireUp &operator=(const WireUp &) = delete;

    int descriptor() const {
        return descriptor_;
    }

    // Returns true if all ports of node `node` have published their addresses. Must not be called after
    // add_addresses(), because one counter counts the published addresses of all nodes.
    bool has_published(int node) const;

    // Returns the addresses of a node's ports, with an empty text for a port that has published no address.
    std::vector<std::string> addresses(int node) const;

    // Publishes the network addresses of the ports of another node to the PEs of this node.
    void add_addresses(int node, const std::vector<std::string> &addresses);

    // Returns the node that the PEs of this node have begun to use as number `place`, or nothing if there is none yet.
    std::optional<int> used_node(size_t place) const;

    // Returns true if PEs of this node have begun to use node `node`.
    bool is_used(int node) const;

    // Returns true if a PE of this node has received a reply from node `node`.
    bool is_heard(int node) const;

    // Returns how many messages and bytes this node has sent to node `node`, and how many bytes it has got from there.
    struct Traffic {
        uint64_t messages, bytes, got;
    };
    Traffic traffic_to(int node) const;

  private:
    skerry_node &node_at(int node) const;

    int descriptor_ = -1;
    size_t bytes_;
    uint32_t count_;
    skerry_wire_up *memory_ = nullptr;
};

} // namespace skerry
