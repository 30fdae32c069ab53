// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes a core's registers by gdb's register numbers:
// * 0 to 63: r0 to r63;
// * from 64: the core's special registers (pc has number 66);
// * from 80: the registers of the DMA channels;
// * from 96: the registers of memory protection and mesh.
// The special registers and the DMA registers are in the order of the memory map, which is also the order of Adapteva's
// gdb. target.xml describes these numbers to gdb.
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
// Writes a register. Returns false if the register does not exist or cannot be written now. Does nothing if the
// register already has this value.
bool write_register(Chip &chip, Core &core, unsigned number, std::uint32_t value);

} // namespace skerry::sim::gdb
