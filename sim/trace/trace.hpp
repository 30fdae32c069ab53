// SPDX-License-Identifier: BSD-3-Clause
// Records the events of a run for trace viewers: the function calls of each core, DMA transfers, and "messages". A
// message is a group of writes to another core or to external memory. The viewer shows a message at the sender and at
// the receiver. For an MPPA: the transfers between nodes and the words of the control network, at both ends.
//
// The memory for the events has a fixed size. When it is full, the shortest calls and transfers are removed, and
// messages that are close in time are joined. Therefore the trace always covers the whole run.
#pragma once
#include <cstdint>
#include <string>
#include <array>
#include <vector>

#include "chip/chip.hpp"
#include "trace/message_log.hpp"
#include "trace/node_traffic.hpp"
#include "trace/profile.hpp"

namespace skerry::sim {

class Trace final : public Observer {
  public:
    // Makes `profile` report to this trace each call of a function, at the end of the call. `traffic` has the packets of
    // an MPPA's nodes.
    Trace(Chip &chip, Profile &profile, const NodeTraffic &traffic);

    bool before(std::uint32_t, Core &, std::uint64_t) override {
        return true;
    }
    void sent(std::uint64_t cycle, std::uint32_t to, const Transaction &transaction) override;
    void landed(std::uint64_t cycle, std::uint32_t to, const Transaction &write) override;

    void dma(std::uint64_t cycle, std::uint32_t index) override;

    // Returns the trace as JSON in the Trace Event Format. One cycle is one nanosecond of the trace. Must be called
    // after Profile::finish.
    std::string text() const;

  private:
    struct Slice {
        std::uint64_t begin;
        std::uint64_t end;
        std::uint32_t function;
    };
    struct Transfer {
        std::uint64_t begin;
        std::uint64_t end;
        std::uint32_t core;
        std::uint32_t channel;
        std::uint64_t bytes;
    };
    struct Channel {
        bool active = false;
        std::uint64_t since = 0;
        std::uint64_t bytes = 0; // bytes that the channel had moved before `since`
    };
    class Writer;
    void returned(std::uint32_t core, const CallStack::Frame &frame, std::uint64_t cycle);

    Chip &chip_;
    const Profile &profile_;
    const NodeTraffic &traffic_;
    std::vector<std::vector<Slice>> slices_; // by core
    std::size_t most_slices_;                // largest number of slices of each core
    std::vector<std::uint64_t> shortest_;    // by core: smallest length in cycles of a slice that is kept
    std::vector<std::array<Channel, dma_channels>> channels_; // by core
    std::vector<Transfer> transfers_;
    std::uint64_t shortest_transfer_ = 1;
    MessageLog messages_; // of writes between cores; the number of a sender is the tag of its transactions
};

} // namespace skerry::sim
