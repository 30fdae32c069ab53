// SPDX-License-Identifier: BSD-3-Clause
// An ELF file taken apart: what to load where, and the symbols to name addresses with. The file is not trusted: every
// offset and size in it is checked against its length before it is used.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace skerry::sim {

struct Segment {
    std::uint32_t address;
    std::uint32_t size; // in memory; what is not in `bytes` is zero
    bool executable;
    std::vector<std::uint8_t> bytes;
    bool writable = false;
};

struct Symbol {
    std::uint32_t address;
    std::uint32_t size;
    std::string name;
    bool absolute = false; // a number, not a place
};

struct Range {
    std::uint32_t address;
    std::uint32_t size;
};

// As they stand in the file; empty where there is none.
struct DebugSections {
    std::vector<std::uint8_t> lines;        // .debug_line
    std::vector<std::uint8_t> line_strings; // .debug_line_str
    std::vector<std::uint8_t> strings;      // .debug_str
};

struct ElfImage {
    std::uint32_t entry = 0;
    std::vector<Segment> segments;
    std::vector<Range> code;     // what may be executed and not written: by its sections, without any by its segments
    std::vector<Symbol> symbols; // functions and data, by address
    DebugSections debug;

    // "name+0x12" as C knows it, or nothing where no symbol is near.
    std::string name_of(std::uint32_t address) const;
    // Whether it may be executed, by the segments.
    bool is_code(std::uint32_t address) const;
    // By its name in C or in assembly, which has an underscore more.
    const Symbol *find(std::string_view name) const;
};

// Returns an error, or nothing. The image is complete only without one.
std::string parse_elf(std::span<const std::uint8_t> file, ElfImage &image);
std::string read_elf(const std::string &path, ElfImage &image);

} // namespace skerry::sim
