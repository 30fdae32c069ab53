// SPDX-License-Identifier: BSD-3-Clause
// Bytes, and beside them the instructions that have been decoded from them. A write forgets the instructions it
// overlaps: one mark for every 64 bytes tells whether there can be any, so that a store pays for one look. Pages of
// instructions are made when they are first executed and stay where they are, so that a core may keep a pointer.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "memory/decoded.hpp"

namespace skerry::sim {

class Memory {
  public:
    explicit Memory(std::uint32_t bytes);

    std::uint32_t size() const {
        return size_;
    }
    bool holds(std::uint32_t offset, std::uint32_t bytes) const {
        return bytes <= size_ && offset <= size_ - bytes;
    }

    // The caller has checked that the bytes are there.
    template <class Value> Value read(std::uint32_t offset) const {
        Value value;
        std::memcpy(&value, bytes_.get() + offset, sizeof value);
        return value;
    }
    // Aligned to its size.
    template <class Value> void write(std::uint32_t offset, Value value) {
        std::memcpy(bytes_.get() + offset, &value, sizeof value);
        if (marks_[offset / mark_size] != 0) [[unlikely]]
            forget(offset, sizeof value);
    }
    void read_bytes(std::uint32_t offset, std::span<std::uint8_t> to) const;
    void write_bytes(std::uint32_t offset, std::span<const std::uint8_t> from);

    // The page of instructions around an even offset inside, and one of its instructions decoded again.
    CodePage &page(std::uint32_t offset);
    void decode_at(std::uint32_t offset);

  private:
    static constexpr std::uint32_t mark_size = 64;

    void forget(std::uint32_t offset, std::uint32_t bytes);

    struct Free {
        void operator()(std::uint8_t *p) const {
            std::free(p);
        }
    };
    std::uint32_t size_;
    std::unique_ptr<std::uint8_t[], Free> bytes_; // from calloc: megabytes that nobody touches cost nothing
    std::unique_ptr<std::uint8_t[], Free> marks_;
    std::vector<std::unique_ptr<CodePage>> pages_;
};

} // namespace skerry::sim
