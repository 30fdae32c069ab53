// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes a core's registers by gdb's numbers, and writes target.xml, which describes these registers to gdb.
#include "gdb/registers.hpp"

#include <fmt/format.h>

namespace skerry::sim::gdb {

std::string target_description(const DebugRegisters &all) {
    std::string text =
        fmt::format("<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n"
                    "<architecture>{}</architecture>\n",
                    all.architecture);
    unsigned number = 0;
    for (const RegisterFeature &feature : all.features) {
        text += fmt::format("<feature name=\"{}\">\n", feature.name);
        for (const RegisterInfo &r : feature.registers) {
            text += fmt::format("<reg name=\"{}\" bitsize=\"{}\" regnum=\"{}\" type=\"{}\" group=\"{}\"/>\n", r.name,
                                r.bits, number++, r.type, r.group);
        }
        text += "</feature>\n";
    }
    return text + "</target>\n";
}

unsigned register_bytes(const Core &core, unsigned number) {
    for (const RegisterFeature &feature : core.debug_registers().features) {
        if (number < feature.registers.size()) return feature.registers[number].bits / 8;
        number -= static_cast<unsigned>(feature.registers.size());
    }
    return 0;
}

std::optional<std::uint64_t> read_register(Chip &chip, Core &core, unsigned number) {
    return core.read_numbered(number, chip.now());
}

// Writes a register. Refuses to write the pc while the core waits for the answer to a remote access. The instruction
// that has begun this access must finish before the core can execute another instruction.
bool write_register(Chip &chip, Core &core, unsigned number, std::uint64_t value) {
    const auto present = read_register(chip, core, number);
    if (!present || *present == value) return present.has_value();
    const bool waits = core.waiting() == Waiting::answer || core.waiting() == Waiting::fetch;
    if (number == core.debug_registers().pc && waits) return false;
    chip.changed_by_debugger();
    return core.write_numbered(number, value, chip.now());
}

} // namespace skerry::sim::gdb
