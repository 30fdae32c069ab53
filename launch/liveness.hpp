// SPDX-License-Identifier: BSD-3-Clause
// Decides if the other side of a connection is dead. Each side sends a sign of life every second (alive_interval). A
// process that is silent for longer is dead, cut off from the network, or gets no processor time. If it is dead or cut
// off, the kernel of its machine does not answer either. So while the kernel answers (peer_kernel.hpp), the process may
// be silent for up to starved_limit. If only the process dies, its kernel closes the connection, so no limit is needed
// for this case.
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

    // Sets the object that asks the kernel of the other side's machine for a sign of life. Without such an object, a
    // side that is silent for silence_limit counts as dead.
    void set_kernel(std::unique_ptr<PeerKernel> kernel) {
        kernel_ = std::move(kernel);
    }

    // Records that the caller has polled the connection. Called before the caller reads the data that have arrived.
    void polled(double now) {
        silence_.polled(now);
    }

    // Ends the measured silence, because data have arrived or because the user had stopped the job for a while
    // (Ctrl-Z).
    void end_silence() {
        silence_.end();
        answered_at_ = 0;
    }

    // Returns true if the other side is dead. Called after each poll of the connection, when the data that have arrived
    // were read. Counts only time in which this process has polled the connection. So if this process itself gets no
    // processor time, the other side does not count as dead.
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
