// SPDX-License-Identifier: BSD-3-Clause
// What happened when, for trace viewers: the functions of each core, its writes to other places from the first to the
// last of a group, and the same where they land. The memory is fixed: when it is full, what is short is left out or what
// is close together becomes one, so that any run fits and the whole of it is kept.
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
    // The profile tells it which functions have ended.
    Trace(Chip &chip, Profile &profile);

    bool before(std::uint32_t, Core &, std::uint64_t) override {
        return true;
    }
    void sent(std::uint64_t cycle, std::uint32_t to, const Transaction &transaction) override;
    void landed(std::uint64_t cycle, std::uint32_t to, const Transaction &write) override;

    void dma(std::uint64_t cycle, std::uint32_t index) override;

    // Trace Event Format, JSON. One cycle is one nanosecond of the trace. To be called behind Profile::finish.
    std::string text() const;

  private:
    struct Slice {
        std::uint64_t begin;
        std::uint64_t end;
        std::uint32_t function;
    };
    struct Message { // writes from one sender to one place, each soon after the one before
        std::uint64_t begin;
        std::uint64_t end;
        std::uint32_t from;
        std::uint32_t to;
        std::uint16_t tag; // of the core or its DMA channel
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
        std::uint64_t bytes = 0; // before
    };
    class Writer;
    static std::uint64_t key(std::uint32_t from, std::uint16_t tag, std::uint32_t to) {
        return std::uint64_t{from} << 48 | std::uint64_t{tag} << 32 | to;
    }
    void returned(std::uint32_t core, const CallStack::Frame &frame, std::uint64_t cycle);
    void merge_messages();
    // Of messages that overlap in time, each its own row.
    std::vector<std::uint32_t> rows(bool landing) const;

    Chip &chip_;
    const Profile &profile_;
    std::vector<std::vector<Slice>> slices_;                  // by core
    std::size_t most_slices_;                                 // of a core
    std::vector<std::uint64_t> shortest_;                     // by core: cycles of a slice that is kept
    std::vector<std::array<Channel, dma_channels>> channels_; // by core
    std::vector<Transfer> transfers_;
    std::uint64_t shortest_transfer_ = 1;
    std::vector<Message> messages_;
    std::uint64_t closeness_;                                               // cycles between writes of one message
    std::unordered_map<std::uint64_t, std::deque<std::size_t>> unfinished_; // those not landed, and the last
};

} // namespace skerry::sim
