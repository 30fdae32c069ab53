// SPDX-License-Identifier: BSD-3-Clause
// Decides whether the other side of a connection is dead. Each side sends a sign of life every second (alive_interval). A
// process that is silent for longer is dead, cut off, or starved of processor time. The kernel of its machine tells the
// first two from the last (peer_kernel.hpp): while it answers, the process may be silent for up to starved_limit. The end
// of a single process closes its connection, so it needs no limit.
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

    // Says how to ask the other side's kernel. Without this, a side that is silent for silence_limit counts as dead.
    void set_kernel(std::unique_ptr<PeerKernel> kernel) {
        kernel_ = std::move(kernel);
    }

    // The connection was polled. Called before what has arrived is read.
    void polled(double now) {
        silence_.polled(now);
    }

    // Something has arrived, or silence is to be expected.
    void end_silence() {
        silence_.end();
        answered_at_ = 0;
    }

    // Called after each poll of the connection, and after what has arrived was read. All times are those in which this
    // process has polled the connection, so an own lack of processor time harms nobody.
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
