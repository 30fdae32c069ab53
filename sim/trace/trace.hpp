// SPDX-License-Identifier: BSD-3-Clause
// Records the events of a run for trace viewers: the function calls of each core, DMA transfers, and "messages". A
// message is a group of writes to another core or to external memory. The viewer shows a message at the sender and at
// the receiver.
//
// The memory for the events has a fixed size. When it is full, the shortest calls and transfers are removed, and
// messages that are close in time are joined. Therefore the trace always covers the whole run.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "chip/chip.hpp"
#include "trace/profile.hpp"

namespace skerry::sim {

class Trace final : public Observer {
  public:
    // Makes `profile` report to this trace each call of a function, at the end of the call.
    Trace(Chip &chip, Profile &profile);

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
    struct Message { // writes from one sender to one place, each at most closeness_ cycles after the one before it
        std::uint64_t begin;
        std::uint64_t end;
        std::uint32_t from;
        std::uint32_t to;
        std::uint16_t tag; // the tag of the message's transactions: of the core, or of its DMA
        std::uint32_t writes = 0;
        std::uint32_t landed = 0;
        std::uint64_t bytes = 0;
        std::uint64_t landed_begin = 0;
        std::uint64_t landed_end = 0;
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
    static std::uint64_t key(std::uint32_t from, std::uint16_t tag, std::uint32_t to) {
        return std::uint64_t{from} << 48 | std::uint64_t{tag} << 32 | to;
    }
    void returned(std::uint32_t core, const CallStack::Frame &frame, std::uint64_t cycle);
    void merge_messages();
    // Returns the number of the row in which the viewer shows each message. The row is the receiver's if `landing`, and
    // the sender's if not. Messages that overlap in time are in different rows.
    std::vector<std::uint32_t> rows(bool landing) const;

    Chip &chip_;
    const Profile &profile_;
    std::vector<std::vector<Slice>> slices_; // by core
    std::size_t most_slices_;                // largest number of slices of each core
    std::vector<std::uint64_t> shortest_;    // by core: smallest length in cycles of a slice that is kept
    std::vector<std::array<Channel, dma_channels>> channels_; // by core
    std::vector<Transfer> transfers_;
    std::uint64_t shortest_transfer_ = 1;
    std::vector<Message> messages_;
    std::uint64_t closeness_; // largest number of cycles between two consecutive writes of a message
    // The messages (groups of writes) of each sender, tag and destination (key()): the index of the newest message, and
    // the indices of the messages that have writes under way.
    std::unordered_map<std::uint64_t, std::deque<std::size_t>> unfinished_;
};

} // namespace skerry::sim
