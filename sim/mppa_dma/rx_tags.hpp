// SPDX-License-Identifier: BSD-3-Clause
// Models the 256 Rx tags of a node. A tag has a window of memory, to which the packets for this tag are written, and
// counts ends of transfers.
//
// The counter has 16 bits (Hascoet et al. 2017), so it counts modulo 2^16. A reader that keeps the last value gets the
// number of new ends from the difference modulo 2^16. This is right if at most 65535 ends come between two of its reads.
// A reader that takes the count (which sets it to 0) has the same limit. If more come, bit 16 of the register is set until
// the count is taken or written, so that a reader can find this out. (Bit 16 means nothing for a reader that uses
// differences.) The limit is software's: it has at most 65535 transfers under way to one tag.
//
// tag_remaining counts down besides, and notifies cores when it becomes 0. A program that sets it after transfers have
// begun must read the counter afterwards: ends that came before are not counted down.
#pragma once
#include <array>
#include <cstdint>

#include "dnoc/packet.hpp"
#include "mppa_dma/fault.hpp"
#include "mppa_dma/registers.hpp"

namespace skerry::sim {

class RxTags {
  public:
    // Access a register of a tag; `word` is its offset in the tag's registers. write() returns a fault if the value is
    // wrong.
    std::uint32_t read(std::uint32_t tag, std::uint32_t word) const;
    MppaFault write(std::uint32_t tag, std::uint32_t word, std::uint32_t value);
    // Returns tag_transfers and sets it to 0.
    std::uint32_t take(std::uint32_t tag);

    // The number of items, and its value after it has become 0.
    std::uint32_t &items(std::uint32_t tag) {
        return tags_[tag].items;
    }
    std::uint32_t &items_reload(std::uint32_t tag) {
        return tags_[tag].items_reload;
    }

    // Where a packet's payload is written. Only in mode_chosen it can have two parts.
    struct Place {
        std::uint32_t address = 0;
        std::uint32_t bytes = 0;  // at this address
        std::uint32_t window = 0; // the others are written at the begin of the window
    };
    // Finds the place of a packet, and advances the tag's position. Returns a fault if the packet does not fit.
    MppaFault place(const dnoc::Packet &packet, Place &place);
    // Counts bytes that were written, and the end of their transfer. Returns the cores that must be notified.
    std::uint32_t count(std::uint32_t tag, std::uint32_t bytes, bool end);
    bool is_owned(std::uint32_t tag) const {
        return tags_[tag].size != 0;
    }

  private:
    struct Tag {
        std::uint32_t address = 0;
        std::uint32_t size = 0;
        std::uint32_t mode = 0;
        std::uint32_t position = 0;
        std::uint32_t transfers = 0;
        std::uint16_t remaining = 0;
        std::uint16_t reload = 0;
        std::uint32_t notify = 0;
        std::uint32_t items = 0;
        std::uint32_t items_reload = 0;
    };
    static std::uint32_t event(Tag &t);
    static MppaFault place_chosen(Tag &t, const dnoc::Packet &packet, Place &place);
    std::array<Tag, mppa::tags> tags_;
};

} // namespace skerry::sim
