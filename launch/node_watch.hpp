// SPDX-License-Identifier: BSD-3-Clause
// Watches the network paths from this node to other nodes. oshrun watches its own connection to each node
// (liveness.hpp). But a path between two nodes can be cut while oshrun reaches both. PEs that wait for data on this path
// would wait for many minutes, because TCP sends lost data again for so long.
//
// Which paths are watched: those to each node to which a PE of this node sends messages. A PE enters the node into the
// table of nodes before it connects to the node (skerry_use_node in src/machine/linux/network.h). Why these are all paths
// that matter:
// * A PE can only wait for ever if a message does not arrive that another PE has sent, or that it has sent itself.
// * The node of the sender of a message has the other node in its table, and the answers travel on the same path.
// * If one direction of a path is cut, no acknowledgement of TCP arrives in the other direction. So it is enough that one
//   of the two nodes watches the path.
//
// How a path is watched: skerry-node on each node listens at a port. The skerry-node of the sender's node connects to it,
// by all networks that the two nodes share, and proves that it knows the job's key. No data follows. The kernel sends a
// probe every 2 seconds (TCP keepalive), and the kernel of the other node answers. So the watch needs no work of a
// process, and a process that is stopped or gets no processor time is not taken for dead. If no answer comes for
// `probe_limit`, skerry-node tries to connect once more for the rest of silence_limit. So a path does not count as cut if
// this machine itself has slept.
//
// The cost: a descriptor on both nodes, and a packet each second, for each pair of nodes that exchange data. UCX itself
// needs a connection for each PE and node.
#pragma once

#include "connection.hpp"
#include "silence.hpp"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace skerry {

class NodeWatch {
  public:
    // Listens at a free port. Ends the process with an error message if that is not possible.
    explicit NodeWatch(const ConnectionKey &key);
    ~NodeWatch();
    NodeWatch(const NodeWatch &) = delete;
    NodeWatch &operator=(const NodeWatch &) = delete;

    // Returns the port and the addresses of this node, as a text for the other nodes.
    std::string endpoint() const;

    // Begins to watch the path to node `node`. `endpoint` is the text of that node.
    void watch(int node, const std::string &endpoint, double now);

    // Appends the file descriptors that the caller must poll before it calls step().
    void add_descriptors(std::vector<int> &descriptors) const;

    // Returns in how many seconds the caller must call step() at the latest.
    double longest_wait() const;

    struct Cut {
        int node;
        bool was_reached; // true: this node has reached the other node before
    };

    // Handles events. Returns a node that does not answer any more, if there is a new one. `is_heard` returns true for the
    // number of a node from which a PE of this node has received messages. Such a node does not count as cut off if this
    // node has never reached its port: a firewall can drop the connection, but let the messages pass.
    std::optional<Cut> step(double now, const std::function<bool(int node)> &is_heard);

  private:
    enum class State {
        connecting,
        greeted, // connected: waits for the random number that the other side sends first
        held,    // connected, and the proof was sent
    };

    // The way to one address of a node.
    struct Path {
        int node;
        std::string address, port;
        State state = State::connecting;
        int descriptor = -1;      // -1: the next try begins at `try_at`
        double try_at = 0;        // time of the next try to connect
        Silence silence;          // while the path is in open_
        double silent_before = 0; // seconds of silence before the path came into open_
        bool was_reached = false; // the other node's kernel has accepted a connection
        std::string greeting{};   // bytes of the other side's random number that have arrived
    };

    void handle_events(double now);
    void handle_event(size_t index, double now);
    void begin(Path &path, size_t index, double now);
    void retry(size_t index, double now, double silent_before);
    void hold(Path &path, size_t index);
    void receive(Path &path, size_t index, double now);
    void close_connection(Path &path);
    void give_up(size_t position);
    void admit_nodes();
    void close_guest(int descriptor);

    ConnectionKey key_;
    Listener listener_;
    int events_ = -1; // epoll: the connections of paths_, and those of other nodes to this node
    std::vector<Path> paths_;
    std::vector<size_t> open_; // indexes of the paths that are not connected, and not given up
    std::set<int> reached_;    // nodes that this node has reached by any path
    const std::vector<std::string> own_addresses_ = machine_addresses();
};

} // namespace skerry
