// SPDX-License-Identifier: BSD-3-Clause
// Simulates the two directions of the link: a queue of transactions that leave the chip, and a queue of replies that
// return.
#include "link/link.hpp"

#include <algorithm>

namespace skerry::sim {

bool Link::accept(std::uint64_t cycle, const Transaction &transaction) {
    const bool write = transaction.kind == Transaction::Kind::write;
    if (write ? writes_ >= configuration_.writes_buffered : reads_ >= configuration_.reads_under_way) {
        statistics_.refused++;
        return false;
    }
    (write ? writes_ : reads_)++;
    outward_.push_back(transaction);
    if (outward_.size() == 1) begin_next(cycle);
    schedule();
    return true;
}

void Link::step(std::uint64_t cycle) {
    if (out_at_ <= cycle) finish_outward(cycle);
    if (!inward_.empty() && inward_.front().ready <= cycle && inward_free_ <= cycle) bring_in(cycle);
    schedule();
}

void Link::schedule() {
    next_at_ = out_at_;
    if (!inward_.empty()) next_at_ = std::min(next_at_, std::max(inward_.front().ready, inward_free_));
}

bool Link::continues_burst(const Transaction &write) const {
    constexpr std::uint8_t widest = 8;
    return write.kind == Transaction::Kind::write && last_.kind == Transaction::Kind::write && write.size == widest &&
           last_.size == widest && write.source == last_.source && write.tag == last_.tag &&
           write.address == last_.address + widest && (write.tag == 0 || configuration_.burst_of_dma);
}

void Link::begin_next(std::uint64_t cycle) {
    const Transaction &next = outward_.front();
    const bool burst = continues_burst(next);
    const unsigned cycles = burst ? configuration_.burst_cycles : configuration_.outward_cycles;
    const bool write = next.kind == Transaction::Kind::write;
    (write ? statistics_.writes : statistics_.reads)++;
    statistics_.bursts += burst;
    statistics_.outward_busy += cycles;
    out_at_ = cycle + cycles;
    last_ = next;
}

void Link::finish_outward(std::uint64_t cycle) {
    const Transaction out = outward_.front();
    outward_.pop_front();
    out_at_ = never;
    if (!outward_.empty()) begin_next(cycle);
    const std::uint64_t value = memory_.access(cycle, out);
    if (out.kind == Transaction::Kind::write) {
        writes_--;
        return;
    }
    Transaction reply = out;
    reply.kind = Transaction::Kind::read_reply;
    reply.address = out.return_address;
    reply.data = value;
    inward_.push_back({cycle + configuration_.memory_cycles, reply});
}

void Link::bring_in(std::uint64_t cycle) {
    if (!network_.offer_from_link(cycle, edge_, Mesh::on_chip_write, inward_.front().transaction)) {
        inward_free_ = cycle + 1;
        return;
    }
    inward_.pop_front();
    reads_--;
    inward_free_ = cycle + configuration_.inward_cycles;
    statistics_.inward_busy += configuration_.inward_cycles;
}

} // namespace skerry::sim
