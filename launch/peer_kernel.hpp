// SPDX-License-Identifier: BSD-3-Clause
// Asks the kernel of another machine for a sign of life. A kernel acknowledges TCP segments and answers requests for
// connections even if no process of its machine gets processor time. No answer comes if the machine is dead or if the
// network between the machines is broken.
#pragma once

#include <memory>
#include <string>

namespace skerry {

class PeerKernel {
  public:
    virtual ~PeerKernel() = default;

    // Returns true if the kernel has given a sign of life within about the last second. The caller calls this function
    // about once a second. `seconds` is a time of the caller, who is allowed to set it back to 0. Never blocks.
    virtual bool answers(double seconds) = 0;
};

// Returns an object that checks if the other kernel acknowledges the data sent by this TCP connection. The caller must
// send something every second.
std::unique_ptr<PeerKernel> kernel_behind(int connection);

// Returns an object that requests a connection to a port of a numeric address. A refusal counts as an answer too. A
// firewall can drop the request. Therefore a missing answer does not prove that the kernel is dead.
std::unique_ptr<PeerKernel> kernel_at(const std::string &address, const std::string &port);

// Returns an object that always answers, for a connection to a process of this machine.
std::unique_ptr<PeerKernel> own_kernel();

} // namespace skerry
