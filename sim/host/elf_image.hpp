// SPDX-License-Identifier: BSD-3-Clause
// Parses an ELF file: the segments to load, and the symbols that name addresses. The file is not trusted. Every offset
// and size in it is checked against the file's length before it is used.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/instruction_set.hpp"

namespace skerry::sim {

struct Segment {
    std::uint32_t address;
    std::uint32_t size; // size in memory, in bytes; if `bytes` is shorter, the rest of the memory is zero
    bool executable;
    std::vector<std::uint8_t> bytes;
    bool writable = false;
};

struct Symbol {
    std::uint32_t address;
    std::uint32_t size;
    std::string name;
    bool absolute = false; // the symbol's value is a number, not an address
};

struct Range {
    std::uint32_t address;
    std::uint32_t size;
};

// The contents of the debug sections. A vector is empty if the file lacks the section or the section is compressed.
struct DebugSections {
    std::vector<std::uint8_t> lines;        // .debug_line
    std::vector<std::uint8_t> line_strings; // .debug_line_str
    std::vector<std::uint8_t> strings;      // .debug_str
};

struct ElfImage {
    std::uint32_t entry = 0;
    std::vector<Segment> segments;
    std::vector<Range> code;     // executable, not writable ranges: sections, or segments in a file without sections
    std::vector<Symbol> symbols; // functions and data, sorted by address
    DebugSections debug;
    bool underscores = true; // the C compiler put an underscore before each name

    // Returns the name that a symbol has in the source: without the underscore that the C compiler of some processors
    // adds.
    std::string_view name_in_c(std::string_view symbol) const;

    // Returns the name of an address in the form "name+0x12", with the name that C uses. Returns an empty string if the
    // address is neither inside a symbol nor shortly after a label.
    std::string name_of(std::uint32_t address) const;
    // Returns true if the address is in an executable segment.
    bool is_code(std::uint32_t address) const;
    // Finds a symbol by its name in C, or by its name in assembly, which has one more underscore in front. Returns
    // nullptr if no symbol has this name.
    const Symbol *find(std::string_view name) const;
};

// parse_elf fills `image` from the bytes of a file, and read_elf from the file with this path. `format` describes the
// program files of one kind of processor. A file for another kind is an error. Both functions return an empty string,
// or the text of the error. After an error the image is incomplete.
std::string parse_elf(std::span<const std::uint8_t> file, const ProgramFormat &format, ElfImage &image);
std::string read_elf(const std::string &path, const ProgramFormat &format, ElfImage &image);

} // namespace skerry::sim
