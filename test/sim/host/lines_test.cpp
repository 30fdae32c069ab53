// SPDX-License-Identifier: BSD-3-Clause
// Lines of the source: of code that is there, of code that the linker has dropped, and of damaged files.
#include <random>

#include <gtest/gtest.h>

#include "host/line_table.hpp"

using namespace skerry::sim;

namespace {

using Bytes = std::vector<std::uint8_t>;

void append(Bytes &to, const Bytes &more) {
    to.insert(to.end(), more.begin(), more.end());
}
void append(Bytes &to, std::uint32_t number, unsigned bytes) {
    for (unsigned k = 0; k < bytes; k++) to.push_back(static_cast<std::uint8_t>(number >> (8 * k)));
}
void append(Bytes &to, std::string_view text) {
    to.insert(to.end(), text.begin(), text.end());
    to.push_back(0);
}

// From `begin` on `count` instructions of 4 bytes, each of a line of its own.
Bytes stretch(std::uint32_t begin, std::uint8_t file, std::uint8_t line, unsigned count) {
    Bytes program = {0, 5, 2};
    append(program, begin, 4);
    append(program, {4, file, 3, static_cast<std::uint8_t>(line - 1), 1});
    for (unsigned k = 1; k < count; k++) append(program, {2, 4, 3, 1, 1}); // 4 bytes on, a line on
    append(program, {2, 4, 0, 1, 1});
    return program;
}

Bytes before_names(unsigned version) {
    Bytes header = {1};
    if (version >= 4) header.push_back(1);
    append(header, {1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1});
    return header;
}

Bytes unit(unsigned version, Bytes header, const Bytes &program) {
    Bytes rest;
    append(rest, version, 2);
    if (version >= 5) append(rest, {4, 0});
    append(rest, static_cast<std::uint32_t>(header.size()), 4);
    append(rest, header);
    append(rest, program);
    Bytes whole;
    append(whole, static_cast<std::uint32_t>(rest.size()), 4);
    append(whole, rest);
    return whole;
}

// The second file is in a folder, the first beside it.
Bytes unit_3(const Bytes &program) {
    Bytes header = before_names(3);
    append(header, "part");
    header.push_back(0);
    append(header, "top.c");
    append(header, {0, 0, 0});
    append(header, "inner.c");
    append(header, {1, 0, 0, 0});
    return unit(3, header, program);
}
Bytes unit_5(const Bytes &program) {
    Bytes header = before_names(5);
    append(header, {1, 1, 0x1f, 2}); // folders: names in .debug_line_str
    append(header, 0, 4);
    append(header, 6, 4);
    append(header, {2, 1, 0x08, 2, 0x0b, 3}); // files: name here, folder in a byte
    for (const std::uint8_t folder : Bytes{0, 0, 1}) {
        append(header, folder == 0 ? "top.c" : "inner.c");
        header.push_back(folder);
    }
    return unit(5, header, program);
}

ElfImage image_of(const Bytes &lines) {
    ElfImage image;
    image.debug.lines = lines;
    append(image.debug.line_strings, "/home");
    append(image.debug.line_strings, "part");
    image.code = {{0, 0x28}, {0x28, 0x400}};
    return image;
}

std::string at(const LineTable &lines, std::uint32_t address) {
    const SourceLine line = lines.find(address);
    return line.file == nullptr ? "" : *line.file + ":" + std::to_string(line.line);
}

// 2000 files, each in its own of 2000 folders with names of 4000 letters, of which all stand in the file once: their
// paths would take 8 MB for each of 60 units.
TEST(Lines, PathsAreBounded) {
    ElfImage image;
    image.debug.strings.assign(4001, 'a');
    image.debug.strings.back() = 0;
    for (unsigned u = 0; u < 60; u++) {
        Bytes header = before_names(5);
        append(header, {1, 1, 0x0e}); // folders: a path at an offset
        append(header, {0xd0, 0x0f}); // 2000 of them
        for (unsigned k = 0; k < 2000; k++) append(header, k, 4);
        append(header, {2, 1, 0x0e, 2, 0x0f, 0xd0, 0x0f}); // files: a path and a folder
        for (unsigned k = 0; k < 2000; k++) {
            append(header, u, 4);
            append(header, {static_cast<std::uint8_t>((k & 127) | 128), static_cast<std::uint8_t>(k >> 7)});
        }
        Bytes program = {0, 5, 2};
        append(program, 0x1000 + u * 0x10000, 4);
        for (unsigned k = 0; k < 2000; k++) {
            append(program,
                   {4, static_cast<std::uint8_t>((k & 127) | 128), static_cast<std::uint8_t>(k >> 7), 2, 4, 1});
        }
        append(program, {2, 4, 0, 1, 1});
        append(image.debug.lines, unit(5, header, program));
    }
    const LineTable table(image);
    EXPECT_NE(table.find(0x1004).file, nullptr);
    EXPECT_EQ(table.find(0x1004 + 59 * 0x10000).file, nullptr);
}

TEST(SourceLines, OfEachVersion) {
    const Bytes program = stretch(0x40, 2, 7, 3);
    const LineTable three(image_of(unit_3(program)));
    EXPECT_EQ(at(three, 0x3e), "");
    EXPECT_EQ(at(three, 0x40), "part/inner.c:7");
    EXPECT_EQ(at(three, 0x4a), "part/inner.c:9");
    EXPECT_EQ(at(three, 0x4c), "");
    EXPECT_EQ(three.addresses("inner.c", 8), std::vector<std::uint32_t>{0x44});
    const LineTable five(image_of(unit_5(program)));
    EXPECT_EQ(at(five, 0x44), "/home/part/inner.c:8");
    EXPECT_EQ(at(LineTable(image_of(unit_5(stretch(0x40, 1, 7, 3)))), 0x44), "/home/top.c:8");
}

TEST(SourceLines, SpecialOpcodesMoveBoth) {
    Bytes program = {0, 5, 2};
    append(program, 0x40, 4);
    append(program, {1, 13 + 14 * 2 + 6, 2, 2, 0, 1, 1}); // 2 bytes and a line on
    const LineTable lines(image_of(unit_5(program)));
    EXPECT_EQ(at(lines, 0x40), "/home/top.c:1");
    EXPECT_EQ(at(lines, 0x42), "/home/top.c:2");
    EXPECT_EQ(at(lines, 0x44), "");
}

TEST(SourceLines, OfCodeThatTheLinkerDropped) {
    Bytes both = stretch(0x50, 1, 5, 8);
    append(both, stretch(0, 1, 60, 40));
    const LineTable lines(image_of(unit_5(both)));
    EXPECT_EQ(at(lines, 0x54), "/home/top.c:6");
    EXPECT_EQ(at(lines, 0x4c), "");
    EXPECT_EQ(at(lines, 0x70), "");
    EXPECT_TRUE(lines.addresses("top.c", 60).empty());
    EXPECT_EQ(at(LineTable(image_of(unit_5(stretch(0, 1, 60, 40)))), 0x4c), "") << "longer than the vectors";
}

TEST(SourceLines, OfCodeThatReallyBeginsAt0) {
    ElfImage image = image_of(unit_5(stretch(0, 1, 60, 40)));
    image.code = {{0, 0x400}};
    EXPECT_EQ(at(LineTable(image), 0x4c), "/home/top.c:79");
}

TEST(SourceLines, OfDamagedFiles) {
    Bytes whole = unit_3(stretch(0x40, 2, 7, 20));
    append(whole, unit_5(stretch(0x100, 2, 7, 20)));
    for (std::size_t length = 0; length < whole.size(); length++) {
        const LineTable lines(image_of({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)}));
        EXPECT_EQ(at(lines, 0x102), "");
    }
    std::mt19937 random(1);
    for (int k = 0; k < 20'000; k++) {
        Bytes damaged = whole;
        for (int n = 0; n < 3; n++) damaged[random() % damaged.size()] = static_cast<std::uint8_t>(random());
        (void)at(LineTable(image_of(damaged)), 0x102);
    }
}

} // namespace
