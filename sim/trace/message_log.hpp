// SPDX-License-Identifier: BSD-3-Clause
// Records messages: groups of writes or packets from one sender to one place. The memory for them has a fixed size. When it
// is full, messages that are close in time are joined. Therefore the log always covers the whole run.
#pragma once
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace skerry::sim {

class MessageLog {
  public:
    struct Message {
        std::uint64_t begin = 0; // cycle in which its first part was sent
        std::uint64_t end = 0;   // and its last part
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        std::uint16_t sender = 0; // number of the sender at its place
        std::uint32_t job = 0;
        std::uint32_t parts = 0;
        std::uint32_t landed = 0; // parts that have arrived
        std::uint64_t bytes = 0;
        std::uint64_t landed_begin = 0;
        std::uint64_t landed_end = 0;
    };
    // Two parts of one message are sent at most `closeness` cycles one after the other.
    MessageLog(std::size_t most, std::uint64_t closeness) : most_(most), closeness_(closeness) {
    }

    // Adds a part of a message. Parts of one job (a number that is not 0) are one message, whatever their distance. Parts of
    // different jobs are different messages, until the log is full for the first time.
    void sent(std::uint64_t cycle, std::uint32_t from, std::uint16_t sender, std::uint32_t to, std::uint64_t bytes,
              std::uint32_t job = 0);
    // Counts a part that has arrived as a part of the oldest message that still expects one. Parts from one sender to one
    // place must arrive in the order in which they were sent.
    void landed(std::uint64_t cycle, std::uint32_t from, std::uint16_t sender, std::uint32_t to);

    const std::vector<Message> &messages() const {
        return messages_;
    }
    // Returns a number of a row for each message, so that messages of one row do not overlap in time. The rows are those of
    // the receiver if `landing`, and of the sender if not.
    std::vector<std::uint32_t> rows(bool landing) const;

  private:
    static std::uint64_t key(std::uint32_t from, std::uint16_t sender, std::uint32_t to) {
        return std::uint64_t{from} << 48 | std::uint64_t{sender} << 32 | to;
    }
    void merge();

    std::size_t most_;
    std::uint64_t closeness_;
    bool has_merged_ = false;
    std::vector<Message> messages_;
    // By sender and place (key()): the index of the newest message, and the indices of those that have parts under way.
    std::unordered_map<std::uint64_t, std::deque<std::size_t>> unfinished_;
};

} // namespace skerry::sim
