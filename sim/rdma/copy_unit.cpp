// SPDX-License-Identifier: BSD-3-Clause
#include "rdma/copy_unit.hpp"

#include <algorithm>

namespace skerry::sim {

CopyUnit::CopyUnit(const CopyConfiguration &configuration, CopyPort &port)
    : configuration_(configuration), port_(port), slots_(configuration.copies) {
    order_.reserve(slots_.size());
}

// Returns the size of the word at a position of a copy: 8 bytes if both addresses are multiples of 8, otherwise 4.
unsigned CopyUnit::size_at(const Copy &copy, std::uint32_t position) {
    const bool wide = ((copy.source + position) | (copy.destination + position)) % 8 == 0 && copy.bytes - position >= 8;
    return wide ? 8 : 4;
}

bool CopyUnit::begin(const Copy &copy, std::uint64_t at, std::uint64_t now) {
    const auto free = std::ranges::find_if(slots_, [](const Slot &s) { return !s.is_used; });
    if (free == slots_.end()) return false;
    *free = Slot{.copy = copy, .is_used = true, .begins_at = at};
    used_++;
    order_.push_back(static_cast<unsigned>(free - slots_.begin()));
    find_ready(now);
    port_.changed(now);
    return true;
}

// Counts the acknowledgements that have arrived, then begins at most one word: the next one of the oldest copy that has
// words left.
void CopyUnit::run(std::uint64_t now) {
    while (!under_way_.empty() && under_way_.front().at <= now) {
        const Acknowledgement first = under_way_.front();
        under_way_.erase(under_way_.begin());
        count(first.number, first.bytes, now);
    }
    if (!order_.empty() && slots_[order_.front()].begins_at <= now) {
        const unsigned number = order_.front();
        Slot &slot = slots_[number];
        if (move(slot, number, now) && slot.begun == slot.copy.bytes) order_.erase(order_.begin());
    }
    find_ready(now);
}

// Begins the next word of a copy. Returns false if this is not possible in this cycle.
bool CopyUnit::move(Slot &slot, unsigned number, std::uint64_t now) {
    const std::uint32_t from = slot.copy.source + slot.begun, to = slot.copy.destination + slot.begun;
    const unsigned size = size_at(slot.copy, slot.begun);
    if (!port_.is_own(from)) {
        if (reads_ == configuration_.reads || !port_.send_read(from, size, number, now)) return false;
        reads_++;
        slot.begun += size;
        return true;
    }
    if (!slot.is_held && !port_.read_own(from, size, slot.word, now)) return false;
    slot.is_held = true;
    const bool is_own = port_.is_own(to);
    if (is_own ? !port_.write_own(to, size, slot.word, now) : !port_.send_write(to, size, slot.word, number, now)) {
        return false;
    }
    slot.is_held = false;
    slot.begun += size;
    if (is_own) arrive(number, 0, now);
    return true;
}

bool CopyUnit::reply(unsigned number, std::uint64_t value, std::uint64_t now) {
    const Slot &slot = slots_[number];
    const std::uint32_t to = slot.copy.destination + slot.arrived;
    if (!port_.write_own(to, size_at(slot.copy, slot.arrived), value, now)) return false;
    reads_--;
    arrive(number, 0, now);
    find_ready(now);
    port_.changed(now);
    return true;
}

void CopyUnit::landed(unsigned number, std::uint64_t now) {
    arrive(number, configuration_.acknowledge, now);
    find_ready(now);
    port_.changed(now);
}

// Handles the arrival of a copy's next word in its destination. If the word completes a line, acknowledges this line
// `delay` cycles later.
void CopyUnit::arrive(unsigned number, std::uint64_t delay, std::uint64_t now) {
    Slot &slot = slots_[number];
    const unsigned size = size_at(slot.copy, slot.arrived);
    slot.arrived += size;
    bytes_ += size;
    const bool ends_line = (slot.copy.destination + slot.arrived) % copies::line_bytes == 0;
    if (!ends_line && slot.arrived != slot.copy.bytes) return;
    const std::uint32_t bytes = slot.arrived - slot.acknowledged;
    slot.acknowledged = slot.arrived;
    if (delay == 0) count(number, bytes, now);
    else under_way_.push_back({now + delay, bytes, number});
}

// Adds the bytes of an acknowledged line to the copy's counter. Frees the slot of the copy behind its last line.
void CopyUnit::count(unsigned number, std::uint32_t bytes, std::uint64_t now) {
    Slot &slot = slots_[number];
    slot.counted += bytes;
    const bool is_complete = slot.counted == slot.copy.bytes;
    const Copy copy = slot.copy;
    if (is_complete) {
        slot.is_used = false;
        used_--;
    }
    port_.acknowledged(copy, bytes, now);
    if (is_complete) port_.finished(copy);
}

// Finds the next cycle in which the unit acts. A unit whose requests are all under way waits for a reply.
void CopyUnit::find_ready(std::uint64_t now) {
    ready_at_ = under_way_.empty() ? never : std::max(under_way_.front().at, now + 1);
    if (order_.empty()) return;
    const Slot &first = slots_[order_.front()];
    const bool waits = !port_.is_own(first.copy.source + first.begun) && reads_ == configuration_.reads;
    if (!waits) ready_at_ = std::min(ready_at_, std::max(first.begins_at, now + 1));
}

} // namespace skerry::sim
