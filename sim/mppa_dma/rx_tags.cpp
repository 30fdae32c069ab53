// SPDX-License-Identifier: BSD-3-Clause
#include "mppa_dma/rx_tags.hpp"

#include <algorithm>
#include <utility>

namespace skerry::sim {
namespace {

constexpr std::uint32_t mode_bits = 3;
constexpr std::uint32_t count_bits = mppa::transfers_wrapped - 1;
constexpr std::uint32_t counted_bits = 3;

std::uint32_t counted(std::uint32_t mode) {
    return mode >> mppa::count_shift & counted_bits;
}

MppaFault window_fault(const dnoc::Packet &packet, std::uint32_t offset, std::uint32_t size) {
    return {.kind = MppaFault::Kind::window,
            .from = packet.source,
            .index = packet.tag,
            .address = offset,
            .bytes = packet.bytes,
            .value = size};
}

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
        if ((value & count_bits) >> mppa::count_shift > mppa::count_down) {
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

MppaFault RxTags::place_chosen(Tag &t, const dnoc::Packet &packet, Place &place) {
    if (packet.offset != mppa::no_offset) {
        if (packet.bytes > t.size || packet.offset > t.size - packet.bytes) {
            return window_fault(packet, packet.offset, t.size);
        }
        place.address = t.address + packet.offset;
        return {};
    }
    if (packet.bytes > t.size) return window_fault(packet, t.position, t.size);
    if (t.position >= t.size) t.position = 0;
    place = {.address = t.address + t.position,
             .bytes = std::min<std::uint32_t>(packet.bytes, t.size - t.position),
             .window = t.address};
    t.position += packet.bytes;
    if (t.position >= t.size) t.position -= t.size;
    return {};
}

MppaFault RxTags::place(const dnoc::Packet &packet, Place &place) {
    Tag &t = tags_[packet.tag];
    place = {.address = t.address, .bytes = packet.bytes, .window = t.address};
    MppaFault fault{.from = packet.source, .index = packet.tag, .bytes = packet.bytes};
    if (t.size == 0) {
        fault.kind = MppaFault::Kind::tag_unowned;
        return fault;
    }
    const std::uint32_t mode = t.mode & mode_bits, slot = t.mode >> mppa::tag_slot_shift;
    std::uint32_t offset = packet.offset;
    if (packet.bytes == 0) return {};
    if (mode == mppa::mode_chosen) return place_chosen(t, packet, place);
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
    if (packet.bytes > t.size || offset > t.size - packet.bytes) return window_fault(packet, offset, t.size);
    place.address = t.address + offset;
    return {};
}

std::uint32_t RxTags::count(std::uint32_t tag, std::uint32_t bytes, bool end) {
    Tag &t = tags_[tag];
    const std::uint32_t what = counted(t.mode);
    if (what == mppa::count_ends) {
        t.items += bytes;
        return end ? event(t) : 0;
    }
    const std::uint32_t taken = what == mppa::count_bytes ? bytes : static_cast<std::uint32_t>(end);
    if (taken == 0 || t.items == 0) return 0;
    t.items -= std::min(taken, t.items);
    if (t.items != 0) return 0;
    t.items = t.items_reload;
    return event(t);
}

std::uint32_t RxTags::event(Tag &t) {
    const std::uint32_t next = (t.transfers & count_bits) + 1;
    t.transfers = (t.transfers & mppa::transfers_wrapped) | next;
    if (next > count_bits) t.transfers = mppa::transfers_wrapped;
    if (t.remaining == 0 || --t.remaining != 0) return 0;
    t.remaining = t.reload;
    return t.notify;
}

} // namespace skerry::sim
