// SPDX-License-Identifier: BSD-3-Clause
// Defines the interface of a page of decoded instructions, and the class of the pages themselves. A Memory keeps such
// pages beside its bytes. A Memory uses only the interface, because each kind of core defines its own type of decoded
// instruction. All cores of a machine are of one kind. Therefore all pages of a memory have the same class.
#pragma once
#include <array>
#include <cstdint>

namespace skerry::sim {

constexpr std::uint32_t code_page_size = 256; // bytes of code; small, because each of 1024 cores has its own pages

class CodePage {
  public:
    virtual ~CodePage() = default;
    // Forgets the instruction that begins at half word `slot` of the page, because its bytes have changed.
    virtual void forget(std::uint32_t slot) = 0;
};

// `Decoded` is the type of a decoded instruction. Its member `ready` is false if the instruction must be decoded again.
template <class Decoded> class DecodedPage final : public CodePage {
  public:
    // Returns the first of the page's slots (decoded instructions). There is one slot for each half word of code.
    Decoded *slots() {
        return slots_.data();
    }
    void forget(std::uint32_t slot) override {
        slots_[slot].ready = false;
    }

  private:
    std::array<Decoded, code_page_size / 2> slots_{};
};

} // namespace skerry::sim
