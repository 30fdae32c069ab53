// SPDX-License-Identifier: BSD-3-Clause
#include "mppa_dma/rx_tags.hpp"

#include <utility>

namespace skerry::sim {
namespace {

constexpr std::uint32_t mode_bits = 3;
constexpr std::uint32_t count_bits = mppa::transfers_wrapped - 1;

} // namespace

std::uint32_t RxTags::read(std::uint32_t tag, std::uint32_t word) const {
    const Tag &t = tags_[tag];
    switch (word) {
    case mppa::tag_address: return t.address;
    case mppa::tag_size: return t.size;
    case mppa::tag_mode: return t.mode;
    case mppa::tag_position: return t.position;
    case mppa::tag_transfers: return t.transfers;
    case mppa::tag_remaining: return t.remaining;
    case mppa::tag_reload: return t.reload;
    default: return t.notify;
    }
}

MppaFault RxTags::write(std::uint32_t tag, std::uint32_t word, std::uint32_t value) {
    Tag &t = tags_[tag];
    switch (word) {
    case mppa::tag_address: t.address = value; break;
    case mppa::tag_size: t.size = value; break;
    case mppa::tag_mode:
        if ((value & mode_bits) > mppa::mode_ring || (value & count_bits & ~mode_bits) != 0) {
            return {.kind = MppaFault::Kind::mode, .index = tag, .value = value};
        }
        t.mode = value;
        break;
    case mppa::tag_position: t.position = value; break;
    case mppa::tag_transfers: t.transfers = value & count_bits; break;
    case mppa::tag_remaining: t.remaining = static_cast<std::uint16_t>(value); break;
    case mppa::tag_reload: t.reload = static_cast<std::uint16_t>(value); break;
    default: t.notify = value;
    }
    return {};
}

std::uint32_t RxTags::take(std::uint32_t tag) {
    return std::exchange(tags_[tag].transfers, 0);
}

MppaFault RxTags::place(const dnoc::Packet &packet, std::uint32_t &address) {
    Tag &t = tags_[packet.tag];
    MppaFault fault{.from = packet.source, .index = packet.tag, .bytes = packet.bytes};
    if (t.size == 0) {
        fault.kind = MppaFault::Kind::tag_unowned;
        return fault;
    }
    const std::uint32_t mode = t.mode & mode_bits, slot = t.mode >> mppa::tag_slot_shift;
    std::uint32_t offset = packet.offset;
    if (packet.bytes == 0) {
        address = t.address;
        return {};
    }
    if (mode != mppa::mode_offset) {
        const std::uint32_t step = slot == 0 ? packet.bytes : slot;
        if (packet.bytes > step) {
            fault.kind = MppaFault::Kind::slot;
            fault.value = slot;
            return fault;
        }
        offset = t.position;
        // A packet is never split: if it does not fit behind the last one, it is at the begin of the ring.
        if (mode == mppa::mode_ring && (t.size < step || offset > t.size - step)) offset = 0;
        t.position = offset + step;
    }
    if (packet.bytes > t.size || offset > t.size - packet.bytes) {
        fault.kind = MppaFault::Kind::window;
        fault.address = offset;
        fault.value = t.size;
        return fault;
    }
    address = t.address + offset;
    return {};
}

std::uint32_t RxTags::end(std::uint32_t tag) {
    Tag &t = tags_[tag];
    const std::uint32_t next = (t.transfers & count_bits) + 1;
    t.transfers = (t.transfers & mppa::transfers_wrapped) | next;
    if (next > count_bits) t.transfers = mppa::transfers_wrapped;
    if (t.remaining == 0 || --t.remaining != 0) return 0;
    t.remaining = t.reload;
    return t.notify;
}

} // namespace skerry::sim
