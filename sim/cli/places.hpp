// SPDX-License-Identifier: BSD-3-Clause
// Finds the places of the program that a user names: a symbol, an address or a line of the source.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "host/elf_image.hpp"
#include "host/line_table.hpp"

namespace skerry::sim {

// Returns the addresses that `where` means. `where` is a SYMBOL, an ADDRESS or FILE:LINE. If there is no such address,
// returns an empty list and writes the reason to `error`.
std::vector<std::uint32_t> find_places(const std::string &where, const ElfImage &image, const LineTable &lines,
                                       std::string &error);
// Describes an address by a text such as " <sweep+0x10> at stencil.c:18". Leaves out a symbol or source line that is
// not known.
std::string words_for(std::uint32_t address, const ElfImage &image, const LineTable &lines);

} // namespace skerry::sim
