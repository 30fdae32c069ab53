// SPDX-License-Identifier: BSD-3-Clause
// Describes cores and the end of a run, as text for the user.
#pragma once
#include <string>

#include "chip/chip.hpp"
#include "host/elf_image.hpp"

namespace skerry::sim {

// Returns a paragraph that says why a run ended. The paragraph contains the core, the source line and the registers.
// After a deadlock the paragraph contains the event that each core waits for.
std::string describe(Chip &chip, const Ending &ending, const ElfImage &image);
// Returns a core's position in the program and its registers.
std::string describe_core(Chip &chip, const Core &core, const ElfImage &image);
// Returns a core's row, column and number.
std::string core_name(const Core &core);

} // namespace skerry::sim
