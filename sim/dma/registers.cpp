// SPDX-License-Identifier: BSD-3-Clause
// Implements the registers through which programs use the DMA channels: reads, writes, start and pause.
#include "dma/dma.hpp"

#include <algorithm>

namespace skerry::sim {
namespace {

// The registers of a channel, in the order of the memory map.
enum class Register : unsigned { config, stride, count, source, destination, auto0, auto1, status };

unsigned channel_of(SpecialRegister which) {
    return static_cast<unsigned>(which) / 8 % dma_channels;
}

Register register_of(SpecialRegister which) {
    return static_cast<Register>(static_cast<unsigned>(which) % 8);
}

} // namespace

DmaState Dma::state(unsigned channel) const {
    const DmaState state = channel_[channel].state;
    const bool works = state == DmaState::active || state == DmaState::slave || state == DmaState::wait;
    return paused_ && works ? DmaState::pause : state;
}

std::uint32_t Dma::read_register(SpecialRegister which) const {
    const unsigned channel = channel_of(which);
    const Channel &c = channel_[channel];
    switch (register_of(which)) {
    case Register::config: return c.config;
    case Register::stride: return c.stride;
    case Register::count: return c.count;
    case Register::source: return c.source;
    case Register::destination: return c.destination;
    case Register::auto0: return c.automatic[0];
    case Register::auto1: return c.automatic[1];
    case Register::status:
        return c.descriptor << dma_status::descriptor_shift | static_cast<std::uint32_t>(state(channel));
    }
    return 0;
}

bool Dma::takes(SpecialRegister which) const {
    const Channel &c = channel_[channel_of(which)];
    const Register r = register_of(which);
    return (r != Register::auto0 && r != Register::auto1) || c.state != DmaState::slave || c.step != Step::deliver;
}

Access Dma::write_register(SpecialRegister which, std::uint32_t value, std::uint64_t now) {
    Channel &c = channel_[channel_of(which)];
    switch (register_of(which)) {
    case Register::config: write_config(c, value, now); break;
    case Register::stride: c.stride = c.outer_stride = value; break; // only a descriptor has a separate outer stride
    case Register::count:
        c.count = value;
        c.inner_count = value & 0xffff;
        break;
    case Register::source: c.source = value; break;
    case Register::destination: c.destination = value; break;
    case Register::auto0:
    case Register::auto1:
        if (!takes(which)) return Access::again;
        write_auto(c, register_of(which) == Register::auto1 ? 1 : 0, value, now);
        break;
    case Register::status:
        if (value == 0 && (paused_ || c.state == DmaState::error) && c.state != DmaState::idle) {
            rest(c, DmaState::idle, now);
        }
        break;
    }
    schedule();
    return Access::done;
}

// Writes CONFIG, the control register of a channel. The effect depends on the state of the channel:
// * idle: the channel starts if the value has the ENABLE or STARTUP bit.
// * error: a value with one of these two bits is ignored. Any other value makes the channel idle.
// * any other state: if the channels are paused, the value is only stored. If not, the write is a mistake of the
//   program.
void Dma::write_config(Channel &c, std::uint32_t value, std::uint64_t now) {
    const bool starts = (value & (dma_config::enable | dma_config::startup)) != 0;
    if (c.state == DmaState::error) {
        if (starts) return;
        rest(c, DmaState::idle, now);
    } else if (c.state != DmaState::idle && !paused_) {
        error(c, DmaMistake::still_running, c.destination, 0, now);
        return;
    }
    c.config = value;
    if (c.state == DmaState::idle && starts) start(c, now);
}

void Dma::start(Channel &c, std::uint64_t now) {
    c.since = now;
    c.fault = {};
    if ((c.config & dma_config::startup) == 0) return begin_transfer(c, now + timing_.start - 1);
    c.state = DmaState::active;
    c.step = Step::fetch;
    c.next_at = now + timing_.start;
}

// Writes AUTO0 or AUTO1, from which a slave channel takes its elements. The write to AUTO1 completes an element of
// eight bytes. The write to AUTO0 completes a smaller element.
void Dma::write_auto(Channel &c, unsigned which, std::uint32_t value, std::uint64_t now) {
    c.automatic[which] = value;
    const unsigned last = size_of(c) == 8 ? 1 : 0;
    if (c.state != DmaState::slave || c.step != Step::rest || which != last) return;
    c.data = c.automatic[0] | std::uint64_t{c.automatic[1]} << 32;
    c.step = Step::deliver;
    c.next_at = now + 1;
}

void Dma::pause(bool paused, std::uint64_t now) {
    if (paused == paused_) return;
    paused_ = paused;
    forward_at_ = std::max(forward_at_, now + 1);
    for (Channel &c : channel_) c.next_at = std::max(c.next_at, now + 1);
    schedule();
}

DmaCounters Dma::counters(unsigned channel, std::uint64_t now) const {
    const Channel &c = channel_[channel];
    DmaCounters counters = c.counters;
    if (c.state != DmaState::idle && c.state != DmaState::error) counters.active += now - c.since;
    return counters;
}

} // namespace skerry::sim
