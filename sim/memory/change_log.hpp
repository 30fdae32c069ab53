// SPDX-License-Identifier: BSD-3-Clause
// Records which words of all memories have changed, and what they contained before. A memory that is watched
// (Memory::watch) notes each write that changes a byte here. Words are aligned and have 4 bytes.
#pragma once
#include <cstdint>
#include <cstring>
#include <unordered_set>
#include <vector>

namespace skerry::sim {

class ChangeLog {
  public:
    // A word is identified by its place in the memory of the host, which no other word of any memory has.
    struct Word {
        const std::uint8_t *at;
        std::uint32_t before;
        bool has_returned() const {
            return content_of(at) == before;
        }
    };

    // Forgets all words. From now on the log takes at most this number of words.
    void begin(std::size_t most) {
        most_ = most;
        is_full_ = false;
        words_.clear();
        known_.clear();
    }
    // Notes that a write is about to change a range of bytes. `memory` is the memory's first byte, at an address that is a
    // multiple of 4.
    void note(const std::uint8_t *memory, std::uint32_t offset, std::size_t bytes) {
        for (std::size_t at = offset & ~3U; at < offset + bytes && !is_full_; at += 4) {
            if (!known_.insert(memory + at).second) continue;
            if (words_.size() == most_) give_up();
            else words_.push_back({memory + at, content_of(memory + at)});
        }
    }
    // Makes the log full. Called for changes that it does not record.
    void give_up() {
        is_full_ = true;
    }
    // Returns true if not all changes since begin() are in the log.
    bool is_full() const {
        return is_full_;
    }
    const std::vector<Word> &words() const {
        return words_;
    }

  private:
    static std::uint32_t content_of(const std::uint8_t *at) {
        std::uint32_t value = 0;
        std::memcpy(&value, at, sizeof value);
        return value;
    }

    std::size_t most_ = 0;
    bool is_full_ = false;
    std::vector<Word> words_;
    std::unordered_set<const std::uint8_t *> known_; // the places of all elements of words_
};

} // namespace skerry::sim
