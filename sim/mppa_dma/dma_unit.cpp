// SPDX-License-Identifier: BSD-3-Clause
#include "mppa_dma/dma_unit.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

namespace skerry::sim {
namespace {

constexpr std::uint32_t tag_bits = 0xff;

// Returns true if an offset is in a range of registers.
constexpr bool is_in(std::uint32_t offset, std::uint32_t base, std::uint32_t bytes) {
    return offset - base < bytes;
}

} // namespace

MppaDma::MppaDma(const MppaNode &node, const MppaDmaConfiguration &configuration, MppaDmaPort &port,
                 dnoc::PacketPort &network)
    : node_(node), configuration_(configuration), port_(port), network_(network), cores_(node.cores),
      shapers_(node.number, node.cores + mppa::micro_cores, network) {
    MicroPort &micro_port = *this;
    micro_cores_.reserve(mppa::micro_cores);
    for (unsigned k = 0; k < mppa::micro_cores; k++) {
        micro_cores_.emplace_back(k, configuration_, program_, port_, micro_port);
    }
}

// -- registers --------------------------------------------------------------------------------------------------------

Access MppaDma::load(std::uint32_t core, std::uint32_t offset, unsigned size, std::uint64_t &value, std::uint64_t now) {
    std::uint32_t word = 0;
    if (size != 4 || !load_word(core, offset, word)) {
        return fail({.kind = MppaFault::Kind::no_register, .address = mppa::registers_base + offset, .bytes = size},
                    now);
    }
    value = word;
    return Access::done;
}

bool MppaDma::load_word(std::uint32_t core, std::uint32_t offset, std::uint32_t &value) {
    const auto index = [offset](std::uint32_t base, std::uint32_t bytes) { return (offset - base) / bytes; };
    if (offset == mppa::node_number) value = node_.number;
    else if (offset == mppa::node_count) value = node_.nodes;
    else if (offset == mppa::cluster_count) value = node_.clusters;
    else if (is_in(offset, mppa::headers_base, mppa::headers * mppa::header_bytes)) {
        const Header &header = headers_[index(mppa::headers_base, mppa::header_bytes)];
        value = offset % mppa::header_bytes == mppa::header_route ? header.route : header.target;
    } else if (offset == mppa::push_offset) value = cores_[core].offset;
    else if (is_in(offset, mppa::shapers_base, mppa::shapers * mppa::shaper_bytes)) {
        value = shapers_.read(index(mppa::shapers_base, mppa::shaper_bytes), offset % mppa::shaper_bytes);
    } else if (is_in(offset, mppa::tags_base, mppa::tags * mppa::tag_bytes)) {
        value = tags_.read(index(mppa::tags_base, mppa::tag_bytes), offset % mppa::tag_bytes);
    } else if (is_in(offset, mppa::take_base, mppa::tags * 4)) value = tags_.take(index(mppa::take_base, 4));
    else if (is_in(offset, mppa::items_base, mppa::tags * 4)) value = tags_.items(index(mppa::items_base, 4));
    else if (is_in(offset, mppa::items_reload_base, mppa::tags * 4)) {
        value = tags_.items_reload(index(mppa::items_reload_base, 4));
    } else if (is_in(offset, mppa::items_take_base, mppa::tags * 4)) {
        value = std::exchange(tags_.items(index(mppa::items_take_base, 4)), 0);
    } else if (is_in(offset, mppa::program_base, mppa::instructions * 8)) {
        value = static_cast<std::uint32_t>(program_[index(mppa::program_base, 8)] >> (offset % 8 * 8));
    } else if (is_in(offset, mppa::parameters_base, mppa::parameters * 4)) {
        value = cores_[core].parameters[index(mppa::parameters_base, 4)];
    } else if (is_in(offset, mppa::micro_jobs, mppa::micro_cores * 4)) {
        value = micro_cores_[index(mppa::micro_jobs, 4)].jobs();
    } else if (is_in(offset, mppa::micro_finished, mppa::micro_cores * 4)) {
        value = micro_cores_[index(mppa::micro_finished, 4)].finished();
    } else return false;
    return true;
}

Access MppaDma::store(std::uint32_t core, std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now) {
    if (is_in(offset, mppa::push_base, mppa::push_bytes)) {
        std::memcpy(cores_[core].bytes.data() + (offset - mppa::push_base), &value, size);
        return Access::done;
    }
    constexpr std::uint32_t all = mppa::headers * mppa::send_stride;
    const auto push_to = [&](std::uint32_t base, bool end) {
        const std::uint32_t at = offset - base;
        return push(core, at / mppa::send_stride, at % mppa::send_stride, size, value, end, now);
    };
    if (is_in(offset, mppa::send_base, all)) return push_to(mppa::send_base, false);
    if (is_in(offset, mppa::send_end_base, all)) return push_to(mppa::send_end_base, true);
    if (is_in(offset, mppa::program_base, mppa::instructions * 8) && size == 8) {
        program_[(offset - mppa::program_base) / 8] = value;
        return Access::done;
    }
    if (size == 4) {
        const Access access = store_word(core, offset, static_cast<std::uint32_t>(value), now);
        if (access != Access::fault || has_failed_) return access;
    }
    return fail(
        {.kind = MppaFault::Kind::no_register, .index = 1, .address = mppa::registers_base + offset, .bytes = size},
        now);
}

// Returns Access::fault, without a call of fail(), if there is no register.
Access MppaDma::store_word(std::uint32_t core, std::uint32_t offset, std::uint32_t value, std::uint64_t now) {
    const auto index = [offset](std::uint32_t base, std::uint32_t bytes) { return (offset - base) / bytes; };
    const auto checked = [&](const MppaFault &fault) {
        return fault.kind == MppaFault::Kind::none          ? Access::done
               : fault.kind == MppaFault::Kind::no_register ? Access::fault
                                                            : fail(fault, now);
    };
    if (is_in(offset, mppa::end_base, mppa::headers * 4)) {
        return send_from_core(core, index(mppa::end_base, 4), 0, true, now);
    }
    if (offset == mppa::push_offset) {
        cores_[core].offset = value;
        return Access::done;
    }
    if (is_in(offset, mppa::parameters_base, mppa::parameters * 4)) {
        cores_[core].parameters[index(mppa::parameters_base, 4)] = value;
        return Access::done;
    }
    if (is_in(offset, mppa::micro_start, (mppa::any_micro_core + 1) * 4)) {
        return start(core, index(mppa::micro_start, 4), value, now);
    }
    if (is_in(offset, mppa::tags_base, mppa::tags * mppa::tag_bytes)) {
        return checked(tags_.write(index(mppa::tags_base, mppa::tag_bytes), offset % mppa::tag_bytes, value));
    }
    if (is_in(offset, mppa::items_base, mppa::tags * 4)) {
        tags_.items(index(mppa::items_base, 4)) = value;
        return Access::done;
    }
    if (is_in(offset, mppa::items_reload_base, mppa::tags * 4)) {
        tags_.items_reload(index(mppa::items_reload_base, 4)) = value;
        return Access::done;
    }
    if (is_in(offset, mppa::headers_base, mppa::headers * mppa::header_bytes)) {
        Header &header = headers_[index(mppa::headers_base, mppa::header_bytes)];
        (offset % mppa::header_bytes == mppa::header_route ? header.route : header.target) = value;
        return Access::done;
    }
    if (is_in(offset, mppa::shapers_base, mppa::shapers * mppa::shaper_bytes)) {
        const MppaFault fault =
            shapers_.write(index(mppa::shapers_base, mppa::shaper_bytes), offset % mppa::shaper_bytes, value, now);
        if (fault.kind == MppaFault::Kind::none) changed(now); // a packet that waits can possibly be sent earlier
        return checked(fault);
    }
    if (is_in(offset, mppa::program_base, mppa::instructions * 8)) {
        std::uint64_t &word = program_[index(mppa::program_base, 8)];
        const unsigned shift = offset % 8 * 8;
        word = (word & ~(std::uint64_t{0xffffffff} << shift)) | std::uint64_t{value} << shift;
        return Access::done;
    }
    return Access::fault;
}

Access MppaDma::fail(MppaFault fault, std::uint64_t now) {
    fault.node = node_.number;
    has_failed_ = true;
    port_.fault(fault, now);
    return Access::fault;
}

// -- packets of cores and micro-cores ---------------------------------------------------------------------------------

// Returns a fault if packets cannot be sent with a header.
MppaFault MppaDma::check(std::uint32_t header) const {
    const Header &h = headers_[header];
    if ((h.target & mppa::header_valid) == 0) return {.kind = MppaFault::Kind::header_unused, .index = header};
    if (!network_.is_route(node_.number, h.route)) {
        return {.kind = MppaFault::Kind::no_route, .index = header, .value = h.route};
    }
    return {};
}

Access MppaDma::push(std::uint32_t core, std::uint32_t header, std::uint32_t position, unsigned size,
                     std::uint64_t value, bool end, std::uint64_t now) {
    std::memcpy(cores_[core].bytes.data() + position, &value, size);
    return send_from_core(core, header, position + size, end, now);
}

Access MppaDma::send_from_core(std::uint32_t core, std::uint32_t header, std::uint32_t bytes, bool end,
                               std::uint64_t now) {
    if (!shapers_.is_free(core)) return Access::again;
    if (const MppaFault fault = check(header); fault.kind != MppaFault::Kind::none) return fail(fault, now);
    const CoreState &state = cores_[core];
    dnoc::Packet packet;
    packet.offset = state.offset;
    packet.bytes = static_cast<std::uint16_t>(bytes);
    packet.end_of_transfer = end;
    std::copy_n(state.bytes.begin(), bytes, packet.payload.begin());
    put(core, header, packet, now + configuration_.send);
    changed(now);
    return Access::done;
}

// Sends a packet of a micro-core.
bool MppaDma::send(unsigned micro_core, std::uint32_t header, dnoc::Packet &packet, std::uint64_t at) {
    const unsigned sender = node_.cores + micro_core;
    if (!shapers_.is_free(sender)) return false;
    const MppaFault fault = check(header);
    if (fault.kind != MppaFault::Kind::none) fail(fault, at);
    else put(sender, header, packet, at);
    return true;
}

// Gives a packet to the shaper of its header. The numbers of senders are those of the cores, and then the micro-cores.
void MppaDma::put(unsigned sender, std::uint32_t header, dnoc::Packet &packet, std::uint64_t at) {
    const Header &h = headers_[header];
    packet.route = h.route;
    packet.tag = static_cast<std::uint8_t>(h.target & tag_bits);
    packet.source = static_cast<std::uint16_t>(node_.number);
    packet.sender = static_cast<std::uint8_t>(sender);
    shapers_.put(sender, shaper_of(h), packet, at);
}

std::uint32_t MppaDma::payload(std::uint32_t header) const {
    return shapers_.payload(shaper_of(headers_[header]));
}

// Starts a job with the core's parameters. Of several micro-cores, the first of those with the fewest jobs gets it.
Access MppaDma::start(std::uint32_t core, std::uint32_t micro_core, std::uint32_t value, std::uint64_t now) {
    const std::uint32_t first = value & 0xff, header = value >> mppa::start_header_shift;
    if (first >= mppa::instructions || header >= mppa::headers) {
        return fail({.kind = MppaFault::Kind::start, .value = value}, now);
    }
    const auto chosen = micro_core != mppa::any_micro_core
                            ? micro_cores_.begin() + micro_core
                            : std::ranges::min_element(micro_cores_, {}, &MicroCore::jobs);
    if (!chosen->start(first, header, cores_[core].parameters, now)) return Access::again;
    busy_micro_cores_ |= 1U << (chosen - micro_cores_.begin());
    changed(now);
    return Access::done;
}

// -- packets that arrive ----------------------------------------------------------------------------------------------

bool MppaDma::accept(std::uint64_t cycle, const dnoc::Packet &packet) {
    if (arrived_.size() == receive_buffers) return false;
    Arrived arrived{.packet = packet, .place = {}, .at = cycle + configuration_.receive};
    MppaFault fault = tags_.place(packet, arrived.place);
    const RxTags::Place &place = arrived.place;
    const bool can_write = (place.bytes == 0 || port_.can_write(place.address, place.bytes)) &&
                           (place.bytes == packet.bytes || port_.can_write(place.window, packet.bytes - place.bytes));
    if (fault.kind == MppaFault::Kind::none && !can_write) {
        fault = {.kind = MppaFault::Kind::window_memory,
                 .index = packet.tag,
                 .address = place.address,
                 .bytes = packet.bytes};
    }
    if (fault.kind != MppaFault::Kind::none) {
        fail(fault, cycle);
        return true;
    }
    packets_received_++;
    bytes_received_ += packet.bytes;
    arrived_.push_back(arrived);
    changed(cycle);
    return true;
}

// Writes at most one double word of the oldest packet. Counts its end of transfer behind its last bytes, so a core that
// sees the count finds the bytes in memory.
void MppaDma::write_arrived(std::uint64_t now) {
    if (arrived_.empty() || arrived_.front().at > now) return;
    Arrived &first = arrived_.front();
    if (first.written < first.packet.bytes) {
        const RxTags::Place &place = first.place;
        const bool is_second = first.written >= place.bytes; // of the two parts of a packet
        const std::uint32_t to = is_second ? place.window + first.written - place.bytes : place.address + first.written;
        const std::uint32_t end = is_second ? first.packet.bytes : place.bytes;
        const std::uint32_t part = std::min(end - first.written, word_bytes - to % word_bytes);
        if (!port_.write(to, std::span(first.packet.payload).subspan(first.written, part), now)) return;
        first.written += part;
    }
    if (first.written < first.packet.bytes) return;
    count_items(first.packet.tag, first.packet.bytes, first.packet.end_of_transfer, now);
    arrived_.pop_front();
}

void MppaDma::count(std::uint32_t tag, std::uint64_t now) {
    count_items(tag, 0, true, now);
}

void MppaDma::count_items(std::uint32_t tag, std::uint32_t bytes, bool end, std::uint64_t now) {
    if (!tags_.is_owned(tag)) {
        if (end) fail({.kind = MppaFault::Kind::tag_unowned, .from = node_.number, .index = tag}, now);
        return;
    }
    if (const std::uint32_t cores = tags_.count(tag, bytes, end); cores != 0) port_.notify(cores, now);
}

// -- time -------------------------------------------------------------------------------------------------------------

void MppaDma::run(std::uint64_t now) {
    write_arrived(now);
    for (std::uint32_t left = busy_micro_cores_; left != 0; left &= left - 1) {
        const auto k = static_cast<unsigned>(std::countr_zero(left));
        if (micro_cores_[k].ready_at() > now) continue;
        if (const MppaFault fault = micro_cores_[k].run(now); fault.kind != MppaFault::Kind::none) fail(fault, now);
        if (micro_cores_[k].jobs() == 0) busy_micro_cores_ &= ~(1U << k);
    }
    if (const MppaFault fault = shapers_.run(now); fault.kind != MppaFault::Kind::none) fail(fault, now);
    find_ready(now);
}

bool MppaDma::busy() const {
    return shapers_.busy() || !arrived_.empty() || busy_micro_cores_ != 0;
}

void MppaDma::changed(std::uint64_t now) {
    find_ready(now);
    port_.changed(now);
}

void MppaDma::find_ready(std::uint64_t now) {
    ready_at_ = shapers_.ready_at(now);
    if (!arrived_.empty()) ready_at_ = std::min(ready_at_, std::max(arrived_.front().at, now + 1));
    for (std::uint32_t left = busy_micro_cores_; left != 0; left &= left - 1) {
        const MicroCore &m = micro_cores_[static_cast<unsigned>(std::countr_zero(left))];
        ready_at_ = std::min(ready_at_, std::max(m.ready_at(), now + 1));
    }
    if (has_failed_) ready_at_ = never;
}

MppaDma::Counters MppaDma::counters() const {
    Counters c{.packets_sent = shapers_.packets(),
               .bytes_sent = shapers_.bytes(),
               .packets_received = packets_received_,
               .bytes_received = bytes_received_};
    for (const MicroCore &m : micro_cores_) c.jobs += m.finished();
    return c;
}

} // namespace skerry::sim
