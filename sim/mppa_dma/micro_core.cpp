// SPDX-License-Identifier: BSD-3-Clause
#include "mppa_dma/micro_core.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace skerry::sim {

using mppa::Action;
using mppa::Change;
using mppa::Count;
using mppa::MicroInstruction;

namespace {

// Returns true if an action moves bytes or counts an end of transfer. A program without such actions would never end.
constexpr bool moves(Action action) {
    switch (action) {
    case Action::read_1:
    case Action::read_8:
    case Action::read_32:
    case Action::end:
    case Action::again:
    case Action::local: return true;
    default: return false;
    }
}

} // namespace

bool MicroCore::start(std::uint32_t first, std::uint32_t header, const MicroParameters &parameters, std::uint64_t now) {
    if (jobs_.size() == configuration_.jobs) return false;
    jobs_.push_back({first, header, now + configuration_.start, parameters});
    if (jobs_.size() == 1) begin(now);
    return true;
}

// Prepares the first job of the queue.
void MicroCore::begin(std::uint64_t now) {
    const Job &job = jobs_.front();
    next_ = std::max(job.at, now + 1);
    pc_ = job.first;
    header_ = job.header;
    pointers_ = {};
    counters_ = {};
    idle_ = 0;
    packet_.offset = 0;
    packet_.bytes = 0;
    packet_.job = static_cast<std::uint16_t>(finished_ % std::numeric_limits<std::uint16_t>::max() + 1);
    bytes_at_ = 0;
    has_sent_ = false;
}

MppaFault MicroCore::run(std::uint64_t now) {
    next_ = now + 1;
    MicroInstruction i;
    Result result = Result::again;
    if (pc_ >= mppa::instructions) result = fail(MppaFault::Kind::past_end);
    else if (!mppa::decode(program_[pc_], i)) result = fail(MppaFault::Kind::bad_program);
    else result = act(i, now);
    if (result == Result::fault) {
        next_ = never;
        return fault_;
    }
    if (result == Result::again) return {};
    if (i.action == Action::stop) {
        finished_++;
        jobs_.pop_front();
        if (!jobs_.empty()) begin(now);
        return {};
    }
    go_on(i);
    idle_ = moves(i.action) ? 0 : idle_ + 1;
    if (idle_ < mppa::most_idle) return {};
    fail(MppaFault::Kind::endless);
    next_ = never;
    return fault_;
}

// Executes the action of an instruction. Returns `again` if it has to go on, or is to be repeated, in a later cycle.
MicroCore::Result MicroCore::act(const MicroInstruction &i, std::uint64_t now) {
    const std::uint32_t pointer = pointers_[i.pointer], parameter = jobs_.front().parameters[i.parameter];
    const auto after_send = [&](bool end) { return send(end, now) ? Result::done : Result::again; };
    switch (i.action) {
    case Action::none: return Result::done;
    case Action::read_1: return read(pointer, 1, now);
    case Action::read_8: return read(pointer, 8, now);
    case Action::read_32: return read(pointer, 32, now);
    case Action::load: return load(i, now);
    case Action::send:
    case Action::stop: return packet_.bytes == 0 ? Result::done : after_send(false);
    case Action::end: return after_send(true);
    case Action::offset:
        if (packet_.bytes != 0 && !send(false, now)) return Result::again;
        packet_.offset = pointer;
        return Result::done;
    case Action::header:
        if (!is_number(parameter, mppa::headers)) return Result::fault;
        if (packet_.bytes != 0 && !send(false, now)) return Result::again;
        header_ = parameter;
        return Result::done;
    case Action::again:
        if (!has_sent_ && packet_.bytes == 0) return fail(MppaFault::Kind::no_packet);
        if (packet_.bytes != 0) { // sends this packet first, and its copy in a later cycle
            send(false, now);
            return Result::again;
        }
        if (!unit_.send(number_, header_, last_, now + configuration_.send)) return Result::again;
        return Result::done;
    case Action::local:
        if (!is_number(parameter, mppa::tags)) return Result::fault;
        if (!unit_.has_sent(number_)) return Result::again;
        unit_.count(parameter, now);
        return Result::done;
    }
    return Result::done;
}

