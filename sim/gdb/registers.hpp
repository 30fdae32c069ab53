// SPDX-License-Identifier: BSD-3-Clause
// gdb's numbers for a core's registers: 0 to 63 are r0 to r63, from 64 on the core's special registers, from 80 on the
// registers of the DMA channels, then the named registers of memory and mesh. The special and DMA registers are in the
// order of the memory map, which is also the order of Adapteva's gdb (pc is 66). target.xml describes the same numbers
// to gdb.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "chip/chip.hpp"

namespace skerry::sim::gdb {

constexpr unsigned general_count = 64;
constexpr unsigned pc_number = general_count + static_cast<unsigned>(SpecialRegister::pc);
unsigned register_count();

std::string target_description();
// Reads a register. Returns nothing if there is no register with this number.
std::optional<std::uint32_t> read_register(Chip &chip, Core &core, unsigned number);
// Writes a register. Returns false if the register cannot be written, or not now. A write of the value that the
// register has already does nothing.
bool write_register(Chip &chip, Core &core, unsigned number, std::uint32_t value);

} // namespace skerry::sim::gdb
