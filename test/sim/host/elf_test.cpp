// SPDX-License-Identifier: BSD-3-Clause
// ELF files that are whole, cut off anywhere, or changed anywhere: an error or an image, never a crash.
#include <random>

#include <gtest/gtest.h>

#include "chip/chip.hpp"
#include "chip/machine_file.hpp"
#include "rounds.hpp"

using namespace skerry::sim;

namespace {

void put(std::vector<std::uint8_t> &file, std::size_t at, std::uint32_t value, unsigned bytes = 4) {
    for (unsigned k = 0; k < bytes; k++) file[at + k] = static_cast<std::uint8_t>(value >> (8 * k));
}

constexpr std::size_t program_header = 52;
constexpr std::size_t sections = 84;
constexpr std::size_t code = 204;
constexpr std::size_t symbols = 212;
constexpr std::size_t names = 260;

// One segment of 8 bytes in 16, two symbols.
std::vector<std::uint8_t> small_file() {
    std::vector<std::uint8_t> f(270);
    const std::uint8_t ident[] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
    std::copy(std::begin(ident), std::end(ident), f.begin());
    put(f, 16, 2, 2);
    put(f, 18, 0x1223, 2);
    put(f, 24, 0x100);
    put(f, 28, program_header);
    put(f, 32, sections);
    put(f, 42, 32, 2);
    put(f, 44, 1, 2);
    put(f, 46, 40, 2);
    put(f, 48, 3, 2);
    const std::uint32_t segment[] = {1, code, 0x100, 0x100, 8, 16, 5, 4};
    for (std::size_t k = 0; k < 8; k++) put(f, program_header + 4 * k, segment[k]);
    put(f, sections + 40 + 4, 2);
    put(f, sections + 40 + 16, symbols);
    put(f, sections + 40 + 20, 48);
    put(f, sections + 40 + 24, 2);
    put(f, sections + 80 + 4, 3);
    put(f, sections + 80 + 16, names);
    put(f, sections + 80 + 20, 10);
    put(f, code, 0x01c201c2);
    const std::uint32_t both[2][4] = {{1, 0x100, 4, 0x10012}, {6, 0x104, 0, 0x10000}};
    for (std::size_t k = 0; k < 2; k++) {
        for (std::size_t n = 0; n < 4; n++) put(f, symbols + 16 * (k + 1) + 4 * n, both[k][n]);
    }
    const char text[] = "\0main\0end";
    std::copy(text, text + 10, f.begin() + names);
    return f;
}

TEST(Elf, ReadsAWholeFile) {
    ElfImage image;
    ASSERT_EQ(parse_elf(small_file(), epiphany_set.format, image), "");
    EXPECT_EQ(image.entry, 0x100u);
    ASSERT_EQ(image.segments.size(), 1u);
    EXPECT_EQ(image.segments[0].size, 16u);
    EXPECT_EQ(image.segments[0].bytes.size(), 8u);
    EXPECT_EQ(image.name_of(0x102), "main+0x2");
    EXPECT_EQ(image.name_of(0x104), "end");
    EXPECT_EQ(image.name_of(0x50), "");
    Chip chip(*find_machine("epiphany-iii"));
    EXPECT_EQ(chip.load(image, 2), "");
    EXPECT_EQ(chip.core(1).memory.read<std::uint32_t>(0x100), 0x01c201c2u);
}

TEST(Elf, SaysWhatIsWrong) {
    const auto error = [](std::size_t at, std::uint32_t value, unsigned bytes) {
        std::vector<std::uint8_t> file = small_file();
        put(file, at, value, bytes);
        ElfImage image;
        return parse_elf(file, epiphany_set.format, image);
    };
    EXPECT_EQ(error(0, 0, 1), "it is not an ELF file");
    EXPECT_EQ(error(4, 2, 1), "it is not a 32-bit little-endian ELF file");
    EXPECT_EQ(error(18, 62, 2), "it is not for an Epiphany chip but for another processor (ELF machine 62); "
                                "--machine must name the machine for which oshcc --machine compiled it");
    EXPECT_EQ(error(16, 1, 2), "it is not a linked program");
    EXPECT_EQ(error(28, 0xfffffff0, 4), "its program headers lie outside the file");
    EXPECT_EQ(error(44, 0, 2), "it has nothing to load");
    EXPECT_EQ(error(program_header + 4, 0xffffff00, 4), "segment 0 lies outside the file");
    EXPECT_EQ(error(program_header + 16, 17, 4), "segment 0 is larger in the file than in memory");
    EXPECT_EQ(error(program_header + 20, 0xffffffff, 4), "segment 0 does not fit into the address space");
}

// A small file with many headers for the same bytes: each would be loaded.
std::vector<std::uint8_t> many_segments(std::uint32_t count, std::uint32_t step, std::uint32_t in_file,
                                        std::uint32_t in_memory) {
    std::vector<std::uint8_t> file = small_file();
    put(file, 28, static_cast<std::uint32_t>(file.size()));
    put(file, 44, count, 2);
    put(file, 48, 0, 2);
    const std::size_t table = file.size();
    file.resize(table + std::size_t{32} * count);
    for (std::uint32_t k = 0; k < count; k++) {
        const std::uint32_t words[] = {1, 0, 0x8e000000 + k * step, 0, in_file, in_memory, 7, 8};
        for (std::size_t n = 0; n < 8; n++) put(file, table + 32 * k + 4 * n, words[n]);
    }
    return file;
}

TEST(Elf, SegmentsDoNotOverlap) {
    ElfImage image;
    EXPECT_EQ(parse_elf(many_segments(2, 0x1000, 8, 0x1001), epiphany_set.format, image),
              "its segments at 0x8e000000 and 0x8e001000 overlap");
    EXPECT_EQ(parse_elf(many_segments(2, 0x1000, 8, 0x1000), epiphany_set.format, image), "");
    EXPECT_EQ(parse_elf(many_segments(20'000, 0, 0, 0x2000000), epiphany_set.format, image),
              "its segments at 0x8e000000 and 0x8e000000 overlap");
    EXPECT_EQ(parse_elf(many_segments(20'000, 0x1000, 0x1000, 0x1000), epiphany_set.format, image),
              "its segments overlap in the file: they have 81920000 bytes together, and the file has 640270");
}

TEST(Elf, SymbolsDoNotShareLongNames) {
    std::vector<std::uint8_t> file = small_file();
    constexpr std::uint32_t count = 5000, length = 3000;
    const auto table = static_cast<std::uint32_t>(file.size());
    file.resize(table + 16 * count + length + 2);
    for (std::uint32_t k = 0; k < count; k++) {
        put(file, table + 16 * k, 1);
        put(file, table + 16 * k + 4, 0x100);
        put(file, table + 16 * k + 12, 0x10012);
    }
    std::fill_n(file.begin() + table + 16 * count + 1, length, 'a');
    put(file, sections + 40 + 16, table);
    put(file, sections + 40 + 20, 16 * count);
    put(file, sections + 80 + 16, table + 16 * count);
    put(file, sections + 80 + 20, length + 2);
    ElfImage image;
    EXPECT_EQ(parse_elf(file, epiphany_set.format, image), "");
    EXPECT_TRUE(image.symbols.empty());
    put(file, sections + 40 + 20, 16 * 4);
    EXPECT_EQ(parse_elf(file, epiphany_set.format, image), "");
    EXPECT_EQ(image.symbols.size(), 4u);
}

TEST(Elf, CodeIsCountedOnce) {
    std::vector<std::uint8_t> file = small_file();
    const auto table = static_cast<std::uint32_t>(file.size());
    constexpr std::uint32_t count = 1000;
    put(file, 32, table);
    put(file, 48, count, 2);
    file.resize(table + std::size_t{40} * count);
    for (std::uint32_t k = 0; k < count; k++) {
        put(file, table + 40 * k + 8, 6);
        put(file, table + 40 * k + 12, 0x100 + 4 * k);
        put(file, table + 40 * k + 20, k == 0 ? 0x10 : 4);
    }
    ElfImage image;
    EXPECT_EQ(parse_elf(file, epiphany_set.format, image), "");
    ASSERT_EQ(image.code.size(), 1u);
    EXPECT_EQ(image.code[0].address, 0x100u);
    EXPECT_EQ(image.code[0].size, 4 * count);
}

TEST(Elf, DoesNotLoadWhereNoMemoryIs) {
    Chip chip(*find_machine("epiphany-iii"));
    for (const std::uint32_t address : {0x7ff8U, 0x00200000U, 0x81fffff8U, 0xfffff000U}) {
        std::vector<std::uint8_t> file = small_file();
        put(file, program_header + 8, address);
        ElfImage image;
        ASSERT_EQ(parse_elf(file, epiphany_set.format, image), "");
        EXPECT_NE(chip.load(image, 1), "") << address;
    }
}

TEST(Elf, AThingNamesItsAddressAndNotALabelThere) {
    std::vector<std::uint8_t> file = small_file();
    put(file, symbols + 32 + 4, 0x100); // "end", without a size, behind "main" in the table
    ElfImage image;
    ASSERT_EQ(parse_elf(file, epiphany_set.format, image), "");
    EXPECT_EQ(image.name_of(0x100), "main");
}

TEST(Elf, KnowsWhatMachineItWasLinkedFor) {
    Chip chip(*find_machine("epiphany-iii"));
    ElfImage image;
    ASSERT_EQ(parse_elf(small_file(), epiphany_set.format, image), "");
    image.symbols.push_back({2, 0, "___skerry_pes_max", true});
    image.symbols.push_back({0x8000, 0, "___skerry_local_bytes", true});
    EXPECT_EQ(chip.load(image, 2), "");
    EXPECT_EQ(chip.load(image, 3), "it was linked for a machine of 2 cores, and cannot run on 3 cores of epiphany-iii");
    image.symbols.back().address = 0x10000;
    EXPECT_EQ(chip.load(image, 2),
              "it was linked for cores with 64 KB of memory, and the cores of epiphany-iii have 32 KB");
}

// The description of a job and the C library's list of variables, each in every core.
TEST(Elf, TheEnvironmentOfAJobIsTheCLibrarysToo) {
    constexpr std::uint32_t job = 0x2000, list = 0x2100;
    Chip chip(*find_machine("epiphany-iii"), {"program"}, {"A=1"});
    ElfImage image;
    ASSERT_EQ(parse_elf(small_file(), epiphany_set.format, image), "");
    image.symbols.push_back({job, 40, "_skerry_job"});
    image.symbols.push_back({list, 4, "_environ"});
    EXPECT_EQ(chip.load(image, 2), "");
    for (const std::uint32_t core : {0U, 1U}) {
        const Memory &memory = chip.core(core).memory;
        EXPECT_NE(memory.read<std::uint32_t>(list), 0u);
        EXPECT_EQ(memory.read<std::uint32_t>(list), memory.read<std::uint32_t>(job + 28));
    }
}

// Every prefix, and many files with a few bytes changed.
TEST(Elf, SurvivesDamage) {
    const std::vector<std::uint8_t> whole = small_file();
    Chip chip(*find_machine("epiphany-iii"));
    for (std::size_t length = 0; length < whole.size(); length++) {
        ElfImage image;
        const std::string error = parse_elf(std::span(whole).first(length), epiphany_set.format, image);
        EXPECT_EQ(error.empty(), length >= code + 8) << length;
    }
    std::mt19937 random(1);
    for (unsigned round = 0; round < rounds(20000); round++) {
        std::vector<std::uint8_t> file = whole;
        for (unsigned changes = 1 + random() % 4; changes != 0; changes--) {
            file[random() % file.size()] = static_cast<std::uint8_t>(random() % 3 == 0 ? 0xff : random());
        }
        ElfImage image;
        if (!parse_elf(file, epiphany_set.format, image).empty()) continue;
        (void)image.name_of(static_cast<std::uint32_t>(random()));
        if (image.segments[0].size < 1 << 20) (void)chip.load(image, 1);
    }
}

} // namespace
