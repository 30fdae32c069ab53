// SPDX-License-Identifier: BSD-3-Clause
#include "mppa_dma/fault.hpp"

#include <fmt/format.h>

namespace skerry::sim {
namespace {

std::string what(const MppaFault &f) {
    using enum MppaFault::Kind;
    switch (f.kind) {
    case no_register:
        return fmt::format("{} of {} bytes at {:#x}, where no such register is", f.index != 0 ? "store" : "load",
                           f.bytes, f.address);
    case header_unused: return fmt::format("a packet with header {}, which was not set", f.index);
    case no_route: return fmt::format("header {} has the route {:#x}, which leaves the network", f.index, f.value);
    case burst_small:
        return fmt::format("shaper {}: a packet of {} flits, and the burst is {}: it can never be sent", f.index,
                           f.bytes, f.value);
    case payload: return fmt::format("shaper {}: packets of {} flits; 1 to 62 are possible", f.index, f.value);
    case rate: return fmt::format("shaper {}: a rate of {} flits in 1024 cycles; at most 1024", f.index, f.value);
    case tag_unowned:
        return fmt::format("a packet from node {} arrived for Rx tag {}, which nobody owns", f.from, f.index);
    case window:
        return fmt::format(
            "a packet from node {} for Rx tag {} has {} bytes for offset {}, and the window has {} bytes", f.from,
            f.index, f.bytes, f.address, f.value);
    case window_memory:
        return fmt::format("Rx tag {}: a window of {} bytes at {:#x}, where no memory is that can be written", f.index,
                           f.bytes, f.address);
    case slot:
        return fmt::format("a packet from node {} for Rx tag {} has {} bytes, and a slot has {}", f.from, f.index,
                           f.bytes, f.value);
    case mode: return fmt::format("Rx tag {}: the mode {:#x} does not exist", f.index, f.value);
    case start: return fmt::format("a micro-core was started by {:#x}: no such instruction or header", f.value);
    default: break;
    }
    const std::string job = fmt::format("micro-core {}, instruction {}: ", f.micro_core, f.instruction);
    switch (f.kind) {
    case read_nowhere: return job + fmt::format("read of {} bytes at {:#x}, where no memory is", f.bytes, f.address);
    case bad_load: return job + fmt::format("load from {:#x}, which is no multiple of 4", f.address);
    case bad_program: return job + "the bits are no instruction";
    case past_end: return job + "the program goes on behind the last instruction";
    case endless: return job + "the program has executed 65536 instructions that moved nothing";
    case parameter: return job + fmt::format("the parameter is {}, and only numbers below {} exist", f.value, f.bytes);
    case no_packet: return job + "no packet was sent that could be sent again";
    default: break;
    }
    return "error";
}

} // namespace

std::string text_of(const MppaFault &fault) {
    return fmt::format("node {}, DMA: {}", fault.node, what(fault));
}

} // namespace skerry::sim
