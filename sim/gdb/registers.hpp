// SPDX-License-Identifier: BSD-3-Clause
// A core's registers as gdb numbers them: r0 to r63, from 64 on the core's special registers and from 80 on those of the
// DMA channels, each in the order of the memory map (the order of Adapteva's gdb, in which pc is 66), then those of
// memory and mesh that have a name. target.xml says the same to gdb.
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
// Nothing: there is no such register.
std::optional<std::uint32_t> read_register(Chip &chip, Core &core, unsigned number);
// False: not possible, or not now. Writing what is there already does nothing.
bool write_register(Chip &chip, Core &core, unsigned number, std::uint32_t value);

} // namespace skerry::sim::gdb
