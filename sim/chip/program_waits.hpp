// SPDX-License-Identifier: BSD-3-Clause
// Describes what the programs of an MPPA wait for after a deadlock: barriers and segments.
#pragma once
#include <string>

#include "chip/chip.hpp"
#include "host/elf_image.hpp"

namespace skerry::sim {

// Returns a line for each barrier (mppa_rpc_barrier) at which some programs have arrived: those that wait, and those that are
// missing. Returns besides a line for each program that waits for a segment that nobody has created. Returns an empty text if
// there are neither. `first` is the image of the job's first program.
std::string describe_waits(Chip &chip, const ElfImage &first);

} // namespace skerry::sim
