// SPDX-License-Identifier: BSD-3-Clause
// Maps gdb's register numbers to the registers in a core's memory map, and writes target.xml, which describes these
// registers to gdb.
#include "gdb/registers.hpp"

#include <array>

#include <fmt/format.h>

namespace skerry::sim::gdb {
namespace {

constexpr unsigned core_count = 16;
constexpr unsigned dma_count = 16;
constexpr std::array rest = {SpecialRegister::memory_config,  SpecialRegister::memory_status,
                             SpecialRegister::memory_protect, SpecialRegister::mesh_config,
                             SpecialRegister::core_id,        SpecialRegister::mesh_multicast};

SpecialRegister special(unsigned number) {
    if (number < core_count) return static_cast<SpecialRegister>(number);
    number -= core_count;
    if (number < dma_count) return static_cast<SpecialRegister>(64 + number);
    return rest[number - dma_count];
}

std::string_view type_of(unsigned number) {
    switch (number) {
    case 13: return "data_ptr"; // the stack pointer
    case 14:
    case pc_number: return "code_ptr";
    default: return "uint32";
    }
}

std::string general_name(unsigned number) {
    switch (number) {
    case 11: return "fp";
    case 13: return "sp";
    case 14: return "lr";
    default: return fmt::format("r{}", number);
    }
}

std::uint32_t offset_of(unsigned number) {
    return number < general_count ? general_registers_base + 4 * number : address_of(special(number - general_count));
}

} // namespace

unsigned register_count() {
    return general_count + core_count + dma_count + static_cast<unsigned>(rest.size());
}

std::string target_description() {
    std::string text =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n"
        "<architecture>epiphany</architecture>\n<feature name=\"org.gnu.gdb.epiphany.core\">\n";
    for (unsigned k = 0; k < register_count(); k++) {
        text += fmt::format("<reg name=\"{}\" bitsize=\"32\" regnum=\"{}\" type=\"{}\" group=\"{}\"/>\n",
                            k < general_count ? general_name(k) : std::string(name_of(special(k - general_count))), k,
                            type_of(k), k < general_count || k == pc_number ? "general" : "system");
    }
    return text + "</feature>\n</target>\n";
}

std::optional<std::uint32_t> read_register(Chip &chip, Core &core, unsigned number) {
    std::uint64_t value = 0;
    if (number >= register_count() || !core.read_register(offset_of(number), 4, value, chip.now())) {
        return std::nullopt;
    }
    return static_cast<std::uint32_t>(value);
}

// Writes a register. Refuses a write to the pc while the core waits for the answer to a remote access. The instruction
// that has begun this access must finish before the core can execute another instruction.
bool write_register(Chip &chip, Core &core, unsigned number, std::uint32_t value) {
    const auto present = read_register(chip, core, number);
    if (!present || *present == value) return present.has_value();
    if (number == pc_number && (core.waiting() == Waiting::answer || core.waiting() == Waiting::fetch)) return false;
    constexpr unsigned status_number = general_count + static_cast<unsigned>(SpecialRegister::status);
    chip.changed_by_debugger();
    const std::uint32_t offset = number == status_number ? address_of(SpecialRegister::full_status) : offset_of(number);
    return core.write_register(offset, 4, value, chip.now()) == Access::done;
}

} // namespace skerry::sim::gdb
