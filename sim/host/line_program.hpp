// SPDX-License-Identifier: BSD-3-Clause
// Reads the section .debug_line of a program, in the format of DWARF 2 to 5. For each compilation unit the section has
// sequences of contiguous code. A sequence has rows, which give the source lines of addresses.
//
// Why Skerry has its own reader:
// * It needs the sequence to which each row belongs. The sequence shows if the linker has kept the code.
// * It must work safely on damaged files.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/elf_image.hpp"

namespace skerry::sim {

struct LineRow {
    std::uint32_t address;
    std::uint32_t file; // index in LineUnit::files
    std::uint32_t line;
};

struct LineSequence {
    std::vector<LineRow> rows; // in ascending order of addresses
    std::uint32_t end;         // address after the last instruction

    std::uint32_t begin() const {
        return rows.front().address;
    }
};

struct LineFile {
    std::string_view folder, name; // both point into the image

    std::string path(std::string_view top) const;
};

struct LineUnit {
    std::string_view top; // the folder to which relative names of folders refer; empty if not known
    std::vector<LineFile> files;
    std::vector<LineSequence> sequences;
};

// Returns all compilation units that can be read, and skips units that cannot be read.
std::vector<LineUnit> read_lines(const DebugSections &sections);

} // namespace skerry::sim
