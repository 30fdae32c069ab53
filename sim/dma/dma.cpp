// SPDX-License-Identifier: BSD-3-Clause
// Simulates one cycle of a DMA engine, which has two channels. A channel's `next_at` is the next cycle in which the
// channel has something to do. If both channels have something to do in a cycle, only one of them acts. The other
// channel has priority in the next such cycle.
#include "dma/dma.hpp"

#include <algorithm>

namespace skerry::sim {
namespace {

// Returns the step in bytes that one half of a stride register means. The half is a signed number of bytes. If
// `shifted`, it is a number of units of 64 KB.
std::uint32_t step_of(std::uint32_t half, bool shifted) {
    const std::uint32_t sign = (half & 0x8000) != 0 ? 0xffff0000 : 0;
    return shifted ? half << 16 : (half & 0xffff) | sign;
}

bool is_set(std::uint32_t config, std::uint32_t bit) {
    return (config & bit) != 0;
}

} // namespace

Dma::Dma(std::uint32_t core_id, DmaPort &port, const DmaTiming &timing)
    : core_id_(core_id), port_(port), timing_(timing), slots_(timing.outstanding_reads) {
}

void Dma::run(std::uint64_t now) {
    bool taken = forward(now);
    const unsigned first = 1 - last_;
    for (unsigned k = 0; k < dma_channels; k++) {
        Channel &c = channel_[(first + k) % dma_channels];
        if (c.next_at > now) continue;
        if (taken) {
            stall(c, DmaStall::channel, now + 1, now);
        } else if (act(c, now)) {
            taken = true;
            last_ = index(c);
        }
    }
    schedule();
}

void Dma::schedule() {
    ready_at = !to_forward_.empty() ? forward_at_ : never_;
    for (const Channel &c : channel_) ready_at = std::min(ready_at, c.next_at);
    if (paused_) ready_at = never_;
}

bool Dma::act(Channel &c, std::uint64_t now) {
    switch (c.step) {
    case Step::fetch: return fetch(c, now);
    case Step::element: return begin_element(c, now);
    case Step::deliver: return deliver(c, now);
    case Step::message: return send_message(c, now);
    case Step::rest:
    case Step::drain: break;
    }
    c.next_at = never_;
    return false;
}

// -- results of an access ---------------------------------------------------------------------------------------------

bool Dma::stall(Channel &c, DmaStall cause, std::uint64_t until, std::uint64_t now) {
    c.counters.stalls[static_cast<unsigned>(cause)] += until - now;
    c.next_at = until;
    return false;
}

bool Dma::error(Channel &c, DmaMistake mistake, std::uint32_t address, unsigned size, std::uint64_t now) {
    c.fault = {mistake, address, static_cast<std::uint8_t>(size)};
    rest(c, DmaState::error, now);
    port_.dma_stopped(index(c));
    return false;
}

// Handles the result of an access. Returns true if the access was done. After Access::again, the channel tries the
// access again in the next cycle. After Access::fault, the channel enters the error state.
bool Dma::settled(Channel &c, Access access, DmaMistake mistake, std::uint32_t address, std::uint64_t now) {
    if (access == Access::again) return stall(c, DmaStall::bank, now + 1, now);
    return access == Access::done || error(c, mistake, address, size_of(c), now);
}

bool Dma::settled(Channel &c, Acceptance offer, DmaMistake mistake, std::uint32_t address, std::uint64_t now) {
    if (offer == Acceptance::refused) return stall(c, DmaStall::network, now + 1, now);
    return offer == Acceptance::taken || error(c, mistake, address, size_of(c), now);
}

void Dma::await_reply(Channel &c, std::uint64_t now) {
    c.waiting_since = now;
    c.next_at = never_;
}

// -- fetching descriptors ---------------------------------------------------------------------------------------------

bool Dma::fetch(Channel &c, std::uint64_t now) {
    const std::uint32_t at = c.config >> dma_config::next_descriptor_shift;
    if (at % 8 != 0) return error(c, DmaMistake::bad_descriptor, at, 8, now);
    const Access access = port_.read_own(at + 8U * c.fetched, 8, c.words[c.fetched], now);
    if (!settled(c, access, DmaMistake::bad_descriptor, at, now)) return false;
    c.next_at = now + 1;
    if (++c.fetched < c.words.size()) return true;

    c.descriptor = at;
    c.config = static_cast<std::uint32_t>(c.words[0]);
    c.stride = static_cast<std::uint32_t>(c.words[0] >> 32);
    c.count = static_cast<std::uint32_t>(c.words[1]);
    c.outer_stride = static_cast<std::uint32_t>(c.words[1] >> 32);
    c.source = static_cast<std::uint32_t>(c.words[2]);
    c.destination = static_cast<std::uint32_t>(c.words[2] >> 32);
    c.fetched = 0;
    // A descriptor is a block of register values in memory. With the STARTUP bit it starts no transfer: it contains
    // only the address of the next descriptor, which the channel then fetches.
    if (is_set(c.config, dma_config::startup)) return true;
    if (!is_set(c.config, dma_config::enable)) {
        error(c, DmaMistake::not_enabled, at, 8, now);
        return true;
    }
    begin_transfer(c, now + timing_.descriptor);
    return true;
}

// Starts a transfer. The channel's registers must be set. The first element can begin in the cycle after `now`.
void Dma::begin_transfer(Channel &c, std::uint64_t now) {
    c.inner_count = c.count & 0xffff;
    c.last_destination = c.destination;
    c.step = Step::element;
    c.next_at = now + 1;
    c.state = DmaState::active;
    if (is_set(c.config, dma_config::master)) return;
    c.state = DmaState::slave;
    if (c.count >> 16 == 0) return; // there are no elements: begin_element() ends the transfer at once
    c.step = Step::rest;
    c.next_at = never_;
}

// -- elements of a transfer -------------------------------------------------------------------------------------------

bool Dma::begin_element(Channel &c, std::uint64_t now) {
    if (c.count >> 16 == 0) {
        all_sent(c, now);
        return false;
    }
    if ((c.count & 0xffff) == 0) return error(c, DmaMistake::no_count, c.count, 0, now);
    const unsigned size = size_of(c);
    if (c.source % size != 0) return error(c, DmaMistake::unaligned, c.source, size, now);
    if (c.destination % size != 0) return error(c, DmaMistake::unaligned, c.destination, size, now);
    if (now < element_free_at_) return stall(c, DmaStall::pace, element_free_at_, now);
    if (!is_own(c.source)) return request(c, now);

    const Access access = port_.read_own(c.source & (core_space - 1), size, c.data, now);
    if (!settled(c, access, DmaMistake::read_nowhere, c.source, now)) return false;
    element_free_at_ = now + timing_.element_interval;
    c.step = Step::deliver;
    c.next_at = now + 1;
    return true;
}

bool Dma::request(Channel &c, std::uint64_t now) {
    if (now < read_free_at_) return stall(c, DmaStall::pace, read_free_at_, now);
    const auto slot = std::ranges::find(slots_, false, &Slot::taken);
    if (slot == slots_.end()) {
        await_reply(c, now);
        return false;
    }
    const unsigned size = size_of(c);
    const auto tag = static_cast<std::uint16_t>(slot - slots_.begin());
    if (!settled(c, port_.send_read(c.source, size, tag, now), DmaMistake::read_nowhere, c.source, now)) return false;
    *slot = {c.destination, static_cast<std::uint8_t>(index(c)), static_cast<std::uint8_t>(size), true, 0};
    outstanding_++;
    c.outstanding++;
    element_free_at_ = now + timing_.element_interval;
    read_free_at_ = now + timing_.read_interval;
    next_element(c, now);
    return true;
}

bool Dma::deliver(Channel &c, std::uint64_t now) {
    const unsigned size = size_of(c);
    const std::uint32_t to = c.destination;
    if (to % size != 0) return error(c, DmaMistake::unaligned, to, size, now); // only possible in a slave channel
    const bool written =
        is_own(to)
            ? settled(c, port_.write_own(to & (core_space - 1), size, c.data, now), DmaMistake::write_nowhere, to, now)
            : settled(c, port_.send_write(to, size, c.data, now), DmaMistake::write_nowhere, to, now);
    if (!written) return false;
    next_element(c, now);
    return true;
}

// Advances addresses and counts to the next element. At the end of the inner loop the outer stride is added in place of
// the inner stride.
void Dma::next_element(Channel &c, std::uint64_t now) {
    c.counters.elements++;
    c.counters.bytes += size_of(c);
    c.last_destination = c.destination;
    const bool again = (c.count & 0xffff) != 1;
    const std::uint32_t stride = again ? c.stride : c.outer_stride;
    const std::uint32_t shift_source = again ? dma_config::shift_source_inner : dma_config::shift_source_outer;
    const std::uint32_t shift_destination =
        again ? dma_config::shift_destination_inner : dma_config::shift_destination_outer;
    c.source += step_of(stride, is_set(c.config, shift_source));
    c.destination += step_of(stride >> 16, is_set(c.config, shift_destination));
    c.count = again ? c.count - 1 : ((c.count >> 16) - 1) << 16 | c.inner_count;

    const bool slave = c.state == DmaState::slave;
    c.step = slave ? Step::rest : Step::element;
    c.next_at = slave ? never_ : std::max(now + 1, element_free_at_);
    if (c.step == Step::element) {
        c.counters.stalls[static_cast<unsigned>(DmaStall::pace)] += c.next_at - now - 1;
    }
    if (c.count >> 16 == 0) all_sent(c, now);
}

// -- the end of a transfer --------------------------------------------------------------------------------------------

// Continues a transfer that has sent its last element, or has requested its last read.
// * Without message mode, the transfer ends.
// * In message mode, the channel first waits until the replies to all its read requests have arrived. If the data went
//   to another core, the channel then sends a message to that core: a write that raises an interrupt.
// * The message cannot overtake the last element, because both take the same path.
void Dma::all_sent(Channel &c, std::uint64_t now) {
    if (!is_set(c.config, dma_config::message)) return finish(c, now);
    if (c.outstanding != 0) {
        c.state = DmaState::wait;
        c.step = Step::drain;
        return await_reply(c, now);
    }
    if (c.last_destination < core_space || !port_.is_core(c.last_destination)) return finish(c, now);
    c.step = Step::message;
    c.next_at = now + 1;
}

bool Dma::send_message(Channel &c, std::uint64_t now) {
    if (c.last_destination >> 20 == core_id_) {
        port_.interrupt(Interrupt::message, now);
        finish(c, now);
        return false;
    }
    const std::uint32_t latch =
        c.last_destination / core_space * core_space + address_of(SpecialRegister::interrupt_latch_set);
    const Acceptance offer = port_.send_write(latch, 4, bit_of(Interrupt::message), now);
    if (!settled(c, offer, DmaMistake::write_nowhere, latch, now)) return false;
    finish(c, now);
    return true;
}

void Dma::finish(Channel &c, std::uint64_t now) {
    c.counters.transfers++;
    if (is_set(c.config, dma_config::interrupt_enable)) {
        port_.interrupt(index(c) == 0 ? Interrupt::dma0 : Interrupt::dma1, now);
    }
    if (!is_set(c.config, dma_config::chain)) return rest(c, DmaState::idle, now);
    c.state = DmaState::active;
    c.step = Step::fetch;
    c.next_at = now + 1;
}

void Dma::rest(Channel &c, DmaState state, std::uint64_t now) {
    if (c.state != DmaState::idle && c.state != DmaState::error) c.counters.active += now + 1 - c.since;
    c.state = state;
    c.step = Step::rest;
    c.fetched = 0;
    c.next_at = never_;
}

// -- replies to read requests -----------------------------------------------------------------------------------------

bool Dma::reply(std::uint16_t tag, std::uint64_t value, std::uint64_t now) {
    Slot &slot = slots_[tag];
    Channel &c = channel_[slot.channel];
    slot.data = value;
    if (!is_own(slot.destination)) {
        if (to_forward_.empty()) forward_at_ = now + 1;
        to_forward_.push_back(tag);
        schedule();
        return true;
    }
    const Access access = port_.write_own(slot.destination & (core_space - 1), slot.size, value, now);
    if (access == Access::again) return false;
    release(slot, now);
    if (access == Access::fault && c.state != DmaState::error) {
        error(c, DmaMistake::write_nowhere, slot.destination, slot.size, now);
    }
    schedule();
    return true;
}

// Sends the data of the oldest reply in to_forward_ to their destination, which is outside the engine's own core.
// Returns true if an access was made. The engine can make one access in a cycle.
bool Dma::forward(std::uint64_t now) {
    if (to_forward_.empty() || forward_at_ > now) return false;
    forward_at_ = now + 1;
    Slot &slot = slots_[to_forward_.front()];
    const Acceptance offer = port_.send_write(slot.destination, slot.size, slot.data, now);
    Channel &c = channel_[slot.channel];
    if (offer == Acceptance::refused) return false;
    to_forward_.erase(to_forward_.begin());
    release(slot, now);
    if (offer == Acceptance::fault && c.state != DmaState::error) {
        error(c, DmaMistake::write_nowhere, slot.destination, slot.size, now);
    }
    return true;
}

// Frees the slot of a read request. Wakes a channel that waits for a free slot, or for the last reply to its requests.
void Dma::release(Slot &slot, std::uint64_t now) {
    slot.taken = false;
    outstanding_--;
    channel_[slot.channel].outstanding--;
    for (Channel &c : channel_) {
        if (c.next_at != never_) continue;
        if (c.step == Step::element) {
            stall(c, DmaStall::replies, now + 1, c.waiting_since);
        } else if (c.step == Step::drain && c.outstanding == 0) {
            stall(c, DmaStall::replies, now, c.waiting_since);
            all_sent(c, now);
        }
    }
}

} // namespace skerry::sim
