// SPDX-License-Identifier: BSD-3-Clause
// Parses an ELF file: the segments to load, and the symbols that name addresses. The file is not trusted: every offset
// and size in it is checked against the file's length before it is used.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace skerry::sim {

struct Segment {
    std::uint32_t address;
    std::uint32_t size; // bytes in memory; those that `bytes` does not contain are zero
    bool executable;
    std::vector<std::uint8_t> bytes;
    bool writable = false;
};

struct Symbol {
    std::uint32_t address;
    std::uint32_t size;
    std::string name;
    bool absolute = false; // the value is a number, not an address
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
    std::vector<Range> code;     // executable and not writable: the sections, or the segments if there are no sections
    std::vector<Symbol> symbols; // functions and data, sorted by address
    DebugSections debug;

    // Returns a name in C's form such as "name+0x12", or an empty string if no symbol is near.
    std::string name_of(std::uint32_t address) const;
    // Returns whether the address is in an executable segment.
    bool is_code(std::uint32_t address) const;
    // Finds a symbol by its name in C, or by its name in assembly, which has one more underscore in front. Returns
    // nullptr if there is none.
    const Symbol *find(std::string_view name) const;
};

// Fill `image` from the bytes of a file, and from a file. Both return an empty string, or the error. After an error the
// image is incomplete.
std::string parse_elf(std::span<const std::uint8_t> file, ElfImage &image);
std::string read_elf(const std::string &path, ElfImage &image);

} // namespace skerry::sim
