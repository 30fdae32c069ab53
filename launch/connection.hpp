// SPDX-License-Identifier: BSD-3-Clause
// Connections between oshrun and skerry-node by TCP, for launchers such as srun and mpirun, which give a process no pipe
// to oshrun. (By ssh a node needs no such connection.) oshrun listens at a port that the system chooses, only until all
// nodes have connected. Both sides prove that they know the job's key, which reaches the nodes in the environment: each
// sends a random number, and the other answers with a keyed hash of both numbers (SipHash-2-4, Aumasson and Bernstein
// 2012). So nobody without the key can join or imitate the job. What follows is not encrypted.
#pragma once

#include "channel.hpp"

#include <array>
#include <list>
#include <memory>
#include <string>

namespace skerry {

// Name of the environment variable that tells a node how to reach oshrun.
constexpr const char *launcher_variable = "SKERRY_NODE_LAUNCHER";

struct ConnectionKey {
    uint64_t low, high;
};

class Listener {
  public:
    // Ends oshrun with an error message if there is no port.
    Listener();
    ~Listener();
    Listener(const Listener &) = delete;
    Listener &operator=(const Listener &) = delete;

    // Returns the value of launcher_variable: the key, the addresses of this machine and the port.
    std::string description() const;

    // Adds the descriptors of which events are expected.
    void add_descriptors(std::vector<int> &descriptors) const;

    // Accepts connections, and goes on with those that have not proved the key yet. Returns one that has; null if there
    // is none.
    std::unique_ptr<Channel> accept();

  private:
    struct Candidate {
        int descriptor;
        double deadline;
        uint64_t own_number;
        std::string arrived;
    };
    enum class Proof { complete, incomplete, wrong };
    Proof check(Candidate &candidate);

    ConnectionKey key_;
    int descriptor_ = -1;
    int port_ = 0;
    std::list<Candidate> candidates_;
};

// Connects skerry-node to the oshrun that launcher_variable describes, and removes the variable from the environment.
// Ends the process with an error message if that fails.
std::unique_ptr<Channel> connect_to_launcher();

// Begins to connect to a numeric address, and does not wait. Returns a descriptor that can be written to as soon as the
// connection is made or has failed; -1, with errno, if it fails at once.
int begin_connection(const std::string &address, const std::string &port);

// Returns the error of a connection that was begun, and 0 if it is made.
int error_of_connection(int descriptor);

} // namespace skerry
