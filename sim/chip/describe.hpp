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
// Returns the place, as "main at file.c:12", of the program's call that Skerry's library has refused, if a core has ended the job
// with an error message of the library. Otherwise, or if the place is not known, returns an empty text.
std::string refused_call(Chip &chip, std::uint32_t index, const ElfImage &image);
// Returns a core's position in the program and its registers.
std::string describe_core(Chip &chip, const Core &core, const ElfImage &image);
// Returns a core's row, column and number.
std::string core_name(const Core &core);

} // namespace skerry::sim
