// SPDX-License-Identifier: BSD-3-Clause
#include "cnoc/control_unit.hpp"

#include <cstring>

#include <fmt/format.h>

namespace skerry::sim {
namespace {

constexpr unsigned word_bytes = 8;

// Replaces one half of a value.
void set_half(std::uint64_t &of, bool high, std::uint32_t half) {
    if (high) of = (of & 0xffffffff) | std::uint64_t{half} << 32;
    else of = (of & ~std::uint64_t{0xffffffff}) | half;
}

bool is_access(std::uint32_t offset, unsigned size) {
    return (size == 4 || size == 8) && offset % size == 0;
}

} // namespace

std::string text_of(const ControlFault &f) {
    switch (f.kind) {
    case ControlFault::Kind::no_register:
        return fmt::format(
            "node {}: access of {} bytes at offset {:#x} of the control network's registers, where no register "
            "is",
            f.node, f.value, f.index);
    case ControlFault::Kind::sender_unused:
        return fmt::format("node {}: a word is sent by sender {} of the control network, which has no target", f.node,
                           f.index);
    case ControlFault::Kind::no_route:
        return fmt::format("node {}: the route {:#o} of sender {} of the control network leads to no node", f.node,
                           f.value, f.index);
    case ControlFault::Kind::closed:
        return fmt::format("node {}: a word from node {} has come to mailbox {}, which nobody owns", f.node, f.from,
                           f.index);
    case ControlFault::Kind::mode:
        return fmt::format("node {}: {} is no mode of mailbox {}: 0 is closed, 1 a word, 2 a barrier", f.node, f.value,
                           f.index);
    case ControlFault::Kind::mailbox:
        return fmt::format("node {}: sender {} of the control network cannot send to mailbox {}: a node has {}", f.node,
                           f.index, f.value, cnoc::mailboxes);
    }
    return {};
}

ControlUnit::ControlUnit(std::uint32_t node, std::uint32_t cores, ControlPort &port, dnoc::PacketPort &network)
    : node_(node), port_(port), network_(network), low_(cores) {
    mailboxes_[cnoc::start_mailbox].mode = cnoc::mode_barrier;
}

Access ControlUnit::fail(ControlFault fault, std::uint64_t now) {
    fault.node = node_;
    port_.fault(fault, now);
    return Access::fault;
}

// -- mailboxes --------------------------------------------------------------------------------------------------------

std::uint32_t ControlUnit::read_mailbox(const Mailbox &box, std::uint32_t word) const {
    switch (word) {
    case cnoc::mailbox_value: return static_cast<std::uint32_t>(box.value);
    case cnoc::mailbox_value + 4: return static_cast<std::uint32_t>(box.value >> 32);
    case cnoc::mailbox_mask: return static_cast<std::uint32_t>(box.mask);
    case cnoc::mailbox_mask + 4: return static_cast<std::uint32_t>(box.mask >> 32);
    case cnoc::mailbox_mode: return box.mode;
    case cnoc::mailbox_notify: return box.notify;
    case cnoc::mailbox_count:
    case cnoc::mailbox_take: return box.count;
    default: return 0;
    }
}

Access ControlUnit::load_mailbox(std::uint32_t offset, unsigned size, std::uint64_t &value, std::uint64_t now) {
    const std::uint32_t index = offset / cnoc::mailbox_bytes;
    const std::uint32_t word = offset % cnoc::mailbox_bytes;
    if (index >= cnoc::mailboxes || !is_access(offset, size) || word + size > cnoc::mailbox_take + 4) {
        return fail({ControlFault::Kind::no_register, 0, 0, offset, size}, now);
    }
    Mailbox &box = mailboxes_[index];
    value = read_mailbox(box, word);
    if (size == 8) value |= std::uint64_t{read_mailbox(box, word + 4)} << 32;
    if (word + size == cnoc::mailbox_take + 4) box.count = 0;
    return Access::done;
}

bool ControlUnit::write_mailbox(std::uint32_t index, std::uint32_t word, std::uint32_t value, std::uint64_t now) {
    Mailbox &box = mailboxes_[index];
    switch (word) {
    case cnoc::mailbox_value:
    case cnoc::mailbox_value + 4: set_half(box.value, word != cnoc::mailbox_value, value); break;
    case cnoc::mailbox_mask:
    case cnoc::mailbox_mask + 4: set_half(box.mask, word != cnoc::mailbox_mask, value); break;
    case cnoc::mailbox_mode:
        if (value > cnoc::mode_barrier) {
            fail({ControlFault::Kind::mode, 0, 0, index, value}, now);
            return false;
        }
        box.mode = value;
        break;
    case cnoc::mailbox_notify: box.notify = value; break;
    case cnoc::mailbox_count: box.count = value; break;
    default: break; // a store to mailbox_take has no effect
    }
    return true;
}

Access ControlUnit::store_mailbox(std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now) {
    const std::uint32_t index = offset / cnoc::mailbox_bytes;
    const std::uint32_t word = offset % cnoc::mailbox_bytes;
    if (index >= cnoc::mailboxes || !is_access(offset, size) || word + size > cnoc::mailbox_take + 4) {
        return fail({ControlFault::Kind::no_register, 0, 0, offset, size}, now);
    }
    for (unsigned k = 0; k < size; k += 4) {
        if (!write_mailbox(index, word + k, static_cast<std::uint32_t>(value >> 8 * k), now)) return Access::fault;
    }
    return Access::done;
}

void ControlUnit::count(Mailbox &box, std::uint64_t now) {
    box.count++;
    counters_.events++;
    if (box.notify != 0) port_.notify(box.notify, now);
}

void ControlUnit::take(std::uint32_t index, std::uint64_t word, std::uint64_t now) {
    Mailbox &box = mailboxes_[index];
    if (box.mode == cnoc::mode_word) {
        box.value = word;
        return count(box, now);
    }
    box.value |= word;
    if ((box.value & box.mask) != box.mask) return;
    box.value &= ~box.mask;
    count(box, now);
}

bool ControlUnit::accept(std::uint64_t cycle, const dnoc::Packet &packet) {
    counters_.received++;
    std::uint64_t word = 0;
    std::memcpy(&word, packet.payload.data(), sizeof word);
    if (mailboxes_[packet.tag].mode == cnoc::mode_closed) {
        fail({ControlFault::Kind::closed, 0, packet.source, packet.tag, 0}, cycle);
    } else {
        take(packet.tag, word, cycle);
    }
    return true;
}

// -- senders ----------------------------------------------------------------------------------------------------------

Access ControlUnit::load_sender(std::uint32_t core, std::uint32_t offset, unsigned size, std::uint64_t &value,
                                std::uint64_t now) {
    const std::uint32_t index = offset / cnoc::sender_bytes;
    if (index >= cnoc::senders || size != 4 || offset % 4 != 0) {
        return fail({ControlFault::Kind::no_register, 0, 0, offset, size}, now);
    }
    switch (offset % cnoc::sender_bytes) {
    case cnoc::sender_route: value = senders_[index].route; return Access::done;
    case cnoc::sender_target: value = senders_[index].target; return Access::done;
    case cnoc::sender_low: value = low_[core][index]; return Access::done;
    default: return fail({ControlFault::Kind::no_register, 0, 0, offset, size}, now);
    }
}

Access ControlUnit::send(std::uint32_t index, std::uint64_t word, std::uint64_t now) {
    const Sender &sender = senders_[index];
    if ((sender.target & cnoc::sender_valid) == 0)
        return fail({ControlFault::Kind::sender_unused, 0, 0, index, 0}, now);
    dnoc::Packet packet;
    packet.route = sender.route;
    packet.tag = static_cast<std::uint8_t>(sender.target);
    packet.bytes = word_bytes;
    packet.sender = static_cast<std::uint8_t>(index);
    std::memcpy(packet.payload.data(), &word, sizeof word);
    if (!network_.offer(now, node_, packet)) return Access::again;
    counters_.sent++;
    return Access::done;
}

Access ControlUnit::store_sender(std::uint32_t core, std::uint32_t offset, unsigned size, std::uint64_t value,
                                 std::uint64_t now) {
    const std::uint32_t index = offset / cnoc::sender_bytes;
    const std::uint32_t word = offset % cnoc::sender_bytes;
    const auto wrong = [&] { return fail({ControlFault::Kind::no_register, 0, 0, offset, size}, now); };
    if (index >= cnoc::senders || !is_access(offset, size)) return wrong();
    const auto half = static_cast<std::uint32_t>(value);
    if (size == 8) return word == cnoc::sender_low ? send(index, value, now) : wrong();
    switch (word) {
    case cnoc::sender_route:
        if (!network_.is_route(node_, half)) return fail({ControlFault::Kind::no_route, 0, 0, index, half}, now);
        senders_[index].route = half;
        return Access::done;
    case cnoc::sender_target:
        if ((half & ~cnoc::sender_valid) >= cnoc::mailboxes) {
            return fail({ControlFault::Kind::mailbox, 0, 0, index, half & ~cnoc::sender_valid}, now);
        }
        senders_[index].target = half;
        return Access::done;
    case cnoc::sender_low: low_[core][index] = half; return Access::done;
    case cnoc::sender_high: return send(index, std::uint64_t{half} << 32 | low_[core][index], now);
    case cnoc::sender_word: return send(index, half, now);
    default: return wrong();
    }
}

} // namespace skerry::sim
