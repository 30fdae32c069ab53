// SPDX-License-Identifier: BSD-3-Clause
// Implements the slower operations of a memory: access to blocks of bytes, protected and watched memory, and the pages
// of decoded instructions.
#include "memory/memory.hpp"

#include <algorithm>
#include <new>

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
    if (std::memcmp(bytes_.get() + offset, from.data(), from.size()) == 0) return;
    changes_++;
    std::memcpy(bytes_.get() + offset, from.data(), from.size());
    forget(offset, static_cast<std::uint32_t>(from.size()));
}

bool Memory::write_marked(std::uint32_t offset, std::span<const std::uint8_t> from) {
    if (is_protected(offset, static_cast<std::uint32_t>(from.size()))) return false;
    write_bytes(offset, from);
    return true;
}

void Memory::protect(std::uint32_t offset, std::uint32_t bytes) {
    if (bytes == 0) return;
    kept_.push_back({offset, offset + bytes});
    for (std::uint32_t k = offset / mark_size; k <= (offset + bytes - 1) / mark_size; k++) marks_[k] |= is_kept;
}

// Returns true if a byte of a range is protected. A block with a mark can also contain bytes that are not protected (at
// both ends of a protected range). So the mark alone does not decide: if it is set, the protected ranges are searched.
bool Memory::is_protected(std::uint32_t offset, std::uint32_t bytes) const {
    if (bytes == 0) return false;
    bool marked = false;
    for (std::uint32_t k = offset / mark_size; k <= (offset + bytes - 1) / mark_size; k++) {
        marked |= (marks_[k] & is_kept) != 0;
    }
    return marked && std::ranges::any_of(
                         kept_, [&](const Kept &part) { return offset < part.end && part.begin < offset + bytes; });
}

// Invalidates the decoded instructions that overlap a written range. An instruction of four bytes can begin two bytes
// before the range.
void Memory::forget(std::uint32_t offset, std::uint32_t bytes) {
    const std::uint32_t first = std::max(offset & ~1U, 2U) - 2;
    const std::uint32_t last = std::min(offset + bytes, size_) - 1;
    for (std::uint32_t at = first; at <= last; at += 2) {
        std::unique_ptr<CodePage> &page = pages_[at / code_page_size];
        if (page) page->forget(at % code_page_size / 2);
        else at |= code_page_size - 2; // no code of this page was ever executed: go to the page's end
    }
}

} // namespace skerry::sim
