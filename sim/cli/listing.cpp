// SPDX-License-Identifier: BSD-3-Clause
#include "cli/listing.hpp"

#include <fmt/format.h>

namespace skerry::sim {

void print_disassembly(const ElfImage &image, const InstructionSet &set) {
    for (const Segment &s : image.segments) {
        if (!s.executable) continue;
        std::size_t at = 0;
        while (at + 2 <= s.bytes.size()) {
            const auto address = static_cast<std::uint32_t>(s.address + at);
            std::uint32_t bits = s.bytes[at] | std::uint32_t{s.bytes[at + 1]} << 8;
            if (at + 4 <= s.bytes.size()) {
                bits |= std::uint32_t{s.bytes[at + 2]} << 16 | std::uint32_t{s.bytes[at + 3]} << 24;
            }
            const unsigned length = set.length(bits);
            const std::string name = image.name_of(address);
            if (!name.empty() && name.find('+') == std::string::npos) fmt::print("\n{:08x} <{}>:\n", address, name);
            fmt::print("{:8x}:  {:<9} {}\n", address,
                       length == 4 ? fmt::format("{:08x}", bits) : fmt::format("{:04x}", bits & 0xffff),
                       set.disassemble(bits, address));
            at += length;
        }
    }
}

} // namespace skerry::sim
