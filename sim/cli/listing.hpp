// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "host/elf_image.hpp"

namespace skerry::sim {

// Prints the instructions of all executable segments, with a label line at each symbol.
void print_disassembly(const ElfImage &image, const InstructionSet &set);

} // namespace skerry::sim
