// SPDX-License-Identifier: BSD-3-Clause
// Defines what the kinds of cores share that decode each instruction once: the loop over instructions, and the page of
// decoded instructions in which the core is. It is a template over the kind, so that the compiler inlines the kind's
// functions into the loop.
#pragma once
#include <cstdint>

#include "core/core.hpp"
#include "memory/code_page.hpp"

namespace skerry::sim {

// `Kind` is the class that derives from this one. It defines step(now), which issues the next instruction in cycle `now`
// or finds out when it can issue, and decode_at(offset, d), which decodes the instruction at an offset of code_. The
// file that defines step() instantiates the template, and the header of `Kind` declares that instantiation.
template <class Kind, class Decoded> class DecodingCore : public Core {
  public:
    using Core::Core;

    void run(std::uint64_t now, std::uint64_t limit) final {
        limit_ = limit;
        do {
            kind().step(now);
            now = ready_at;
        } while (now < limit_);
    }

  protected:
    // Returns the decoded instruction at this address, or nullptr if no code can be there.
    Decoded *find(std::uint32_t pc) {
        if ((pc & ~(code_page_size - 1)) != page_address_) [[unlikely]] {
            if (!change_page(pc)) return nullptr;
        }
        Decoded &d = slots_[pc % code_page_size / 2];
        if (!d.ready) [[unlikely]]
            kind().decode_at(page_offset_ + pc % code_page_size, d);
        return &d;
    }

  private:
    Kind &kind() {
        return static_cast<Kind &>(*this);
    }

    [[gnu::noinline]] bool change_page(std::uint32_t pc) {
        if (!find_code(pc)) return false;
        slots_ = code_->template page<DecodedPage<Decoded>>(page_offset_).slots();
        return true;
    }

    Decoded *slots_ = nullptr; // the decoded instructions of the current page
};

} // namespace skerry::sim
