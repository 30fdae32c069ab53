// SPDX-License-Identifier: BSD-3-Clause
// Describes the barriers of an MPPA's programs in which some wait, after a deadlock.
#pragma once
#include <string>

#include "chip/chip.hpp"
#include "host/elf_image.hpp"

namespace skerry::sim {

// Returns a line for each barrier (mppa_rpc_barrier) at which some programs have arrived: those that wait, and those that are
// missing. Returns an empty text if the job has no such barriers. `first` is the image of the job's first program.
std::string describe_barriers(Chip &chip, const ElfImage &first);

} // namespace skerry::sim
