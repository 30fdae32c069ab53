// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "host/elf_image.hpp"

namespace skerry::sim {

// Prints everything that may be executed, with the symbols that stand in it.
void print_disassembly(const ElfImage &image);

} // namespace skerry::sim
