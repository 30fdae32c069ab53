// SPDX-License-Identifier: BSD-3-Clause
// Defines the interface of a page of decoded instructions. A Memory keeps such pages beside its bytes, and does not
// know what the core has decoded: a core of each kind defines its own class of pages. All cores of a machine are of
// one kind, so all pages of a memory have the same class.
#pragma once
#include <cstdint>

namespace skerry::sim {

constexpr std::uint32_t code_page_size = 256; // bytes of code; small, because each of 1024 cores has its own pages

class CodePage {
  public:
    virtual ~CodePage() = default;
    // Forgets the instruction that begins at half word `slot` of the page, because its bytes have changed.
    virtual void forget(std::uint32_t slot) = 0;
};

} // namespace skerry::sim
