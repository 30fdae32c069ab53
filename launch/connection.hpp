// SPDX-License-Identifier: BSD-3-Clause
// Declares TCP connections between oshrun and skerry-node. They are needed if a launcher such as srun or mpirun starts
// skerry-node, because these launchers give a process no pipe to oshrun. (With ssh, skerry-node uses the pipes of ssh.)
// oshrun listens at a port that the system chooses, only until all nodes have connected. The job's key reaches the
// nodes in their environment. Each side proves that it knows the key: it receives a random number from the other side,
// and answers with a keyed hash of both sides' numbers (SipHash-2-4, Aumasson and Bernstein 2012). So nobody without
// the key can join or imitate the job. The data that follow are not encrypted.
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
    // Listens at a free port. Ends oshrun with an error message if there is none.
    Listener();
    ~Listener();
    Listener(const Listener &) = delete;
    Listener &operator=(const Listener &) = delete;

    // Returns the value of launcher_variable: the key, the addresses of this machine and the port.
    std::string description() const;

    // Appends the descriptors for which the caller must poll before it calls accept.
    void add_descriptors(std::vector<int> &descriptors) const;

    // Accepts connections, and continues the exchange of proofs on connections that have not finished it. Returns a
    // connection whose other side has proved that it knows the key, or null if there is none.
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

// Begins to connect to a numeric address, and does not wait. Returns a descriptor that becomes writable when the
// connection is made or has failed. Returns -1, with errno, if the connection fails at once.
int begin_connection(const std::string &address, const std::string &port);

// Returns the errno of a connection that begin_connection began, or 0 if the connection is made.
int error_of_connection(int descriptor);

} // namespace skerry
