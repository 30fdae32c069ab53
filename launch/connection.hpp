// SPDX-License-Identifier: BSD-3-Clause
// Declares TCP connections between oshrun and skerry-node. These connections are needed if srun or mpirun starts
// skerry-node, because these launchers give a process no pipe to oshrun. (With ssh, skerry-node uses the pipes of ssh.)
// oshrun listens at a port that the system chooses.
//
// How both sides keep out a process that does not belong to the job:
// * The job has a secret key. The nodes get the key in their environment.
// * Each side receives a random number from the other side.
// * Each side answers with a keyed hash of both sides' numbers (SipHash-2-4, Aumasson and Bernstein 2012).
// * Nobody without the key can compute this hash. The data that follow are not encrypted.
#pragma once

#include "channel.hpp"

#include <array>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skerry {

// Name of the environment variable that tells skerry-node how to connect to oshrun.
constexpr const char *launcher_variable = "SKERRY_NODE_LAUNCHER";

struct ConnectionKey {
    uint64_t low, high;
};

// Returns a new random key.
ConnectionKey make_key();

class Listener {
  public:
    // Listens at a free port. Ends the process with an error message if no port is free.
    explicit Listener(const ConnectionKey &key);
    ~Listener();
    Listener(const Listener &) = delete;
    Listener &operator=(const Listener &) = delete;

    // Returns the value of launcher_variable: the key, the addresses of this machine and the port.
    std::string description() const;

    // Appends the file descriptors that the caller must poll before it calls accept.
    void add_descriptors(std::vector<int> &descriptors) const;

    // Accepts connections, and continues the exchange of proofs on connections that have not finished it. A proof is a
    // hash that shows that a side knows the key. Returns a connection whose other side has proved that it knows the
    // key, or null if there is no such connection.
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

// Returns the numeric addresses at which other machines can reach this machine, without those of the loopback interface.
// The addresses of IP version 4 come first.
std::vector<std::string> machine_addresses();

// Connects skerry-node to the oshrun whose address and key are in the environment variable `launcher_variable`. Removes
// the variable from the environment. Ends the process with an error message if the connection fails.
std::unique_ptr<Channel> connect_to_launcher();

// Begins to connect to a numeric address, and does not wait. Returns a descriptor that becomes writable when the
// connection is made or has failed. Returns -1, with errno, if the connection fails at once.
int begin_connection(const std::string &address, const std::string &port);

// Returns the errno of a connection that begin_connection began, or 0 if the connection was made.
int error_of_connection(int descriptor);

} // namespace skerry