// Reads bytes and adds them to the packet, one access a cycle. An address that is no multiple of 8 takes one access more.
MicroCore::Result MicroCore::read(std::uint32_t address, std::uint32_t bytes, std::uint64_t now) {
    if (read_ == 0 && !port_.can_read(address, bytes)) {
        return fail(MppaFault::Kind::read_nowhere, 0, bytes, address);
    }
    if (!append(now)) return Result::again;
    if (read_ < bytes) {
        const std::uint32_t from = address + read_;
        const std::uint32_t part = std::min(bytes - read_, word_bytes - from % word_bytes);
        if (!port_.read(from, std::span(pending_).first(part), now)) return Result::again;
        pending_first_ = 0;
        pending_end_ = part;
        read_ += part;
        bytes_at_ = now + configuration_.read;
        if (!append(now)) return Result::again;
    }
    if (read_ < bytes) return Result::again;
    read_ = 0;
    return Result::done;
}

// Moves the bytes that were read into the packet. Sends the packet when a further byte does not fit. Returns false if the
// packet cannot be sent in this cycle.
bool MicroCore::append(std::uint64_t now) {
    while (pending_first_ != pending_end_) {
        const std::uint32_t most = unit_.payload(header_);
        if (packet_.bytes >= most && !send(false, now)) return false;
        const std::uint32_t part = std::min(pending_end_ - pending_first_, most - packet_.bytes);
        std::copy_n(pending_.begin() + pending_first_, part, packet_.payload.begin() + packet_.bytes);
        packet_.bytes = static_cast<std::uint16_t>(packet_.bytes + part);
        pending_first_ += part;
    }
    return true;
}

// Reads a pointer from memory. The micro-core waits for it.
MicroCore::Result MicroCore::load(const MicroInstruction &i, std::uint64_t now) {
    const std::uint32_t from = pointers_[i.pointer];
    if (from % 4 != 0) return fail(MppaFault::Kind::bad_load, 0, 4, from);
    if (!port_.can_read(from, 4)) return fail(MppaFault::Kind::read_nowhere, 0, 4, from);
    std::array<std::uint8_t, 4> bytes{};
    if (!port_.read(from, bytes, now)) return Result::again;
    pointers_[i.other] =
        bytes[0] | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 | std::uint32_t{bytes[3]} << 24;
    next_ = now + configuration_.read;
    return Result::done;
}

// Sends the packet when its last byte has arrived from memory. Returns false if the place at the shaper is not free.
bool MicroCore::send(bool end, std::uint64_t now) {
    packet_.end_of_transfer = end;
    if (!unit_.send(number_, header_, packet_, std::max(now, bytes_at_) + configuration_.send)) return false;
    last_ = packet_;
    last_.end_of_transfer = false;
    has_sent_ = true;
    packet_.offset += packet_.bytes;
    packet_.bytes = 0;
    return true;
}

// Executes the second and third part of an instruction, and goes on to the next one.
void MicroCore::go_on(const MicroInstruction &i) {
    const MicroParameters &parameters = jobs_.front().parameters;
    std::uint32_t &pointer = pointers_[i.pointer];
    switch (i.change) {
    case Change::none: break;
    case Change::add_number: pointer += static_cast<std::uint32_t>(i.number); break;
    case Change::add_parameter: pointer += parameters[i.parameter]; break;
    case Change::set: pointer = parameters[i.parameter]; break;
    }
    std::uint32_t &counter = counters_[i.counter];
    bool jumps = i.count == Count::jump;
    switch (i.count) {
    case Count::none:
    case Count::jump: break;
    case Count::set: counter = parameters[i.count_parameter]; break;
    case Count::loop:
        jumps = counter != 0;
        if (counter != 0) counter--;
        break;
    case Count::skip:
        jumps = counter == 0;
        if (counter != 0) counter--;
        break;
    }
    pc_ = jumps ? i.target : pc_ + 1;
}

MicroCore::Result MicroCore::fail(MppaFault::Kind kind, std::uint32_t value, std::uint32_t bytes,
                                  std::uint32_t address) {
    fault_ = {
        .kind = kind, .address = address, .bytes = bytes, .value = value, .micro_core = number_, .instruction = pc_};
    return Result::fault;
}

bool MicroCore::is_number(std::uint32_t value, std::uint32_t count) {
    if (value < count) return true;
    fail(MppaFault::Kind::parameter, value, count);
    return false;
}

} // namespace skerry::sim
