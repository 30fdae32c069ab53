// SPDX-License-Identifier: BSD-3-Clause
// Bytes, and beside them the instructions that have been decoded from them. A write forgets the instructions it
// overlaps: one mark for every 64 bytes tells whether there can be any, so that a store pays for one look. The same mark
// tells that the bytes are protected, and while somebody watches for changes it seems to be set everywhere. Pages of
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
    // Aligned to its size. False: protected, nothing happened.
    template <class Value> bool write(std::uint32_t offset, Value value) {
        if (looked_at_[offset / mark_size] != 0) [[unlikely]]
            return write_marked(offset, {reinterpret_cast<const std::uint8_t *>(&value), sizeof value});
        std::memcpy(bytes_.get() + offset, &value, sizeof value);
        return true;
    }
    void read_bytes(std::uint32_t offset, std::span<std::uint8_t> to) const;
    // Also where it is protected.
    void write_bytes(std::uint32_t offset, std::span<const std::uint8_t> from);

    // From now on write() leaves these bytes as they are.
    void protect(std::uint32_t offset, std::uint32_t bytes);
    bool is_protected(std::uint32_t offset, std::uint32_t bytes) const;

    // Until it is called with a null pointer, changes() counts every write that changes anything. `everywhere`: marks()
    // of it, none of them zero.
    void watch(const std::uint8_t *everywhere) {
        looked_at_ = everywhere != nullptr ? everywhere : marks_.get();
    }
    std::size_t marks() const {
        return size_ / mark_size + 1;
    }
    std::uint64_t changes() const {
        return changes_;
    }

    // The page of instructions around an even offset inside, and one of its instructions decoded again.
    CodePage &page(std::uint32_t offset);
    void decode_at(std::uint32_t offset);

  private:
    static constexpr std::uint32_t mark_size = 64;
    enum Mark : std::uint8_t { has_code = 1, is_kept = 2 }; // is_kept: some byte of the block is protected
    struct Kept {
        std::uint32_t begin, end;
    };

    bool write_marked(std::uint32_t offset, std::span<const std::uint8_t> from);
    void forget(std::uint32_t offset, std::uint32_t bytes);

    struct Free {
        void operator()(std::uint8_t *p) const {
            std::free(p);
        }
    };
    std::uint32_t size_;
    std::unique_ptr<std::uint8_t[], Free> bytes_; // from calloc: megabytes that nobody touches cost nothing
    std::unique_ptr<std::uint8_t[], Free> marks_;
    const std::uint8_t *looked_at_; // marks_, or where all are set
    std::vector<Kept> kept_;        // protected parts: few
    std::uint64_t changes_ = 0;
    std::vector<std::unique_ptr<CodePage>> pages_;
};

} // namespace skerry::sim
