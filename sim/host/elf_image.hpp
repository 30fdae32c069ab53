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
};

struct Symbol {
    std::uint32_t address;
    std::uint32_t size;
    std::string name;
};

struct ElfImage {
    std::uint32_t entry = 0;
    std::vector<Segment> segments;
    std::vector<Symbol> symbols; // functions and data, by address

    // "name+0x12", or nothing where no symbol is near.
    std::string name_of(std::uint32_t address) const;
    const Symbol *find(std::string_view name) const;
};

// Returns an error, or nothing. The image is complete only without one.
std::string parse_elf(std::span<const std::uint8_t> file, ElfImage &image);
std::string read_elf(const std::string &path, ElfImage &image);

} // namespace skerry::sim
