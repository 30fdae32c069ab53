// SPDX-License-Identifier: BSD-3-Clause
// Watches the hosts of a job from the start of oshrun until skerry-node has connected (then liveness.hpp decides). In
// this time a program such as ssh or srun starts skerry-node, and can wait for minutes if the link to the host is cut.
//
// oshrun asks the kernel of each host for a connection, which the kernel accepts or refuses. A kernel answers even if no
// process of its machine gets processor time, so a host that is only slow does not count as dead. A host counts as dead
// if its kernel has answered before and does not answer any more. A host whose kernel has never answered is not watched:
// a firewall can drop the requests, or only ssh knows the name. Then the limits of ssh, and start_limit, end the job.
#pragma once

#include "peer_kernel.hpp"
#include "silence.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace skerry {

// Finds the addresses of hosts. A thread does the work, because a name server can take seconds to answer.
class AddressLookup {
  public:
    explicit AddressLookup(const std::vector<std::string> &names);

    // Returns the numeric address of the name with this index, or an empty text if it is not known or not known yet.
    std::string address_of(size_t index) const;

  private:
    // The thread can work longer than oshrun needs the answers, so it owns the table too.
    struct Table {
        std::vector<std::string> names, addresses;
        std::atomic<size_t> known{0}; // number of addresses that the thread has finished; other elements are its own
    };
    std::shared_ptr<Table> table_;
};

class HostWatch {
  public:
    explicit HostWatch(double now);

    // Records that the caller's loop runs, and asks the kernel of the host if it is time to. `address` is the numeric
    // address of the host; if it is empty, does not ask. Must be called at least once a second.
    void polled(double now, const std::string &address);

    // Returns true if the host's kernel has answered before, but not for silence_limit seconds. Counts only time in
    // which the caller has called polled().
    bool is_dead() const;

  private:
    std::unique_ptr<PeerKernel> kernel_;
    double started_;
    bool has_answered_ = false;
    bool asks_first_port_ = true;
    double asked_ = 0; // seconds since the start when the current kernel_ was made
    Silence silence_;
};

} // namespace skerry
