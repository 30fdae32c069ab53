// SPDX-License-Identifier: BSD-3-Clause
// What a user names in the program: a symbol, an address, a line of the source.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "host/elf_image.hpp"
#include "host/line_table.hpp"

namespace skerry::sim {

// The addresses meant by SYMBOL, ADDRESS or FILE:LINE. Empty, and why.
std::vector<std::uint32_t> find_places(const std::string &where, const ElfImage &image, const LineTable &lines,
                                       std::string &error);
// "sweep+0x10 at stencil.c:18", as far as it is known.
std::string words_for(std::uint32_t address, const ElfImage &image, const LineTable &lines);

} // namespace skerry::sim
