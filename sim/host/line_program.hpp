// SPDX-License-Identifier: BSD-3-Clause
// Reads the section .debug_line of a program, in the format of DWARF 2 to 5: for each compilation unit its sequences of
// contiguous code, each with its rows. Skerry has its own reader for two reasons. The sequence that a row belongs to
// shows whether the linker has kept the row's code. And the file is not trusted.
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
    std::vector<LineRow> rows; // in order of addresses, which never decrease
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
    std::string_view top; // the folder that relative folders are in; empty if not known
    std::vector<LineFile> files;
    std::vector<LineSequence> sequences;
};

// Returns all compilation units that can be read. The others are left out.
std::vector<LineUnit> read_lines(const DebugSections &sections);

} // namespace skerry::sim
