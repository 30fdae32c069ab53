// SPDX-License-Identifier: BSD-3-Clause
// Reads the headers of an ELF file that the loader needs. The file must be little-endian and 32-bit. A program with a
// damaged symbol table is accepted without its symbols.
#include "host/elf_image.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace skerry::sim {
namespace {

constexpr std::uint16_t type_executable = 2;
constexpr std::uint32_t segment_load = 1;
constexpr std::uint32_t segment_executable = 1;
constexpr std::uint32_t segment_writable = 2;
constexpr std::uint32_t section_symbols = 2;
constexpr std::uint32_t section_writable = 1; // flags of a section
constexpr std::uint32_t section_loaded = 2;
constexpr std::uint32_t section_executable = 4;
constexpr std::uint32_t section_compressed = 0x800;
constexpr std::uint16_t absolute_symbol = 0xfff1;
constexpr std::size_t header_size = 52;
constexpr std::size_t program_header_size = 32;
constexpr std::size_t section_header_size = 40;
constexpr std::size_t symbol_size = 16;
constexpr std::uint32_t largest_segment = 512U << 20;
constexpr std::size_t largest_file = std::size_t{1} << 30;
constexpr std::size_t longest_name = 4096; // characters; a symbol with a longer name is ignored
// Largest length of all symbols' names together, as a multiple of the length of the table of names. Several symbols can
// share the characters of one name in the table. Therefore the names together can be longer than the table, and in a
// damaged file they can use all memory. If they are longer than the limit, the symbols are ignored.
constexpr std::uint64_t most_names_of_file = 4;

using Bytes = std::span<const std::uint8_t>;

// Returns `size` bytes of the file from `offset`, or nothing if the file does not contain all of them.
std::optional<Bytes> part(Bytes file, std::uint64_t offset, std::uint64_t size) {
    if (offset > file.size() || size > file.size() - offset) return std::nullopt;
    return file.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

// half() returns the number in 2 bytes at offset `at`, and word() the number in 4 bytes. The caller must have checked
// that these bytes are inside `from`.
std::uint16_t half(Bytes from, std::size_t at) {
    return static_cast<std::uint16_t>(from[at] | from[at + 1] << 8);
}
std::uint32_t word(Bytes from, std::size_t at) {
    return half(from, at) | std::uint32_t{half(from, at + 2)} << 16;
}

std::string check_header(Bytes file, const ProgramFormat &format) {
    if (file.size() < header_size) return "it is too short for an ELF file";
    if (std::memcmp(file.data(), "\177ELF", 4) != 0) return "it is not an ELF file";
    if (half(file, 18) != format.elf_machine) {
        return fmt::format("it is not for {} but for another processor (ELF machine {}); --machine must name the "
                           "machine for which oshcc "
                           "--machine compiled it",
                           format.chip, half(file, 18));
    }
    if (file[4] != 1 || file[5] != 1) return "it is not a 32-bit little-endian ELF file";
    if (half(file, 16) != type_executable) return "it is not a linked program";
    return {};
}

// Returns an error if two segments overlap in memory, or if all segments together contain more bytes than the file.
// Without these two checks, the load of a small file could take hours or use all memory.
std::string check_segments(const std::vector<Segment> &segments, std::uint64_t bytes_in_file, std::size_t file_size) {
    if (bytes_in_file > file_size) {
        return fmt::format("its segments overlap in the file: they have {} bytes together, and the file has {}",
                           bytes_in_file, file_size);
    }
    std::vector<const Segment *> sorted;
    for (const Segment &s : segments) sorted.push_back(&s);
    std::ranges::sort(sorted, {}, &Segment::address);
    const auto overlap = std::ranges::adjacent_find(
        sorted, [](const Segment *a, const Segment *b) { return b->address - a->address < a->size; });
    if (overlap == sorted.end()) return {};
    return fmt::format("its segments at {:#010x} and {:#010x} overlap", (*overlap)->address, (*(overlap + 1))->address);
}

std::string take_segments(Bytes file, ElfImage &image) {
    const std::size_t count = half(file, 44);
    const std::size_t step = half(file, 42);
    if (count != 0 && step < program_header_size) return "its program headers are too small";
    const auto table = part(file, word(file, 28), std::uint64_t{count} * step);
    if (!table) return "its program headers lie outside the file";
    std::vector<Bytes> contents; // of the segments; copied into the image after all checks
    std::uint64_t bytes_in_file = 0;
    for (std::size_t k = 0; k < count; k++) {
        const Bytes header = table->subspan(k * step, program_header_size);
        const std::uint32_t size = word(header, 20);
        if (word(header, 0) != segment_load || size == 0) continue;
        const std::uint32_t address = word(header, 8);
        const std::uint32_t in_file = word(header, 16);
        if (in_file > size) return fmt::format("segment {} is larger in the file than in memory", k);
        if (size > largest_segment || address > 0U - size) {
            return fmt::format("segment {} does not fit into the address space", k);
        }
        const auto bytes = part(file, word(header, 4), in_file);
        if (!bytes) return fmt::format("segment {} lies outside the file", k);
        const std::uint32_t flags = word(header, 24);
        image.segments.push_back(
            {address, size, (flags & segment_executable) != 0, {}, (flags & segment_writable) != 0});
        contents.push_back(*bytes);
        bytes_in_file += in_file;
    }
    if (image.segments.empty()) return "it has nothing to load";
    if (std::string error = check_segments(image.segments, bytes_in_file, file.size()); !error.empty()) return error;
    for (std::size_t k = 0; k < contents.size(); k++) {
        image.segments[k].bytes.assign(contents[k].begin(), contents[k].end());
    }
    return {};
}

void take_symbols_of(Bytes symbols, Bytes names, ElfImage &image) {
    std::uint64_t left = most_names_of_file * names.size(); // bytes of names that can still be copied
    for (std::size_t at = 0; at + symbol_size <= symbols.size(); at += symbol_size) {
        const std::uint32_t name = word(symbols, at);
        const unsigned kind = symbols[at + 12] & 15U; // 0 none, 1 data, 2 function
        if (half(symbols, at + 14) == 0 || kind > 2 || name == 0 || name >= names.size()) continue;
        const auto *begin = reinterpret_cast<const char *>(names.data() + name);
        const std::size_t length = strnlen(begin, std::min(names.size() - name, longest_name));
        if (length == 0 || length == longest_name) continue;
        const bool is_mark = *begin == '$'; // an assembler's mark: code or data begins here
        if (is_mark) continue;
        if (length > left) return image.symbols.clear(); // the table is damaged
        left -= length;
        image.symbols.push_back({word(symbols, at + 4), word(symbols, at + 8), std::string(begin, length),
                                 half(symbols, at + 14) == absolute_symbol});
    }
}

// Adds a section to image.code if the section is loaded, executable and not writable. The permissions of the segments
// do not show which bytes are code: a linker can put code, constants and data into one segment, which then has all
// permissions.
void take_code(Bytes section, ElfImage &image) {
    const std::uint32_t flags = word(section, 8) & (section_writable | section_loaded | section_executable);
    const std::uint32_t address = word(section, 12);
    const std::uint32_t size = word(section, 20);
    const bool fits = size != 0 && address <= 0U - size;
    if (flags == (section_loaded | section_executable) && fits) image.code.push_back({address, size});
}

// Returns the bytes of the section with the name `wanted`. Returns an empty list if no section has this name or if the
// section is compressed.
std::vector<std::uint8_t> bytes_of(std::string_view wanted, Bytes file, Bytes table, std::size_t step) {
    const std::size_t index = half(file, 50);
    if (index >= table.size() / step) return {};
    const Bytes strings = table.subspan(index * step, section_header_size);
    const auto names = part(file, word(strings, 16), word(strings, 20));
    if (!names) return {};
    for (std::size_t at = 0; at + section_header_size <= table.size(); at += step) {
        const Bytes section = table.subspan(at, section_header_size);
        const std::uint32_t name = word(section, 0);
        if (name >= names->size() || names->size() - name <= wanted.size()) continue;
        const auto *begin = reinterpret_cast<const char *>(names->data() + name);
        if (begin[wanted.size()] != 0 || wanted != std::string_view(begin, wanted.size())) continue;
        const auto bytes = part(file, word(section, 16), word(section, 20));
        if (!bytes || (word(section, 8) & section_compressed) != 0) return {};
        return {bytes->begin(), bytes->end()};
    }
    return {};
}

void take_sections(Bytes file, ElfImage &image) {
    const std::size_t count = half(file, 48);
    const std::size_t step = half(file, 46);
    if (step < section_header_size) return;
    const auto table = part(file, word(file, 32), std::uint64_t{count} * step);
    if (!table) return;
    image.debug.lines = bytes_of(".debug_line", file, *table, step);
    image.debug.line_strings = bytes_of(".debug_line_str", file, *table, step);
    image.debug.strings = bytes_of(".debug_str", file, *table, step);
    for (std::size_t k = 0; k < count; k++) {
        const Bytes header = table->subspan(k * step, section_header_size);
        take_code(header, image);
        const std::uint32_t link = word(header, 24);
        if (word(header, 4) != section_symbols || link >= count) continue;
        const Bytes strings = table->subspan(link * step, section_header_size);
        const auto symbols = part(file, word(header, 16), word(header, 20));
        const auto names = part(file, word(strings, 16), word(strings, 20));
        if (symbols && names && image.symbols.empty()) take_symbols_of(*symbols, *names, image); // first table only
    }
    // If several symbols have the same address, name_of() uses the last of them. A symbol with a size (such as a
    // function) is a better name than a label (which has no size). Therefore a label is sorted first.
    std::ranges::stable_sort(image.symbols, {}, [](const Symbol &s) { return std::pair(s.address, s.size != 0); });
}

// Sorts ranges by address, and joins ranges that overlap or touch.
void merge(std::vector<Range> &ranges) {
    std::ranges::sort(ranges, {}, &Range::address);
    std::vector<Range> merged;
    for (const Range &r : ranges) {
        const bool joins = !merged.empty() && r.address - merged.back().address <= merged.back().size;
        if (!joins) merged.push_back(r);
        else merged.back().size = std::max(merged.back().size, r.address - merged.back().address + r.size);
    }
    ranges = std::move(merged);
}

struct Close {
    void operator()(std::FILE *f) const {
        std::fclose(f);
    }
};

} // namespace

std::string parse_elf(std::span<const std::uint8_t> file, const ProgramFormat &format, ElfImage &image) {
    image = {};
    image.underscores = format.underscores;
    std::string error = check_header(file, format);
    if (error.empty()) error = take_segments(file, image);
    if (!error.empty()) return error;
    image.entry = word(file, 24);
    take_sections(file, image);
    if (half(file, 48) == 0) {
        for (const Segment &s : image.segments) {
            if (s.executable && !s.writable) image.code.push_back({s.address, s.size});
        }
    }
    merge(image.code);
    return {};
}

std::string read_elf(const std::string &path, const ProgramFormat &format, ElfImage &image) {
    const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
    if (!file) return std::strerror(errno);
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint8_t> block(1 << 16);
    std::size_t got = 0;
    while ((got = std::fread(block.data(), 1, block.size(), file.get())) != 0) {
        bytes.insert(bytes.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(got));
        if (bytes.size() > largest_file) return "it is larger than any program";
    }
    if (std::ferror(file.get()) != 0) return std::strerror(errno);
    return parse_elf(bytes, format, image);
}

bool ElfImage::is_code(std::uint32_t address) const {
    return std::ranges::any_of(segments,
                               [&](const Segment &s) { return s.executable && address - s.address < s.size; });
}

std::string_view ElfImage::name_in_c(std::string_view symbol) const {
    return underscores && symbol.starts_with('_') && symbol.size() > 1 ? symbol.substr(1) : symbol;
}

std::string ElfImage::name_of(std::uint32_t address) const {
    constexpr std::uint32_t near = 0x1000; // bytes after a symbol without a size for which its name is used
    auto after = std::ranges::upper_bound(symbols, address, {}, &Symbol::address);
    for (int tries = 0; after != symbols.begin() && tries < 8; tries++) {
        const Symbol &s = *--after;
        const std::uint32_t distance = address - s.address;
        if (s.absolute || distance >= (s.size != 0 ? s.size : near)) continue;
        const std::string_view name = name_in_c(s.name);
        return distance == 0 ? std::string(name) : fmt::format("{}+{:#x}", name, distance);
    }
    return {};
}

const Symbol *ElfImage::find(std::string_view name) const {
    auto found = std::ranges::find(symbols, name, [this](const Symbol &s) { return name_in_c(s.name); });
    if (found == symbols.end()) found = std::ranges::find(symbols, name, &Symbol::name);
    return found == symbols.end() ? nullptr : &*found;
}

} // namespace skerry::sim
