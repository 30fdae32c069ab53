// SPDX-License-Identifier: BSD-3-Clause
// Asks the kernel of another machine for a sign of life. A kernel acknowledges TCP segments and answers requests for
// connections also if no process of its machine gets processor time. It does not if the machine is dead or the link is cut.
#pragma once

#include <memory>
#include <string>

namespace skerry {

class PeerKernel {
  public:
    virtual ~PeerKernel() = default;

    // Returns true if the kernel gave a sign of life at about the time of this call. The caller calls it about once a
    // second. `seconds` is the caller's clock, which may begin again at any time. Never blocks.
    virtual bool answers(double seconds) = 0;
};

// Looks whether what was sent by this TCP connection is acknowledged. Something must be sent every second.
std::unique_ptr<PeerKernel> kernel_behind(int connection);

// Requests a connection to a port of a numeric address, and takes a refusal as an answer too. A firewall can hide the
// answer, so a kernel that does not answer this question need not be dead.
std::unique_ptr<PeerKernel> kernel_at(const std::string &address, const std::string &port);

// For processes of this machine.
std::unique_ptr<PeerKernel> own_kernel();

} // namespace skerry
