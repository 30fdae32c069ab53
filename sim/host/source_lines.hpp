// SPDX-License-Identifier: BSD-3-Clause
// From addresses to lines of the source, by the debug information of an ELF file. Another program, skerry-where, reads
// that: it may be large, and broken in any way.
#pragma once
#include <cstdint>
#include <string>

namespace skerry::sim {

// "main.c:12", or nothing where it is not known.
std::string source_line(const std::string &elf_file, std::uint32_t address);

} // namespace skerry::sim
