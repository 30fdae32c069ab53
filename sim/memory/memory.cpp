// SPDX-License-Identifier: BSD-3-Clause
// Implements the slower operations of a memory: access to blocks of bytes, protected and watched memory, and the pages
// (tables) of decoded instructions.
#include "memory/memory.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace skerry::sim {
namespace {

std::uint8_t *zeroed(std::size_t bytes) {
    auto *p = static_cast<std::uint8_t *>(std::calloc(bytes, 1));
    if (p == nullptr) throw std::bad_alloc();
    return p;
}

} // namespace

Memory::Memory(std::uint32_t bytes)
    : size_(bytes), bytes_(zeroed(std::size_t{bytes} + 8)), marks_(zeroed(bytes / mark_size + 1)),
      looked_at_(marks_.get()), pages_((bytes + code_page_size - 1) / code_page_size) {
}

void Memory::read_bytes(std::uint32_t offset, std::span<std::uint8_t> to) const {
    if (!to.empty()) std::memcpy(to.data(), bytes_.get() + offset, to.size());
}

void Memory::write_bytes(std::uint32_t offset, std::span<const std::uint8_t> from) {
    if (from.empty()) return;
    if (!reservations_.empty()) cancel_reservations(offset, static_cast<std::uint32_t>(from.size()));
    if (std::memcmp(bytes_.get() + offset, from.data(), from.size()) == 0) return;
    if (log_ != nullptr) log_change(offset, static_cast<std::uint32_t>(from.size()));
    std::memcpy(bytes_.get() + offset, from.data(), from.size());
    forget(offset, static_cast<std::uint32_t>(from.size()));
}

// Records a change. A change of code is not recorded as words, because PollWatch does not follow fetches.
void Memory::log_change(std::uint32_t offset, std::uint32_t bytes) {
    for (std::uint32_t k = offset / mark_size; k <= (offset + bytes - 1) / mark_size; k++) {
        if ((marks_[k] & has_code) != 0) log_->give_up();
    }
    log_->note(bytes_.get(), offset, bytes);
}

bool Memory::write_marked(std::uint32_t offset, std::span<const std::uint8_t> from) {
    if (is_protected(offset, static_cast<std::uint32_t>(from.size()))) return false;
    write_bytes(offset, from);
    return true;
}

// -- atomic operations ------------------------------------------------------------------------------------------------

std::uint32_t Memory::atomically(AtomicOperation operation, std::uint32_t offset, std::uint32_t size,
                                 std::uint32_t operand, std::uint32_t holder) {
    std::uint32_t found = 0;
    read_bytes(offset, {reinterpret_cast<std::uint8_t *>(&found), size});
    const auto write = [&](std::uint32_t value) {
        write_bytes(offset, {reinterpret_cast<const std::uint8_t *>(&value), size});
    };
    switch (operation) {
    case AtomicOperation::reserve: reserve(offset, holder); return found;
    case AtomicOperation::conditional:
        if (!release(offset, holder)) return 1;
        write(operand);
        return 0;
    case AtomicOperation::testset:
        if (found == 0) write(operand);
        return found;
    default: write(combine(operation, found, operand)); return found;
    }
}

void Memory::reserve(std::uint32_t offset, std::uint32_t holder) {
    const auto mine = std::ranges::find(reservations_, holder, &Reservation::holder);
    if (mine == reservations_.end()) {
        reservations_.push_back({offset, holder});
    } else {
        const std::uint32_t before = std::exchange(mine->offset, offset);
        unmark_reserved(before);
    }
    marks_[offset / mark_size] |= is_reserved;
}

// Ends the reservation of a core (made by the instruction LR). Returns true if the core had a reservation for this
// offset.
bool Memory::release(std::uint32_t offset, std::uint32_t holder) {
    const auto mine = std::ranges::find(reservations_, holder, &Reservation::holder);
    if (mine == reservations_.end()) return false;
    const std::uint32_t there = mine->offset;
    reservations_.erase(mine);
    unmark_reserved(there);
    return there == offset;
}

// Ends all reservations (made by the instruction LR of any core) that overlap a range that is being written.
void Memory::cancel_reservations(std::uint32_t offset, std::uint32_t bytes) {
    constexpr std::uint32_t reserved_bytes = 4;
    std::vector<std::uint32_t> ended;
    std::erase_if(reservations_, [&](const Reservation &r) {
        const bool overlaps = r.offset < offset + bytes && offset < r.offset + reserved_bytes;
        if (overlaps) ended.push_back(r.offset);
        return overlaps;
    });
    for (const std::uint32_t at : ended) unmark_reserved(at);
}

// Removes the mark is_reserved of a block of 64 bytes if no reservation is left in the block.
void Memory::unmark_reserved(std::uint32_t offset) {
    const std::uint32_t block = offset / mark_size;
    const bool any =
        std::ranges::any_of(reservations_, [&](const Reservation &r) { return r.offset / mark_size == block; });
    if (!any) marks_[block] &= static_cast<std::uint8_t>(~is_reserved);
}

// -- protected bytes --------------------------------------------------------------------------------------------------

void Memory::protect(std::uint32_t offset, std::uint32_t bytes) {
    if (bytes == 0) return;
    kept_.push_back({offset, offset + bytes});
    for (std::uint32_t k = offset / mark_size; k <= (offset + bytes - 1) / mark_size; k++) marks_[k] |= is_kept;
}

// Returns true if a byte of a range is protected. The mark of a block (of 64 bytes) is set if at least one byte of the
// block is protected. A marked block can also contain unprotected bytes. Therefore the list of protected ranges is
// searched if a mark is set.
bool Memory::is_protected(std::uint32_t offset, std::uint32_t bytes) const {
    if (bytes == 0) return false;
    bool marked = false;
    for (std::uint32_t k = offset / mark_size; k <= (offset + bytes - 1) / mark_size; k++) {
        marked |= (marks_[k] & is_kept) != 0;
    }
    return marked && std::ranges::any_of(
                         kept_, [&](const Kept &part) { return offset < part.end && part.begin < offset + bytes; });
}

void Memory::unprotect() {
    for (const Kept &part : kept_) {
        for (std::uint32_t k = part.begin / mark_size; k <= (part.end - 1) / mark_size; k++)
            marks_[k] &= static_cast<std::uint8_t>(~is_kept);
    }
    kept_.clear();
}

// -- decoded instructions ---------------------------------------------------------------------------------------------

// Invalidates the decoded instructions that overlap a written range. An instruction of four bytes can begin two bytes
// before the range.
void Memory::forget(std::uint32_t offset, std::uint32_t bytes) {
    const std::uint32_t first = std::max(offset & ~1U, 2U) - 2;
    const std::uint32_t last = std::min(offset + bytes, size_) - 1;
    for (std::uint32_t at = first; at <= last; at += 2) {
        std::unique_ptr<CodePage> &page = pages_[at / code_page_size];
        if (page) page->forget(at % code_page_size / 2);
        else at |= code_page_size - 2; // no code of this page was ever executed: continue after the page's end
    }
}

} // namespace skerry::sim
