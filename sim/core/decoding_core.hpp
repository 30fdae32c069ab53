// SPDX-License-Identifier: BSD-3-Clause
// Implements the loop over instructions for kinds of cores that decode each instruction only once. Keeps the page of
// decoded instructions that the core executes. The class is a template over the kind of core, so that the compiler
// inlines the functions of the kind into the loop.
#pragma once
#include <cstdint>

#include "core/core.hpp"
#include "memory/code_page.hpp"

namespace skerry::sim {

// `Kind` is the class that derives from this class. `Kind` must define two functions:
// * step(now) issues the next instruction in cycle `now`, or sets the cycle in which the instruction can issue.
// * decode_at(offset, d) decodes the instruction at an offset of code_ into `d`.
//
// The file that defines step() must instantiate the template. The header of `Kind` must declare that instantiation.
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
