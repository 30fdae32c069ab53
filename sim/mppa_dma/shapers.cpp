// SPDX-License-Identifier: BSD-3-Clause
#include "mppa_dma/shapers.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace skerry::sim {

Shapers::Shapers(unsigned node, unsigned senders, dnoc::PacketPort &network)
    : node_(node), network_(network), places_(senders) {
}

std::uint32_t Shapers::read(std::uint32_t shaper, std::uint32_t word) const {
    const Shaper &s = shapers_[shaper];
    switch (word) {
    case mppa::shaper_rate: return s.rate;
    case mppa::shaper_burst: return s.burst;
    case mppa::shaper_payload: return s.payload;
    default: return s.sent;
    }
}

// A new limit begins with a full bucket.
MppaFault Shapers::write(std::uint32_t shaper, std::uint32_t word, std::uint32_t value, std::uint64_t now) {
    Shaper &s = shapers_[shaper];
    const auto wrong = [&](MppaFault::Kind kind) { return MppaFault{.kind = kind, .index = shaper, .value = value}; };
    switch (word) {
    case mppa::shaper_rate:
        if (value > mppa::rate_cycles) return wrong(MppaFault::Kind::rate);
        s.rate = value;
        break;
    case mppa::shaper_burst: s.burst = value; break;
    case mppa::shaper_payload:
        if (value == 0 || value > mppa::most_payload_flits) return wrong(MppaFault::Kind::payload);
        s.payload = value;
        return {};
    default: return wrong(MppaFault::Kind::no_register);
    }
    s.tokens = std::uint64_t{s.burst} * mppa::rate_cycles;
    s.at = now;
    return {};
}

void Shapers::put(unsigned sender, std::uint32_t shaper, const dnoc::Packet &packet, std::uint64_t at) {
    Place &place = places_[sender];
    place.shaper = shaper;
    place.at = at;
    place.number = next_number_++;
    place.packet = packet;
    used_ |= std::uint64_t{1} << sender;
}

void Shapers::refill(Shaper &shaper, std::uint64_t now) {
    const std::uint64_t full = std::uint64_t{shaper.burst} * mppa::rate_cycles;
    shaper.tokens = std::min(full, shaper.tokens + (now - shaper.at) * shaper.rate);
    shaper.at = now;
}

// Returns the first cycle, from `now` on, in which a packet is ready and its shaper has enough flits for it.
std::uint64_t Shapers::may_send_at(const Place &place, std::uint64_t now) {
    Shaper &shaper = shapers_[place.shaper];
    const std::uint64_t at = std::max(place.at, now);
    if (shaper.rate == 0) return at;
    refill(shaper, now);
    const std::uint64_t needed = cost(place.packet);
    if (shaper.tokens >= needed) return at;
    return std::max(at, now + (needed - shaper.tokens + shaper.rate - 1) / shaper.rate);
}

MppaFault Shapers::run(std::uint64_t now) {
    if (used_ == 0 || !network_.has_room(now, node_)) return {};
    Place *first = nullptr;
    for (std::uint64_t left = used_; left != 0; left &= left - 1) {
        Place &place = places_[static_cast<unsigned>(std::countr_zero(left))];
        if (place.at > now) continue;
        const Shaper &shaper = shapers_[place.shaper];
        if (shaper.rate != 0 && place.packet.flits() > shaper.burst) {
            return {.kind = MppaFault::Kind::burst_small,
                    .index = place.shaper,
                    .bytes = place.packet.flits(),
                    .value = shaper.burst};
        }
        if (may_send_at(place, now) > now) continue;
        if (first == nullptr || std::tie(place.at, place.number) < std::tie(first->at, first->number)) first = &place;
    }
    if (first == nullptr || !network_.offer(now, node_, first->packet)) return {};
    Shaper &shaper = shapers_[first->shaper];
    if (shaper.rate != 0) shaper.tokens -= cost(first->packet);
    shaper.sent++;
    packets_++;
    bytes_ += first->packet.bytes;
    used_ &= ~(std::uint64_t{1} << (first - places_.data()));
    return {};
}

std::uint64_t Shapers::ready_at(std::uint64_t now) {
    if (used_ == 0) return never;
    std::uint64_t first = never;
    for (std::uint64_t left = used_; left != 0; left &= left - 1) {
        first = std::min(first, may_send_at(places_[static_cast<unsigned>(std::countr_zero(left))], now));
    }
    return std::max(first, now + 1);
}

} // namespace skerry::sim
