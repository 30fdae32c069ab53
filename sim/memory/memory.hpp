// SPDX-License-Identifier: BSD-3-Clause
// Contains bytes of memory, and the instructions that were decoded from them. A write invalidates the instructions that
// it overlaps.
//
// Each block of 64 bytes has a mark. If the mark is 0, the block contains no decoded instructions, no protected bytes
// and no reservation. (RISC-V's instruction LR makes a reservation.) A store to such a block is fast: it tests only the
// mark.
//
// While changes are watched (watch()), stores test another table, in which all marks are set. Every store then takes
// the slow path, which records changes.
//
// A page of decoded instructions is made when code in the page is executed for the first time. The page never moves, so
// that a core can keep a pointer to it.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "memory/access.hpp"
#include "memory/atomic.hpp"
#include "memory/change_log.hpp"
#include "memory/code_page.hpp"

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

    // Returns the value at an offset. The caller must have checked that the memory holds all bytes of the value.
    template <class Value> Value read(std::uint32_t offset) const {
        Value value;
        std::memcpy(&value, bytes_.get() + offset, sizeof value);
        return value;
    }
    // Writes a value. `offset` must be a multiple of the value's size. Returns false and writes nothing if one of the
    // bytes is protected.
    template <class Value> bool write(std::uint32_t offset, Value value) {
        if (looked_at_[offset / mark_size] != 0) [[unlikely]]
            return write_marked(offset, {reinterpret_cast<const std::uint8_t *>(&value), sizeof value});
        std::memcpy(bytes_.get() + offset, &value, sizeof value);
        return true;
    }
    void read_bytes(std::uint32_t offset, std::span<std::uint8_t> to) const;
    // Writes bytes, also to protected memory.
    void write_bytes(std::uint32_t offset, std::span<const std::uint8_t> from);

    // Performs an atomic operation of the core with the id `holder` on 1, 2 or 4 bytes. If the operation writes, the
    // bytes must not be protected. Returns the old content. Exception: AtomicOperation::conditional (RISC-V's SC)
    // returns its own result.
    std::uint32_t atomically(AtomicOperation operation, std::uint32_t offset, std::uint32_t size, std::uint32_t operand,
                             std::uint32_t holder);

    // Protects bytes: from now on write() does not change them and returns false.
    void protect(std::uint32_t offset, std::uint32_t bytes);
    bool is_protected(std::uint32_t offset, std::uint32_t bytes) const;
    // Ends the protection of all bytes.
    void unprotect();

    // Starts to watch for changes: from now on `log` gets every word that a write changes. `everywhere` points to marks()
    // bytes that are all not zero.
    void watch(const std::uint8_t *everywhere, ChangeLog &log) {
        looked_at_ = everywhere;
        log_ = &log;
    }
    void end_watch() {
        looked_at_ = marks_.get();
        log_ = nullptr;
    }
    std::size_t marks() const {
        return size_ / mark_size + 1;
    }
    // Returns the place of a byte in the memory of the host (ChangeLog).
    const std::uint8_t *host_place(std::uint32_t offset) const {
        return bytes_.get() + offset;
    }

    // Returns the page of decoded instructions for an even offset, and makes the page if necessary. `Page` must be the
    // same class in all calls.
    template <class Page> Page &page(std::uint32_t offset) {
        std::unique_ptr<CodePage> &page = pages_[offset / code_page_size];
        if (!page) page = std::make_unique<Page>();
        return static_cast<Page &>(*page);
    }
    // Returns the bits of an instruction of up to four bytes at an even offset, with zeros beyond the memory's end.
    std::uint32_t code_at(std::uint32_t offset) const {
        return read<std::uint16_t>(offset) |
               (holds(offset, 4) ? std::uint32_t{read<std::uint16_t>(offset + 2)} << 16 : 0);
    }
    // Records that an instruction of `bytes` bytes at this offset is decoded. A write to its bytes then calls
    // CodePage::forget. The bytes must be inside the memory.
    void mark_code(std::uint32_t offset, std::uint32_t bytes) {
        marks_[offset / mark_size] |= has_code;
        marks_[(offset + bytes - 1) / mark_size] |= has_code;
    }

  private:
    static constexpr std::uint32_t mark_size = 64;
    // has_code: the block contains bytes of decoded instructions. is_kept: at least one byte of the block is
    // protected. is_reserved: a reservation is in the block.
    enum Mark : std::uint8_t { has_code = 1, is_kept = 2, is_reserved = 4 };
    struct Kept {
        std::uint32_t begin, end;
    };
    struct Reservation { // of four bytes, by LR; each core has at most one
        std::uint32_t offset;
        std::uint32_t holder;
    };

    bool write_marked(std::uint32_t offset, std::span<const std::uint8_t> from);
    void log_change(std::uint32_t offset, std::uint32_t bytes);
    void forget(std::uint32_t offset, std::uint32_t bytes);
    void reserve(std::uint32_t offset, std::uint32_t holder);
    bool release(std::uint32_t offset, std::uint32_t holder);
    void cancel_reservations(std::uint32_t offset, std::uint32_t bytes);
    void unmark_reserved(std::uint32_t offset);

    struct Free {
        void operator()(std::uint8_t *p) const {
            std::free(p);
        }
    };
    std::uint32_t size_;
    std::unique_ptr<std::uint8_t[], Free> bytes_; // from calloc, so that unused pages cost no memory of the host
    std::unique_ptr<std::uint8_t[], Free> marks_;
    const std::uint8_t *looked_at_; // the marks that write() tests: marks_, or the table of watch()
    std::vector<Kept> kept_;        // protected ranges; there are few
    std::vector<Reservation> reservations_;
    ChangeLog *log_ = nullptr; // of watch(); null: nobody watches
    std::vector<std::unique_ptr<CodePage>> pages_;
};

} // namespace skerry::sim
