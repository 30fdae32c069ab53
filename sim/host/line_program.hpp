// SPDX-License-Identifier: BSD-3-Clause
// What a program's .debug_line says, as DWARF 2 to 5 define it: for each compiled unit the stretches of code that lie
// together, each with its rows. A reader of our own, because which stretch a row is of tells whether the linker has kept
// it, and because the file is not trusted.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/elf_image.hpp"

namespace skerry::sim {

struct LineRow {
    std::uint32_t address;
    std::uint32_t file; // of LineUnit::files
    std::uint32_t line;
};

struct LineSequence {
    std::vector<LineRow> rows; // addresses do not fall
    std::uint32_t end;         // behind the last instruction

    std::uint32_t begin() const {
        return rows.front().address;
    }
};

struct LineFile {
    std::string_view folder, name; // point into the image

    std::string path(std::string_view top) const;
};

struct LineUnit {
    std::string_view top; // the folder that the others are in, where that is known
    std::vector<LineFile> files;
    std::vector<LineSequence> sequences;
};

// What cannot be read is left out.
std::vector<LineUnit> read_lines(const DebugSections &sections);

} // namespace skerry::sim
