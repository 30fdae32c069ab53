// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes a core's registers by gdb's register numbers. Each kind of core has its own list of registers
// (Core::debug_registers). gdb gets this list as the text target.xml.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "chip/chip.hpp"

namespace skerry::sim::gdb {

std::string target_description(const DebugRegisters &all);
// Returns the size of a register in bytes, or 0 if there is no register with this number.
unsigned register_bytes(const Core &core, unsigned number);
// Reads a register. Returns nothing if there is no register with this number.
std::optional<std::uint64_t> read_register(Chip &chip, Core &core, unsigned number);
// Writes a register. Returns false if the register does not exist or cannot be written now. Does nothing if the
// register already has this value.
bool write_register(Chip &chip, Core &core, unsigned number, std::uint64_t value);

} // namespace skerry::sim::gdb
