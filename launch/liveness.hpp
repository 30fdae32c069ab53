// SPDX-License-Identifier: BSD-3-Clause
// Decides if the process on the other side of a connection is dead. Each side sends a sign of life every second
// (alive_interval). How the possible causes of a longer silence are told apart:
// * The process is dead: its kernel closes the connection. No limit is needed.
// * The machine is dead or cut off from the network: its kernel does not answer (peer_kernel.hpp). The process counts
//   as dead after silence_limit.
// * The process gets no processor time: its kernel answers. The process is allowed to be silent for starved_limit.
#pragma once

#include "limits.hpp"
#include "peer_kernel.hpp"
#include "silence.hpp"

#include <memory>
#include <utility>

namespace skerry {

class Liveness {
  public:
    explicit Liveness(double now) : silence_(now, 1.5 * alive_interval) {
    }

    // Sets the object that asks the kernel of the other side's machine for a sign of life. Without such an object, the
    // other side counts as dead after silence_limit.
    void set_kernel(std::unique_ptr<PeerKernel> kernel) {
        kernel_ = std::move(kernel);
    }

    // Records that the caller has polled the connection. Must be called before the caller reads the data that have
    // arrived.
    void polled(double now) {
        silence_.polled(now);
    }

    // Ends the measured silence. Called when data have arrived, and when the user continues a job that was stopped
    // (Ctrl-Z).
    void end_silence() {
        silence_.end();
        answered_at_ = 0;
    }

    // Returns true if the other side is dead. Must be called after each poll of the connection, when the data that have
    // arrived were read. Counts only time in which this process has polled the connection: if this process itself gets
    // no processor time, the other side does not count as dead.
    bool is_dead() {
        const double silent = silence_.seconds();
        if (silent < doubt_limit) return false;
        if (kernel_ && kernel_->answers(silent)) answered_at_ = silent;
        if (silent < silence_limit) return false;
        return silent >= starved_limit || silent - answered_at_ >= silence_limit - doubt_limit;
    }

    double silent_seconds() const {
        return silence_.seconds();
    }

  private:
    Silence silence_;
    std::unique_ptr<PeerKernel> kernel_;
    double answered_at_ = 0; // length of the silence when the kernel answered last
};

} // namespace skerry
